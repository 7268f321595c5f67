"""Reference values of the baseline of texts. Writes values/texts.json.

    python3 docs/reference/texts.py

Texts are made here from fixed seeds, of words in about the shares of a language; the label follows a few words and pairs of
words. `train` and `test` are rows with a text for each of `parts`. `terms`, `probabilities` and `coefficientNorm` are of
scikit-learn's TfidfVectorizer (words and pairs of words, sublinear counts, terms of two texts at least, the most frequent
ones where there are more than `most`) and its logistic regression (C = 1). A case with several parts has the terms of each
for itself: its analyzer puts the part's name before each term.
"""
import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from reference import write

WORDS = ["the", "of", "Über", "naïve", "a", "I", "x_1", "42", "été", "日本語", "don't", "well-known", "ПРИВЕТ"]
WORDS += [f"word{index}" for index in range(80)]
MARKS = [" ", " ", " ", " ", ", ", ". ", "\n", " - "]


def draw(seed, n, classes, parts):
    generator = np.random.default_rng(seed)
    weight = generator.normal(0, 1.5, (parts, len(WORDS), classes))
    pair = generator.normal(0, 1.5, (parts, len(WORDS), classes))
    shares = 1 / np.arange(1, len(WORDS) + 1) ** 0.7
    rows, labels = [], []
    for _ in range(n):
        row, score = [], np.zeros(classes)
        for part in range(parts):
            # An empty text now and then.
            length = int(generator.integers(3, 40)) if generator.random() > 0.03 else 0
            drawn = generator.choice(len(WORDS), length, p=shares / shares.sum())
            score += weight[part, drawn].sum(0) / 3 + sum((pair[part, a] for a, b in zip(drawn, drawn[1:]) if b < 5), np.zeros(classes)) / 3
            row.append("".join(WORDS[word] + generator.choice(MARKS) for word in drawn).strip())
        rows.append(row)
        chances = np.exp(score - score.max())
        labels.append(int(generator.choice(classes, p=chances / chances.sum())))
    return rows, labels


def made(name, seed, rows, train, classes, parts, most):
    cases, label = draw(seed, rows, classes, len(parts))
    if len(parts) == 1:
        vectorizer = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, min_df=2, max_features=most)
        texts = [case[0] for case in cases]
    else:
        plain = TfidfVectorizer(ngram_range=(1, 2)).build_analyzer()
        analyzer = lambda case: [f"{part}\n{term}" for part, text in zip(parts, case) for term in plain(text)]
        vectorizer = TfidfVectorizer(analyzer=analyzer, sublinear_tf=True, min_df=2, max_features=most)
        texts = cases
    matrix = vectorizer.fit_transform(texts[:train])
    model = LogisticRegression(C=1, tol=1e-12, max_iter=100000).fit(matrix, label[:train])
    names = [f"L{index}" for index in range(classes)]
    return {"name": name, "parts": parts, "labels": names, "most": most,
            "train": cases[:train], "trainLabels": [names[value] for value in label[:train]], "test": cases[train:],
            "terms": matrix.shape[1], "probabilities": model.predict_proba(vectorizer.transform(texts[train:])),
            "coefficientNorm": np.linalg.norm(model.coef_)}


SETS = [
    made("two labels, one text", 21, 220, 140, 2, ["text"], 20000),
    made("three labels, pairs of texts", 22, 200, 130, 3, ["premise", "hypothesis"], 20000),
]
write("texts", "docs/reference/texts.py", ["numpy", "scikit-learn"], SETS)
