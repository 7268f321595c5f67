"""Reference values of recalibration, of the parts of the Brier score, of declining and of conformal sets. Writes
values/recalibration.json, values/riskCoverage.json and values/conformal.json.

    python3 docs/reference/declining.py

Needs MAPIE and uncertainty-calibration as well as the other libraries. All data are made here from fixed seeds.
"""
import sys
import warnings

sys.path.append(sys.path.pop(0))  # the library `calibration` before the script of that name
import numpy as np
import statsmodels.api as sm
from calibration.utils import unbiased_square_ce
from mapie.classification import SplitConformalClassifier
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import brier_score_loss

from reference import write

warnings.filterwarnings("ignore")
NEAREST, BINS = 0.001, 15


def fitted(result, place):
    return {"value": result.params[place], "error": result.bse[place]}


def recalibrated(belief, outcome, case):
    """Logistic regression on the logit; trials of a case weigh 1 together, and errors are over cases."""
    inside = np.clip(belief, NEAREST, 1 - NEAREST)
    x = np.log(inside / (1 - inside))
    weight = 1 / np.bincount(case)[case]
    cov = {"cov_type": "cluster", "cov_kwds": {"groups": case}, "maxiter": 200, "tol": 1e-14}
    whole = {"family": sm.families.Binomial(), "var_weights": weight}
    slope = sm.GLM(outcome, sm.add_constant(x), **whole).fit(**cov)
    large = sm.GLM(outcome, np.ones((len(x), 1)), offset=x, **whole).fit(**cov)
    if np.all(weight == weight[0]):
        logit = sm.Logit(outcome, sm.add_constant(x)).fit(cov_type="cluster", cov_kwds={"groups": case}, disp=0, tol=1e-12)
        assert np.allclose(logit.params, slope.params, atol=1e-8) and np.allclose(logit.bse, slope.bse, rtol=1e-6)
    return {"intercept": fitted(slope, 0), "slope": fitted(slope, 1), "inTheLarge": fitted(large, 0)}


