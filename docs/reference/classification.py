"""Reference values of the classification statistics: writes values/classification.json, multiLabel.json, shares.json.

    python3 docs/reference/classification.py

All data are made here from fixed seeds. `weights` are whole-number multiplicities, so that `weighted` is the value
over the data set in which each case occurs that often; the references get them as sample weights.
A null is "undefined": scikit-learn says nan, or says 0 by convention (Matthews correlation of one class).
"""
import warnings

import numpy as np
from scipy import stats
from sklearn import metrics
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.proportion import proportion_confint

from reference import write

warnings.filterwarnings("ignore")
LIBRARIES = ["numpy", "scipy", "scikit-learn", "statsmodels"]


def predictions(seed, n, base, skill):
    """Truths drawn from `base`; a prediction is the truth with probability `skill`, else drawn from `base`."""
    generator = np.random.default_rng(seed)
    labels = [chr(65 + index) for index in range(len(base))]
    truth = generator.choice(labels, n, p=base)
    guess = generator.choice(labels, n, p=base)
    prediction = np.where(generator.random(n) < skill, truth, guess)
    return labels, truth.tolist(), prediction.tolist(), generator.integers(0, 4, n).tolist()


def one_class(labels):
    return len(set(labels)) < 2


def scores(labels, truth, prediction, weights):
    """Every statistic over the cases of positive weight; scikit-learn would count the classes of the others too."""
    kept = [index for index, weight in enumerate(weights) if weight > 0]
    truth, prediction, weights = ([values[index] for index in kept] for values in (truth, prediction, weights))
    table = metrics.confusion_matrix(truth, prediction, labels=labels, sample_weight=weights)
    matthews = metrics.matthews_corrcoef(truth, prediction, sample_weight=weights)
    kappa = metrics.cohen_kappa_score(truth, prediction, labels=labels, sample_weight=weights)
    if not np.isnan(kappa):
        assert abs(kappa - cohens_kappa(table, return_results=False)) < 1e-12
    undefined = one_class(truth) or one_class(prediction)
    each = {name: [score(truth, prediction, labels=[label], average="macro", zero_division=np.nan, sample_weight=weights)
                   for label in labels]
            for name, score in (("precision", metrics.precision_score), ("recall", metrics.recall_score),
                                ("f1", metrics.f1_score))}
    macro = {name: score(truth, prediction, labels=labels, average="macro", zero_division=0, sample_weight=weights)
             for name, score in (("macroPrecision", metrics.precision_score), ("macroRecall", metrics.recall_score),
                                 ("macroF1", metrics.f1_score))}
    return {"confusion": table, "accuracy": metrics.accuracy_score(truth, prediction, sample_weight=weights),
            "balancedAccuracy": metrics.balanced_accuracy_score(truth, prediction, sample_weight=weights),
            "matthewsCorrelation": None if undefined else matthews, "cohenKappa": kappa} | each | macro


def classified(name, labels, truth, prediction, weights):
    return {"name": name, "labels": labels, "truth": truth, "prediction": prediction, "weights": weights,
            "expected": scores(labels, truth, prediction, [1] * len(truth)),
            "weighted": scores(labels, truth, prediction, weights)}


def label_sets(seed, n, shares, skill):
    """Independent labels; each is predicted as it is with probability `skill`, else drawn again."""
    generator = np.random.default_rng(seed)
    truth = generator.random((n, len(shares))) < shares
    guess = generator.random((n, len(shares))) < shares
    prediction = np.where(generator.random((n, len(shares))) < skill, truth, guess)
    return truth.astype(int), prediction.astype(int), generator.integers(0, 4, n)


def multi_label_scores(truth, prediction, weights):
    table = metrics.multilabel_confusion_matrix(truth, prediction, sample_weight=weights)

    def f1(average, zero_division):
        return metrics.f1_score(truth, prediction, average=average, zero_division=zero_division, sample_weight=weights)
    return {"counts": [[each[1][1], each[0][1], each[0][0], each[1][0]] for each in table.tolist()],
            "exactMatch": metrics.accuracy_score(truth, prediction, sample_weight=weights),
            "f1": f1(None, np.nan), "macroF1": f1("macro", 0), "microF1": f1("micro", np.nan),
            # Nothing to find and nothing found is right: exact match counts it so too.
            "samplesF1": f1("samples", 1)}


