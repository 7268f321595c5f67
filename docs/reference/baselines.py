"""Reference values of the baselines. Writes values/baselines.json.

    python3 docs/reference/baselines.py

Tables are made here from fixed seeds; cells are texts as in a CSV file, an empty one is missing. `train` and `test` are
rows of cells. `probabilities` and `coefficientNorm` are of scikit-learn's logistic regression (C = 1) after its own
preparation of the columns: numbers standardised, a missing one at the mean and with an indicator; words one-hot without
the levels that one training row has. `forest` is the accuracy and, for two labels, the area under the curve of its random
forest on the test rows: mean and standard deviation over 20 seeds. `boosting` has the probabilities of its
HistGradientBoostingClassifier over the columns in the program's order. `prior` is its DummyClassifier.
"""
import warnings
from collections import Counter

import numpy as np
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from reference import write

warnings.filterwarnings("ignore")
TREES, SEEDS = 200, 20


def draw(seed, n, classes, numeric, words, missing, strength):
    """Cells and labels: the labels follow a few columns, a product of two of them, and chance."""
    generator = np.random.default_rng(seed)
    numbers = generator.normal(size=(n, numeric)) * generator.uniform(0.5, 200, numeric) + generator.normal(0, 50, numeric)
    levels = [generator.choice([f"w{index}{level}" for level in range(size)], n, p=generator.dirichlet(np.ones(size)))
              for index, size in enumerate(words)]
    scaled = (numbers - numbers.mean(0)) / numbers.std(0)
    scores = np.column_stack([scaled @ generator.normal(size=numeric) for _ in range(classes)])
    scores[:, 0] += 1.5 * scaled[:, 0] * scaled[:, 1]
    for column in levels:
        for name in np.unique(column):
            scores[column == name] += generator.normal(0, 0.7, classes)
    shares = np.exp(strength * scores) / np.exp(strength * scores).sum(1, keepdims=True)
    label = np.array([generator.choice(classes, p=share) for share in shares])
    cells = [[f"{value:.4g}" for value in row] for row in numbers]
    cells = [row + [str(column[index]) for column in levels] for index, row in enumerate(cells)]
    for row in cells:
        for place in range(len(row)):
            if generator.random() < missing:
                row[place] = ""
    return cells, label


def prepare(train, cells, numeric):
    """The cells as numbers, by what the training rows show. The program's columns are in another order: a probability
    does not depend on it."""
    def numbers(rows): return np.array([[float(cell) if cell else np.nan for cell in row[:numeric]] for row in rows])
    def words(rows): return np.array([row[numeric:] for row in rows], dtype=object)
    centred = make_pipeline(StandardScaler(), SimpleImputer(strategy="constant", fill_value=0, add_indicator=True))
    parts = [centred.fit(numbers(train)).transform(numbers(cells))]
    if words(train).shape[1] > 0:
        counted = [np.unique(column, return_counts=True) for column in words(train).T.astype(str)]
        frequent = [names[counts >= 2].astype(object) for names, counts in counted]
        one_hot = OneHotEncoder(categories=frequent, handle_unknown="ignore", sparse_output=False)
        parts.append(one_hot.fit([[names[0] for names in frequent]]).transform(words(cells)))
    return np.hstack(parts)


def in_order(train, cells, numeric):
    """The cells as numbers, a missing one as such, in the program's order: of equally good cuts the first column's holds."""
    first = lambda column: next(index for index, row in enumerate(train) if row[column])
    parts = []
    for column in sorted(range(len(train[0])), key=lambda column: (first(column), column)):
        counts = Counter(row[column] for row in train)
        own = [row[column] for row in cells]
        if column < numeric: parts.append([float(cell) if cell else np.nan for cell in own])
        levels = [level for level, n in counts.most_common() if (level == "" if column < numeric else n >= 2)]
        parts += [[float(cell == level) for cell in own] for level in levels]
    return np.column_stack(parts)


def made(name, seed, rows, train, classes, numeric, words, missing, strength):
    cells, label = draw(seed, rows, classes, numeric, words, missing, strength)
    matrix = prepare(cells[:train], cells, numeric)
    fitted, held_out = matrix[:train], matrix[train:]
    model = LogisticRegression(C=1, tol=1e-12, max_iter=100000).fit(fitted, label[:train])
    probabilities = model.predict_proba(held_out)
    ordered = in_order(cells[:train], cells, numeric)
    boosting = HistGradientBoostingClassifier().fit(ordered[:train], label[:train])
    accuracies, areas = [], []
    for forest_seed in range(SEEDS):
        forest = RandomForestClassifier(TREES, random_state=forest_seed, n_jobs=2).fit(fitted, label[:train])
        votes = forest.predict_proba(held_out)
        accuracies.append(np.mean(forest.classes_[votes.argmax(1)] == label[train:]))
        if classes == 2: areas.append(roc_auc_score(label[train:], votes[:, 1]))
    spread = lambda values: {"mean": np.mean(values), "sd": np.std(values, ddof=1)} if values else None
    names = [f"L{index}" for index in range(classes)]
    prior = DummyClassifier(strategy="prior").fit(fitted, label[:train]).predict_proba(held_out[:1])[0]
    return {"name": name, "columns": [f"n{i}" for i in range(numeric)] + [f"w{i}" for i in range(len(words))],
            "labels": names, "train": cells[:train], "trainLabels": [names[value] for value in label[:train]],
            "test": cells[train:], "testLabels": [names[value] for value in label[train:]],
            "width": fitted.shape[1], "probabilities": probabilities,
            "coefficientNorm": np.linalg.norm(model.coef_), "prior": prior,
            "accuracy": np.mean(model.classes_[probabilities.argmax(1)] == label[train:]),
            "boosting": boosting.predict_proba(ordered[train:]),
            "forest": {"trees": TREES, "seeds": SEEDS, "accuracy": spread(accuracies), "area": spread(areas)}}


SETS = [
    made("two labels, numbers and words", 11, 700, 400, 2, 5, [3, 6], 0, 0.8),
    made("four labels, empty cells, rare words", 12, 700, 400, 4, 4, [5, 40], 0.06, 1.2),
    made("two labels, few cases, separable", 13, 90, 30, 2, 3, [2], 0.1, 4),
    made("three labels, numbers alone", 14, 600, 300, 3, 6, [], 0, 1),
]
write("baselines", "docs/reference/baselines.py", ["numpy", "scikit-learn"], SETS)