def binned(belief, outcome):
    """Murphy's parts over bins of equal frequency: all beliefs differ and fill the bins, or each value is a bin."""
    values = np.unique(belief)
    if len(values) == len(belief):
        assert len(belief) % BINS == 0
        parts = np.array_split(np.argsort(belief), BINS)
    else:
        parts = [np.flatnonzero(belief == value) for value in values]
        n = len(belief)
        middles = [int(BINS * (np.sum(belief < value) + np.sum(belief <= value)) // (2 * n)) for value in values]
        assert len(set(middles)) == len(values)
    share = np.array([len(part) / len(belief) for part in parts])
    mean, rate = np.array([belief[part].mean() for part in parts]), np.array([outcome[part].mean() for part in parts])
    of_bin = np.empty(len(belief))
    for part, value in zip(parts, mean):
        of_bin[part] = value
    return {"reliability": np.sum(share * (mean - rate) ** 2), "resolution": np.sum(share * (rate - outcome.mean()) ** 2),
            "uncertainty": outcome.mean() * (1 - outcome.mean()), "binned": brier_score_loss(outcome, of_bin),
            "debiased": np.sqrt(max(0, unbiased_square_ce([list(zip(belief[part], outcome[part])) for part in parts])))}


def beliefs(seed, cases, times, slope, intercept, values=None):
    """Beliefs that a logistic curve recalibrates, over cases that differ."""
    generator = np.random.default_rng(seed)
    case = np.repeat(np.arange(cases), times if np.ndim(times) else np.full(cases, times))
    x = generator.normal(size=cases)[case] + 0.5 * generator.normal(size=len(case))
    outcome = (generator.random(cases)[case] < 1 / (1 + np.exp(-(intercept + slope * x)))).astype(int)
    belief = 1 / (1 + np.exp(-x))
    return (belief if values is None else np.array(values)[np.argmin(np.abs(belief[:, None] - np.array(values)), axis=1)]), outcome, case


def recalibration(name, belief, outcome, case):
    return {"name": name, "belief": belief, "outcome": outcome, "case": case,
            "expected": {**recalibrated(belief, outcome, case), **binned(belief, outcome)}}


def risk_coverage(confidence, right, coverages):
    """By brute force. NaN is a trial that is declined at every threshold."""
    stated = ~np.isnan(confidence)
    at = lambda threshold: stated & (confidence >= threshold)
    risks = np.array([1 - right[at(value)].mean() for value in confidence[stated]])
    n, wrong = stated.sum(), np.sum(1 - right[stated])
    best = np.cumsum(np.sort(1 - right[stated])) / np.arange(1, n + 1)
    if len(set(confidence[stated])) == n:
        ordered = 1 - right[stated][np.argsort(-confidence[stated])]
        assert abs(np.mean(np.cumsum(ordered) / np.arange(1, n + 1)) - risks.mean()) < 1e-12
    thresholds = sorted(set(confidence[stated]), reverse=True)
    accuracies = [next((right[at(each)].mean() for each in thresholds if at(each).sum() >= share * len(right) - 1e-9), np.nan)
                  for share in coverages]
    return {"area": risks.mean(), "excess": risks.mean() - best.mean(), "accuracies": accuracies, "wrong": wrong}


def declining(name, seed, n, digits, failing):
    generator = np.random.default_rng(seed)
    confidence = generator.beta(4, 2, n) if digits is None else np.round(generator.beta(4, 2, n), digits)
    right = (generator.random(n) < confidence).astype(int)
    confidence[generator.random(n) < failing] = np.nan
    right[np.isnan(confidence)] = 0
    coverages = [0.5, 0.8, 0.9, 0.95]
    return {"name": name, "confidence": confidence, "right": right, "coverages": coverages,
            "expected": risk_coverage(confidence, right, coverages)}


class Given(ClassifierMixin, BaseEstimator):
    """A classifier whose features are its probabilities."""
    def __init__(self, classes=2):
        self.classes = classes

    def fit(self, features, truth=None):
        self.classes_, self.is_fitted_ = np.arange(self.classes), True
        return self

    def predict_proba(self, features):
        return np.asarray(features)

    def predict(self, features):
        return np.argmax(features, axis=1)


def conformal(name, seed, n, classes, digits, alpha):
    generator = np.random.default_rng(seed)
    truth = generator.permutation(np.arange(2 * n) % classes)
    logits = generator.normal(size=(2 * n, classes)) + 1.2 * np.eye(classes)[truth]
    probability = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    if digits is not None:
        probability = np.round(probability, digits)
        probability[:, 0] = np.round(1 - probability[:, 1:].sum(axis=1), digits)
    model = SplitConformalClassifier(Given(classes).fit(None), confidence_level=1 - alpha, conformity_score="lac", prefit=True)
    model.conformalize(probability[:n], truth[:n])
    _, sets = model.predict_set(probability[n:])
    return {"name": name, "alpha": alpha, "calibration": probability[np.arange(n), truth[:n]], "probability": probability[n:],
            "expected": [list(np.flatnonzero(row)) for row in sets[:, :, 0]]}


FEW = [0, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 1]
UNEVEN = 1 + np.arange(60) % 4
write("recalibration", "docs/reference/declining.py", ["numpy", "scikit-learn", "statsmodels", "uncertainty-calibration"], [
    recalibration("150 cases", *beliefs(601, 150, 1, 0.6, -0.4)),
    recalibration("50 cases of three trials", *beliefs(602, 50, 3, 1.4, 0.3)),
    recalibration("60 cases of one to four trials", *beliefs(603, 60, UNEVEN, 0.8, 0.5)),
    recalibration("few stated values, some 0 and 1", *beliefs(604, 240, 1, 0.7, 0.2, FEW)),
])
write("riskCoverage", "docs/reference/declining.py", ["numpy"], [
    declining("all different", 611, 60, None, 0),
    declining("tenths", 612, 80, 1, 0),
    declining("hundredths, a tenth declined", 613, 120, 2, 0.1),
])
write("conformal", "docs/reference/declining.py", ["numpy", "scikit-learn", "MAPIE"], [
    conformal("two labels", 621, 40, 2, None, 0.1),
    conformal("two labels in tenths", 622, 50, 2, 1, 0.1),
    conformal("four labels", 623, 60, 4, None, 0.1),
    conformal("four labels, a fifth may be missed", 624, 29, 4, None, 0.2),
])
