"""Reference values of the signed-rank test over bootstrap replicates. Writes values/replicates.json.

    python3 docs/reference/replicates.py

Two arms over the same cases, and how often each case is in each of 20 replicates: accuracy and F1 of every replicate
by scikit-learn, their differences tested with scipy. `null_rate` is how often that test rejects at 5% where both arms are
right equally often by construction: 2,000 simulated experiments of 100 cases.
"""
import warnings

import numpy as np
from scipy import stats
from sklearn import metrics

from inference import arms, signed_ranks, tied_exact
from reference import write

warnings.filterwarnings("ignore")
REPLICATES = 20


def draws(generator, cases):
    return np.array([np.bincount(generator.integers(0, cases, cases), minlength=cases) for _ in range(REPLICATES)])


def tested(differences):
    differences = np.where(np.abs(differences) < 1e-12, 0, differences)
    kept, ranks = signed_ranks(differences)
    if len(kept) == 0:
        return None
    exact = tied_exact(np.round(differences, 12))
    if len(set(np.round(ranks, 6))) == len(ranks) and len(kept) == len(differences):
        assert abs(exact - stats.wilcoxon(differences, method="exact").pvalue) < 1e-9
    return {"n": len(kept), "mean": differences.mean(), "p": exact}


def sets():
    generator = np.random.default_rng(71)
    written = []
    for name, seed, cases, base, right in (("thirty cases", 3, 30, 0.4, (0.7, 0.6)), ("a hundred cases", 4, 100, 0.3, (0.8, 0.65)),
                                           ("as good as each other", 5, 200, 0.5, (0.7, 0.7))):
        data = arms(seed, cases, base, right)
        weights = draws(generator, cases)
        expected = {}
        for measure, score in (("accuracy", metrics.accuracy_score), ("f1", metrics.f1_score)):
            expected[measure] = tested(np.array([score(data["truth"], data["first"], sample_weight=each)
                                                 - score(data["truth"], data["second"], sample_weight=each) for each in weights]))
        written.append({"name": name, "truth": data["truth"], "first": data["first"], "second": data["second"],
                        "weights": weights, "expected": expected})
    return written


def null_rate(experiments=2000, cases=100, right=0.7):
    generator = np.random.default_rng(72)
    rejected = 0
    for _ in range(experiments):
        first, second = generator.random((2, cases)) < right
        difference = draws(generator, cases) @ (first.astype(float) - second) / cases
        found = stats.wilcoxon(difference, zero_method="wilcox", method="asymptotic") if np.any(difference) else None
        rejected += found is not None and found.pvalue <= 0.05
    return {"name": "nothing but chance", "experiments": experiments, "cases": cases, "rejected": rejected}


if __name__ == "__main__":
    write("replicates", "replicates.py", ["numpy", "scipy", "scikit-learn"], sets())
    write("nullReplicates", "replicates.py", ["numpy", "scipy"], [null_rate()])
