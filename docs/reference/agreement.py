"""Reference values of agreement among raters and of verdicts made out of theirs. Writes values/krippendorffAlpha.json,
values/dawidSkene.json and values/majority.json.

    python3 docs/reference/agreement.py

Needs krippendorff and crowd-kit as well as the other libraries. All data are made here from fixed seeds. A rating of -1 is missing.
Dawid-Skene runs for 600 rounds regardless of its tolerance, so that the end of the iteration is compared and not its stop.
"""
import warnings

import krippendorff
import numpy as np
import pandas as pd
from crowdkit.aggregation import DawidSkene, MajorityVote

from reference import write

warnings.filterwarnings("ignore")


def rated(seed, units, right, labels, missing, prior=None):
    """Ratings of units x raters, who are right as often as `right` says and otherwise say any other label."""
    generator = np.random.default_rng(seed)
    truth = generator.choice(labels, units, p=prior)
    ratings = []
    for share in right:
        wrong = (truth + generator.integers(1, labels, units)) % labels
        own = np.where(generator.random(units) < share, truth, wrong)
        own[generator.random(units) < missing] = -1
        ratings.append(own)
    return np.array(ratings).T


def alpha(ratings, labels):
    counts = np.array([[(row == label).sum() for label in range(labels)] for row in ratings])
    kinds = (counts[counts.sum(axis=1) > 1].sum(axis=0) > 0).sum()
    return krippendorff.alpha(value_counts=counts, level_of_measurement="nominal") if kinds > 1 else np.nan


def weighted(name, ratings, labels, seed):
    weights = np.random.default_rng(seed).integers(0, 4, len(ratings))
    return {"name": name, "labels": labels, "ratings": ratings, "weights": weights,
            "expected": alpha(ratings, labels), "weighted": alpha(np.repeat(ratings, weights, axis=0), labels)}


def aggregated(name, ratings, labels, method):
    """What a method makes of the rated units. A label that no one gives has probability 0: crowd-kit has no column for it."""
    ratings = ratings[(ratings >= 0).any(axis=1)]
    rows = [(task, worker, label) for task, row in enumerate(ratings) for worker, label in enumerate(row) if label >= 0]
    fitted = method.fit(pd.DataFrame(rows, columns=["task", "worker", "label"]))
    probabilities = fitted.probas_.reindex(index=range(len(ratings)), columns=range(labels), fill_value=0)
    return {"name": name, "labels": labels, "ratings": ratings, "verdicts": fitted.labels_.reindex(range(len(ratings))).tolist(),
            "probabilities": np.round(probabilities.to_numpy(), 12)}


def dawid_skene(name, ratings, labels):
    # With one answer a unit every step gives the same again. Rounding errors leave that point in some hundred further rounds.
    tolerance = 1e-9 if name == "one answer a unit at most" else -np.inf
    return aggregated(name, ratings, labels, DawidSkene(n_iter=600, tol=tolerance))


sets = {
    "two labels, two raters": (rated(1, 60, [0.8, 0.7], 2, 0), 2),
    "two labels, five raters, missing": (rated(2, 120, [0.9, 0.8, 0.7, 0.65, 0.6], 2, 0.25), 2),
    "four labels, three raters, missing": (rated(3, 200, [0.9, 0.8, 0.7], 4, 0.1), 4),
    "six labels, seven raters, rare ones": (rated(4, 150, [0.75] * 7, 6, 0.4, [0.6, 0.2, 0.1, 0.05, 0.03, 0.02]), 6),
    "all agree": (np.repeat(rated(5, 20, [1], 3, 0), 3, axis=1), 3),
    "no more than chance": (rated(6, 300, [0.5, 0.5, 0.5], 2, 0), 2),
}
further = {"one label only": (np.zeros((5, 3), dtype=int), 2), "nothing to pair": (np.array([[0, -1], [-1, 1], [-1, -1]]), 2),
           "one rater": (rated(7, 12, [0.8], 2, 0), 2), "one unit": (np.array([[0, 1, 1]]), 2),
           "every unit a tie": (np.array([[0, 1], [1, 0], [0, 1], [1, 0]]), 2),
           "a rater without ratings, a unit without any": (np.array([[0, 0, -1], [1, 0, -1], [-1, -1, -1], [1, 1, -1]]), 2),
           "a label that one rater gave once": (np.array([[0, 0, 0], [0, 0, 0], [1, 1, 2], [1, 1, 1]]), 3)}
edges = {name: further[name] for name in ["one label only", "one rater", "one unit", "every unit a tie",
                                         "a rater without ratings, a unit without any", "a label that one rater gave once"]}
edges["a label that nobody gives"] = (rated(8, 200, [0.9, 0.85, 0.8], 2, 0.1), 3)
edges["one answer a unit at most"] = (np.where(np.eye(3, dtype=bool)[np.arange(30) % 3], rated(9, 30, [0.9, 0.8, 0.7], 2, 0), -1), 2)
write("krippendorffAlpha", "agreement.py", ["numpy", "krippendorff"],
      [weighted(name, *given, seed) for seed, (name, given) in enumerate((sets | further).items())])
write("dawidSkene", "agreement.py", ["numpy", "pandas", "crowd-kit"],
      [dawid_skene(name, *(sets | edges)[name]) for name in [*list(sets)[1:5], *edges]])
write("majority", "agreement.py", ["numpy", "pandas", "crowd-kit"],
      [aggregated(name, *given, MajorityVote()) for name, given in (sets | edges).items()])