def multi_label(name, truth, prediction, weights):
    labels = [chr(65 + index) for index in range(truth.shape[1])]

    def names(rows):
        return [[label for label, has in zip(labels, row) if has] for row in rows]
    return {"name": name, "labels": labels, "truth": names(truth), "prediction": names(prediction), "weights": weights,
            "expected": multi_label_scores(truth, prediction, np.ones(len(truth), dtype=int)),
            "weighted": multi_label_scores(truth, prediction, weights)}


def share(successes, n, level):
    """Wilson interval by statsmodels, held against scipy's."""
    low, high = proportion_confint(successes, n, alpha=1 - level, method="wilson")
    other = stats.binomtest(successes, n).proportion_ci(level, method="wilson")
    assert abs(low - other.low) < 1e-12 and abs(high - other.high) < 1e-12
    return {"successes": successes, "n": n, "level": level, "expected": {"low": low, "high": high}}


write("classification", "docs/reference/classification.py", LIBRARIES, [
    classified("two labels, 12% positive", *predictions(101, 240, [0.88, 0.12], 0.45)),
    classified("two labels, even", *predictions(102, 61, [0.5, 0.5], 0.2)),
    classified("three labels, worse than chance", ["A", "B", "C"], list("AABBCCABCABC"), list("BBCCAABCACAB"),
               [1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0]),
    classified("four labels, skewed", *predictions(103, 300, [0.6, 0.25, 0.1, 0.05], 0.5)),
    classified("six labels", *predictions(104, 200, [0.3, 0.2, 0.2, 0.1, 0.1, 0.1], 0.7)),
    classified("a label that is never true, one that is never predicted, one that is neither", ["A", "B", "C", "D", "E"],
               list("AAABBBDDAB"), list("AABBCCABCA"), [1, 1, 2, 2, 3, 0, 1, 1, 2, 5]),
    classified("one class only in the truth", ["A", "B"], list("AAAAA"), list("AABAB"), [1, 2, 0, 1, 3]),
    classified("one class only in the predictions", ["A", "B"], list("ABAAB"), list("AAAAA"), [1, 2, 0, 1, 3]),
    classified("one class only in both", ["A", "B"], list("AAA"), list("AAA"), [1, 2, 3]),
    classified("all wrong, one class each", ["A", "B"], list("AAA"), list("BBB"), [2, 0, 1]),
    classified("one case, right", ["A", "B", "C"], ["B"], ["B"], [3]),
    classified("one case, wrong", ["A", "B", "C"], ["B"], ["C"], [2]),
])
write("multiLabel", "docs/reference/classification.py", LIBRARIES, [
    multi_label("three labels", *label_sets(201, 80, [0.5, 0.3, 0.1], 0.6)),
    multi_label("six labels, rare", *label_sets(202, 120, [0.4, 0.2, 0.1, 0.05, 0.02, 0.2], 0.4)),
    multi_label("two labels", *label_sets(203, 40, [0.7, 0.6], 0.3)),
    multi_label("a label that occurs nowhere, empty sets", np.array([[1, 0, 0], [0, 0, 0], [0, 1, 0], [0, 0, 0]]),
                np.array([[1, 1, 0], [0, 0, 0], [0, 0, 0], [1, 0, 0]]), np.array([1, 2, 0, 3])),
    multi_label("one case", np.array([[1, 1, 0]]), np.array([[1, 0, 1]]), np.array([2])),
    multi_label("nothing true, nothing predicted", np.zeros((3, 2), dtype=int), np.zeros((3, 2), dtype=int), np.array([1, 1, 2])),
])
write("shares", "docs/reference/classification.py", LIBRARIES, [
    share(successes, n, level) for level in (0.8, 0.9, 0.95, 0.99, 0.999)
    for successes, n in ((0, 1), (1, 1), (0, 10), (3, 10), (10, 10), (7, 20), (81, 263), (999, 1000), (31_415, 100_000))
])
