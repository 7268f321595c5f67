"""Reference values of the measures by group. Writes values/fairness.json.

    python3 docs/reference/fairness.py

Needs fairlearn as well as the other libraries. All data are made here from fixed seeds. A prediction of -1 is a trial without a verdict:
`decided` leaves it out, `declined` counts it as the negative label. A null is "undefined": the reference says nan or divides 0 by 0.
"""
import warnings
from functools import partial

import numpy as np
from fairlearn import metrics
from sklearn.metrics import precision_score

from reference import write

warnings.filterwarnings("ignore")


def rates(truth, prediction, group):
    data = {"y_true": truth, "y_pred": prediction, "sensitive_features": group}
    by_group = metrics.MetricFrame(
        metrics={"selection_rate": metrics.selection_rate, "true_positive_rate": metrics.true_positive_rate,
                 "false_positive_rate": metrics.false_positive_rate, "positive_predictive_value": partial(precision_score, zero_division=np.nan)},
        **data).by_group
    highest = by_group.max()
    return {
        "demographic_parity_difference": metrics.demographic_parity_difference(**data),
        "demographic_parity_ratio": metrics.demographic_parity_ratio(**data) if highest["selection_rate"] > 0 else np.nan,
        "equalized_odds_difference": metrics.equalized_odds_difference(**data),
        "equalized_odds_ratio": metrics.equalized_odds_ratio(**data)
        if highest["true_positive_rate"] > 0 and highest["false_positive_rate"] > 0 else np.nan,
        "by_group": {name: {key: float(value) for key, value in row.items()} for name, row in by_group.to_dict("index").items()},
    }


def made(seed, n, groups, failing):
    """Groups that differ in base rate, in errors, and in how often there is no verdict."""
    generator = np.random.default_rng(seed)
    group = generator.integers(0, groups, n)
    truth = (generator.random(n) < 0.3 + 0.1 * group).astype(int)
    prediction = np.where(generator.random(n) < 0.75 - 0.05 * group, truth, 1 - truth)
    prediction[generator.random(n) < failing * (1 + group)] = -1
    return truth, prediction, np.array([f"g{place}" for place in group])


sets = []
for name, seed, n, groups, failing in (("two groups, no failures", 1, 200, 2, 0), ("two groups, failures", 2, 200, 2, 0.1),
                                       ("four groups, failures", 3, 600, 4, 0.05)):
    truth, prediction, group = made(seed, n, groups, failing)
    decided = prediction >= 0
    sets.append({"name": name, "truth": truth, "prediction": prediction, "group": list(group),
                 "expected": {"decided": rates(truth[decided], prediction[decided], group[decided]),
                              "declined": rates(truth, np.maximum(prediction, 0), group)}})
# Edges: no one selected, everyone alike, groups without a verdict or without a name, and one that is too small to say.
edges = [("nobody is selected", [0, 0, 1, 1] * 10, [0] * 40, ["a", "b"] * 20),
         ("both groups alike", [0, 0, 1, 1] * 12, [0, 0, 1, 0, 0, 1, 1, 1] * 6, ["a", "b"] * 24),
         ("a group without a verdict, one without a name", [0, 1] * 36, [0, 1, 1, 1, -1, -1] * 12, ["a", "a", "", "", "none", "none"] * 12)]
for name, truth, prediction, group in edges:
    truth, prediction, group = np.array(truth), np.array(prediction), np.array(group)
    decided = prediction >= 0
    sets.append({"name": name, "truth": truth, "prediction": prediction, "group": list(group),
                 "expected": {"decided": rates(truth[decided], prediction[decided], group[decided]),
                              "declined": rates(truth, np.maximum(prediction, 0), group)}})
write("fairness", "fairness.py", ["numpy", "scikit-learn", "fairlearn"], sets)
