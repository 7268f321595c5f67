"""Reference values of the statistics over probabilities. Writes values/beliefs.json and values/confidences.json.

    python3 docs/reference/calibration.py

All data are made here from fixed seeds. `weights` are whole-number multiplicities and `weighted` is the value over the
data set in which each case occurs that often, made by repeating the cases; miscalibration alone takes them as weights. A null is "undefined": the reference says nan.
Measures based on ranks use `settled` values: numbers that differ by rounding alone are one number.
The calibration error has no counterpart in these libraries. `calibration_error` below is written for itself, by brute
force from the definition, and held against numpy.array_split where no two values are equal.
"""
import warnings

import numpy as np
from scipy import stats
from sklearn import metrics

from reference import miscalibration, settled, write

warnings.filterwarnings("ignore")
LIBRARIES = ["numpy", "scipy", "scikit-learn"]
BINS = 15


# Beliefs: a distribution over the labels for each case, and the true label.

def believed(seed, n, classes, sharpness, digits):
    """Truths of uneven frequency; beliefs around them, `digits` after the point and then with a sum of one again."""
    generator = np.random.default_rng(seed)
    base = np.arange(classes, 0, -1) / np.arange(classes, 0, -1).sum()
    truth = generator.choice(classes, n, p=base)
    logits = generator.normal(size=(n, classes)) + sharpness * np.eye(classes)[truth]
    beliefs = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    if digits is not None:
        beliefs = np.round(beliefs, digits)
        beliefs[:, 0] = np.round(np.abs(beliefs[:, 0] + 1 - beliefs.sum(axis=1)), digits)
    assert np.all(np.abs(beliefs.sum(axis=1) - 1) < 1e-9) and np.all((beliefs >= 0) & (beliefs <= 1))
    return beliefs, truth, generator.integers(0, 4, n)


def rank_of_truth(beliefs, truth):
    """1 for the most likely label; equal labels all get the last of their places."""
    return np.array([stats.rankdata(-settled(row), method="max")[index] for row, index in zip(beliefs, truth)])


def belief_scores(beliefs, truth):
    classes = beliefs.shape[1]
    labels = list(range(classes))
    one_hot = np.eye(classes, dtype=int)[truth]
    ranks = rank_of_truth(beliefs, truth)
    is_settled = np.array_equal(settled(beliefs.ravel()), beliefs.ravel())
    halved = metrics.brier_score_loss(truth, beliefs, labels=labels, scale_by_half=True)
    if classes == 2:
        assert abs(halved - metrics.brier_score_loss(truth, beliefs[:, 1], pos_label=1, labels=labels)) < 1e-5
    areas = [area(one_hot[:, label], beliefs[:, label]) for label in labels]
    defined = [value for value in areas if not np.isnan(value)]
    macro = np.mean(defined) if defined else np.nan
    if len(defined) == classes > 2 and is_settled:
        assert abs(macro - metrics.roc_auc_score(truth, beliefs, multi_class="ovr", average="macro")) < 1e-12
    reciprocal = np.mean(1 / ranks)
    if classes > 1 and is_settled:
        assert abs(reciprocal - metrics.label_ranking_average_precision_score(one_hot, beliefs)) < 1e-12
    return {"brierSum": metrics.brier_score_loss(truth, beliefs, labels=labels, scale_by_half=False),
            "logLoss": metrics.log_loss(truth, beliefs, labels=labels),
            "brierHalf": halved, "meanReciprocalRank": reciprocal,
            "accuracyAtK": [np.mean(ranks <= k + 1) for k in labels],
            # In which equal labels count by their order: the later label is taken to be the likelier.
            "topK": [metrics.top_k_accuracy_score(truth, beliefs, k=k + 1, labels=labels) for k in labels]
            if classes > 2 and is_settled else None,
            "areas": areas, "macroArea": macro}


def label_miscalibration(beliefs, truth, weights=None):
    return {"miscalibration": sum(miscalibration(truth == label, column, weights) for label, column in enumerate(beliefs.T)) / 2}


def belief_set(name, beliefs, truth, weights):
    beliefs, truth, weights = np.asarray(beliefs, dtype=float), np.asarray(truth), np.asarray(weights)
    labels = [chr(65 + index) for index in range(beliefs.shape[1])]
    return {"name": name, "labels": labels, "beliefs": beliefs, "truth": [labels[index] for index in truth], "weights": weights,
            "expected": belief_scores(beliefs, truth) | label_miscalibration(beliefs, truth),
            "weighted": belief_scores(np.repeat(beliefs, weights, axis=0), np.repeat(truth, weights))
            | label_miscalibration(beliefs, truth, weights)}


