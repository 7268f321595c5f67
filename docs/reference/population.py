"""Reference values of measures of a population: by sampling weights, and at another prevalence. Writes values/population.json.

    python3 docs/reference/population.py

All data are made here from fixed seeds. A prediction of -1 is a trial without a verdict. `weighted` has the measures with
`sample_weight`; over `all` a trial without a verdict is wrong. `at` has those at a prevalence: truly positive cases together
weigh the prevalence and all others the rest, over the decided.
"""
import numpy as np
from sklearn.metrics import accuracy_score, precision_score, recall_score

from reference import write


def weighted(truth, prediction, weight):
    decided = prediction >= 0
    t, p, w = truth[decided], prediction[decided], weight[decided]
    return {
        "accuracy_all": np.average((truth == prediction).astype(float), weights=weight),
        "accuracy_decided": accuracy_score(t, p, sample_weight=w),
        "selection_rate": np.average(p, weights=w),
        "true_positive_rate": recall_score(t, p, sample_weight=w),
        "false_positive_rate": 1 - recall_score(t, p, pos_label=0, sample_weight=w),
        "positive_predictive_value": precision_score(t, p, sample_weight=w),
    }


def at(truth, prediction, prevalence):
    decided = prediction >= 0
    t, p = truth[decided], prediction[decided]
    w = np.where(t == 1, prevalence / (t == 1).sum(), (1 - prevalence) / (t == 0).sum())
    return {
        "prevalence": prevalence,
        "positive_predictive_value": precision_score(t, p, sample_weight=w),
        "negative_predictive_value": precision_score(t, p, pos_label=0, sample_weight=w),
        "accuracy": accuracy_score(t, p, sample_weight=w),
    }


sets = []
for name, seed, n, failing in (("no failures", 1, 60, 0), ("failures", 2, 250, 0.1)):
    generator = np.random.default_rng(seed)
    truth = (generator.random(n) < 0.4).astype(int)
    prediction = np.where(generator.random(n) < 0.75, truth, 1 - truth)
    prediction[generator.random(n) < failing] = -1
    weight = np.round(generator.lognormal(5, 1, n), 3)
    sets.append({"name": name, "truth": truth, "prediction": prediction, "weight": weight,
                 "weighted": weighted(truth, prediction, weight), "at": [at(truth, prediction, p) for p in (0.02, 0.4, 0.95)]})
write("population", "population.py", ["numpy", "scikit-learn"], sets)
