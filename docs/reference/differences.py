"""Reference values of paired differences and of the corrected best arm. Writes values/differences.json and values/bestOf.json.

    python3 docs/reference/differences.py

All data are made here from fixed seeds. Differences are of two arms over the cases of which both have the measure: a prediction of
-1 is a trial without a verdict, wrong in accuracy and in no other measure. The best arm is corrected by brute force: every
resample of three times as many draws as cases chooses its best among all arms, and tries it on the cases that it did not draw.
"""
import numpy as np
from sklearn import metrics

from reference import miscalibration, write


def made(seed, n, times, labels, failing):
    """Two arms whose beliefs follow the truth, tried equally often on the same cases."""
    generator = np.random.default_rng(seed)
    truth = np.repeat(generator.integers(0, labels, n), times)
    hard = np.repeat(generator.normal(size=n), times)
    arms = []
    for strength in (1.2, 0.6):
        scores = generator.normal(size=(n * times, labels)) + 0.5 * hard[:, None] * generator.normal(size=(1, labels))
        scores[np.arange(n * times), truth] += strength
        belief = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
        prediction = belief.argmax(axis=1)
        prediction[generator.random(n * times) < failing] = -1
        arms.append((prediction, belief))
    return truth, np.repeat(np.arange(n), times), arms


def measures(truth, case, prediction, belief, weight_of):
    """Each case weighs the same, however many of its trials count; the area under the curve and miscalibration are over single trials."""
    def shares(rows):
        return 1 / np.bincount(case[rows], minlength=case.max() + 1)[case[rows]]
    labels = belief.shape[1]
    every = np.flatnonzero(weight_of["accuracy"])
    some = np.flatnonzero(weight_of["decided"] & (prediction >= 0))
    found = {"accuracy": metrics.accuracy_score(truth[every], prediction[every], sample_weight=shares(every)),
             "macro_f1": metrics.f1_score(truth[some], prediction[some], labels=range(labels), average="macro", zero_division=0,
                                          sample_weight=shares(some)),
             "brier": metrics.brier_score_loss(truth[some], belief[some], labels=list(range(labels)), scale_by_half=True,
                                               sample_weight=shares(some)),
             "log_loss": metrics.log_loss(truth[some], belief[some], labels=list(range(labels)), sample_weight=shares(some))}
    score = belief[some]
    found["area_under_curve"] = metrics.roc_auc_score(truth[some], score[:, -1] if labels == 2 else score, multi_class="ovr")
    parts = [miscalibration(truth[some] == label, score[:, label]) for label in range(labels)]
    found["miscalibration"] = sum(parts) / 2
    return found


sets = []
for name, seed, n, times, labels, failing in (("two labels", 1, 60, 1, 2, 0), ("two labels, failures", 2, 80, 1, 2, 0.15),
                                              ("two labels, failures, three replicates", 3, 40, 3, 2, 0.1),
                                              ("four labels, failures", 4, 90, 1, 4, 0.1)):
    truth, case, arms = made(seed, n, times, labels, failing)
    decided = [np.isin(case, case[prediction >= 0]) for prediction, _ in arms]
    both = {"accuracy": np.ones(len(case), dtype=bool), "decided": decided[0] & decided[1]}
    a, b = (measures(truth, case, *arm, both) for arm in arms)
    sets.append({"name": name, "labels": labels, "case": case, "truth": truth,
                 "a": {"prediction": arms[0][0], "belief": arms[0][1]}, "b": {"prediction": arms[1][0], "belief": arms[1][1]},
                 "expected": {key: {"a": a[key], "b": b[key], "difference": a[key] - b[key]} for key in a}})
write("differences", "differences.py", ["numpy", "scikit-learn"], sets)


def best_of(correct, seed, resamples=40_000, draws=3):
    generator = np.random.default_rng(seed)
    arms, cases = correct.shape
    value = correct.mean(axis=1)
    best = value.argmax()
    falls, excess = [], []
    for _ in range(resamples):
        times = np.bincount(generator.integers(0, cases, draws * cases), minlength=cases)
        drawn = correct @ times / times.sum()
        left = times == 0
        if left.any():
            falls.append(drawn.max() - correct[drawn.argmax(), left].mean())
        excess.append((correct[:, generator.integers(0, cases, cases)].mean(axis=1) - value).max())
    corrected = min(value[best], max(0, value[best] - np.mean(falls) / np.sqrt(1 + 1 / draws)))
    return {"place": best, "value": value[best], "corrected": corrected,
            "low": min(corrected, max(0, value[best] - np.quantile(excess, 0.975)))}


sets = []
for name, seed, truths, cases in (("two arms", 11, [0.6, 0.6], 80), ("eight equal arms", 12, [0.6] * 8, 120),
                                  ("one of five clearly better", 13, [0.8, 0.6, 0.6, 0.6, 0.6], 150)):
    generator = np.random.default_rng(seed)
    hard = generator.random(cases) - 0.5
    correct = np.array([(generator.random(cases) < truth + hard / 2).astype(float) for truth in truths])
    sets.append({"name": name, "correct": correct.astype(int), "expected": best_of(correct, seed)})
write("bestOf", "differences.py", ["numpy"], sets)