# Confidences: one probability for each case, and whether the prediction was right.

def area(positive, score):
    return np.nan if len(set(positive)) < 2 else metrics.roc_auc_score(positive, settled(score))


def calibration_error(confidence, correct, bins=BINS):
    """Each distinct value goes as a whole to the bin that holds the middle of its ranks."""
    confidence = settled(confidence)
    n = len(confidence)
    members = {}
    for value in sorted(set(confidence)):
        below, upto = np.sum(confidence < value), np.sum(confidence <= value)
        members.setdefault(int(bins * (below + upto) // (2 * n)), []).append(value)
    table = []
    for values in members.values():
        chosen = np.isin(confidence, values)
        table.append({"from": min(values), "to": max(values), "n": int(chosen.sum()),
                      "confidence": confidence[chosen].mean(), "accuracy": correct[chosen].mean()})
    error = sum(row["n"] * abs(row["accuracy"] - row["confidence"]) for row in table) / n
    if len(set(confidence)) == n and n % bins == 0:
        order = np.argsort(confidence)
        parts = np.array_split(order, bins)
        assert abs(error - sum(abs(np.sum(correct[part] - confidence[part])) for part in parts) / n) < 1e-12
    return error, table


def correlation(statistic, x, y):
    x, y = settled(x), settled(y)
    return np.nan if len(x) < 2 or len(set(x)) < 2 or len(set(y)) < 2 else statistic(x, y).statistic


def confidence_scores(confidence, correct):
    error, table = calibration_error(confidence, correct)
    pearson = correlation(stats.pearsonr, confidence, correct)
    if not np.isnan(pearson):
        assert abs(pearson - stats.pointbiserialr(correct, confidence).statistic) < 1e-12
    return {"areaUnderCurve": area(correct, confidence), "calibrationError": error, "bins": table, "pearson": pearson,
            "spearman": correlation(stats.spearmanr, confidence, correct)}


def confidence_set(name, confidence, correct, weights):
    confidence, correct, weights = np.asarray(confidence, dtype=float), np.asarray(correct).astype(int), np.asarray(weights)
    return {"name": name, "confidence": confidence, "correct": correct, "weights": weights,
            "expected": confidence_scores(confidence, correct) | {"miscalibration": miscalibration(correct, confidence)},
            "weighted": confidence_scores(np.repeat(confidence, weights), np.repeat(correct, weights))
            | {"miscalibration": miscalibration(correct, confidence, weights)}}


def stated(seed, n, values, skew):
    """Confidences from a few values, as models state them; right less often than they say."""
    generator = np.random.default_rng(seed)
    confidence = generator.choice(values, n)
    return confidence, generator.random(n) < confidence ** skew, generator.integers(0, 4, n)


def continuous(seed, n, skew):
    generator = np.random.default_rng(seed)
    confidence = generator.beta(4, 2, n)
    return confidence, generator.random(n) < confidence ** skew, generator.integers(0, 4, n)


def computed(values, generator):
    """Tenths as programs come by them: as written, as what is left of one, as a sum of tenths."""
    tenths = np.round(10 * np.asarray(values)).astype(int)
    ways = (lambda tenth: tenth / 10, lambda tenth: 1 - (10 - tenth) / 10, lambda tenth: 1 - (1 - tenth / 10),
            lambda tenth: sum([0.1] * tenth))
    return np.minimum(1, [ways[way](int(tenth)) for tenth, way in zip(tenths, generator.integers(0, len(ways), len(tenths)))])


def computed_tenths(seed, n, skew):
    confidence, correct, weights = stated(seed, n, np.arange(1, 11) / 10, skew)
    return computed(confidence, np.random.default_rng(seed + 1)), correct, weights


def computed_beliefs(seed, n, classes):
    beliefs, truth, weights = believed(seed, n, classes, 1.0, 1)
    return computed(beliefs.ravel(), np.random.default_rng(seed + 1)).reshape(beliefs.shape), truth, weights


# Two columns of numbers, for the correlations alone.

def columns(name, x, y, weights):
    x, y, weights = np.asarray(x, dtype=float), np.asarray(y, dtype=float), np.asarray(weights)
    both = ((x, y), (np.repeat(x, weights), np.repeat(y, weights)))
    expected, weighted = ({"pearson": correlation(stats.pearsonr, *each), "spearman": correlation(stats.spearmanr, *each)}
                          for each in both)
    return {"name": name, "x": x, "y": y, "weights": weights, "expected": expected, "weighted": weighted, "fisher": fisher(x, y)}


def fisher(x, y):
    """Interval of Pearson's correlation at 95%; null where it is a point, spans everything or is undefined."""
    if len(x) < 4 or correlation(stats.pearsonr, x, y) in (None, -1.0, 1.0):
        return None
    low, high = stats.pearsonr(x, y).confidence_interval(0.95)
    return {"low": low, "high": high}


def related(seed, n, digits, offset):
    generator = np.random.default_rng(seed)
    x = generator.normal(size=n)
    y = 0.6 * x + generator.normal(size=n)
    return np.round(x, digits) + offset, np.round(y, digits) - offset, generator.integers(0, 4, n)


write("beliefs", "docs/reference/calibration.py", LIBRARIES, [
    belief_set("two labels, in hundredths", *believed(301, 150, 2, 1.5, 2)),
    belief_set("three labels, all digits", *believed(302, 60, 3, 1.0, None)),
    belief_set("four labels, in tenths: many equal", *believed(303, 120, 4, 1.0, 1)),
    belief_set("six labels, in hundredths", *believed(304, 90, 6, 2.0, 2)),
    belief_set("four labels, all equal", np.full((6, 4), 0.25), [0, 1, 2, 3, 3, 0], [1, 2, 1, 0, 3, 1]),
    belief_set("three labels, one class only", [[0.5, 0.3, 0.2], [0.2, 0.7, 0.1], [0.1, 0.1, 0.8]], [1, 1, 1], [1, 2, 1]),
    belief_set("three labels, one of which is never true", [[0.5, 0.3, 0.2], [0.2, 0.7, 0.1], [0.1, 0.1, 0.8]], [0, 1, 1],
               [1, 2, 1]),
    belief_set("one case", [[0.2, 0.5, 0.3]], [2], [3]),
    belief_set("certain, right and wrong", [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]], [0, 1, 2, 2], [1, 1, 2, 1]),
    belief_set("two labels, tenths computed in several ways", *computed_beliefs(305, 120, 2)),
    belief_set("four labels, tenths computed in several ways", *computed_beliefs(306, 120, 4)),
    belief_set("sums of 0.999999", [[0.333333, 0.333333, 0.333333], [0.5, 0.25, 0.249999], [0.1, 0.2, 0.699999]], [0, 1, 2],
               [1, 2, 1]),
])
write("confidences", "docs/reference/calibration.py", LIBRARIES, [
    confidence_set("as models state them", *stated(401, 200, [0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0], 2.0)),
    confidence_set("all different, 150", *continuous(402, 150, 1.0)),
    confidence_set("all different, 97", *continuous(403, 97, 3.0)),
    confidence_set("in hundredths", *stated(404, 300, np.arange(101) / 100, 0.7)),
    confidence_set("fewer than bins", *continuous(405, 7, 1.0)),
    confidence_set("all equal", np.full(20, 0.7), [1] * 9 + [0] * 11, [1] * 20),
    confidence_set("always right", *continuous(406, 12, 0.0)),
    confidence_set("always wrong", [0.5, 0.6, 0.7], [0, 0, 0], [1, 1, 2]),
    confidence_set("one case", [0.8], [1], [2]),
    confidence_set("tenths computed in several ways", *computed_tenths(407, 240, 1.5)),
    confidence_set("one value computed in several ways", [0.3, 0.1 + 0.2, 1 - 0.7, 0.3], [1, 0, 1, 1], [1, 2, 1, 1]),
    confidence_set("certain either way", [0, 1, 0, 1, 1], [0, 1, 1, 1, 0], [2, 1, 1, 3, 1]),
])
write("columns", "docs/reference/calibration.py", LIBRARIES, [
    columns("fifty pairs", *related(501, 50, 6, 0)),
    columns("many equal", *related(502, 120, 0, 0)),
    columns("far from zero", *related(503, 80, 3, 1e6)),
    columns("exactly opposed", [1, 2, 3, 4], [8, 6, 4, 2], [1, 2, 1, 1]),
    columns("tenths computed in several ways", computed(np.arange(60) % 10 / 10, np.random.default_rng(504)),
            *computed_tenths(505, 60, 1.0)[::2]),
    columns("one column constant", [0.1, 0.1, 0.1], [1, 2, 3], [1, 1, 2]),
    columns("one pair", [1], [2], [3]),
    columns("two pairs", [0.25, 0.75], [0, 1], [1, 1]),
])
