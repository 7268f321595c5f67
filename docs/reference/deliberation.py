"""Reference values of the measures of deliberation: relative gain, and agreement on a bench."""
from itertools import combinations

import numpy as np
from scipy import stats

import reference

RESAMPLES = 20_000


def gain(a, b, axis=-1):
    """Relative gain of mean a over mean b."""
    mean = np.mean(b, axis=axis)
    with np.errstate(divide="ignore", invalid="ignore"):
        return (np.mean(a, axis=axis) - mean) / mean


def gains():
    sets = []
    for seed, n, repeats, rates in ((41, 40, 1, (0.7, 0.5)), (42, 120, 1, (0.55, 0.6)), (43, 60, 4, (0.8, 0.35)), (44, 12, 1, (0.4, 0.0))):
        random = np.random.default_rng(seed)
        hard = random.normal(0, 0.15, n)
        a, b = (random.binomial(repeats, np.clip(rate + hard * (rate > 0), 0, 1)) / repeats for rate in rates)
        weights = random.integers(0, 4, n)
        expected = {"value": gain(a, b), "low": np.nan, "high": np.nan}
        if b.sum() > 0:
            interval = stats.bootstrap((a, b), gain, paired=True, vectorized=True, n_resamples=RESAMPLES, method="BCa",
                                       rng=np.random.default_rng(seed + 100)).confidence_interval
            expected |= {"low": interval.low, "high": interval.high}
        else:
            expected["value"] = np.nan
        weighted = gain(np.repeat(a, weights), np.repeat(b, weights)) if np.repeat(b, weights).sum() > 0 else np.nan
        sets.append({"cases": n, "resamples": RESAMPLES, "level": 0.95, "a": a, "b": b, "weights": weights,
                     "expected": expected, "weighted": {"value": weighted}})
    return sets


def agreement(votes):
    """Share of the pairs of votes that are alike, pair by pair."""
    pairs = list(combinations(votes, 2))
    return sum(one == other for one, other in pairs) / len(pairs)


def benches():
    sets = []
    for seed, labels, voters in ((51, 2, 3), (52, 3, 5), (53, 6, 5), (54, 2, 25)):
        random = np.random.default_rng(seed)
        counts, expected = [], []
        for _ in range(20):
            votes = random.choice(labels, voters, p=random.dirichlet(np.ones(labels)))
            counts.append(np.bincount(votes, minlength=labels))
            expected.append(agreement(votes))
        sets.append({"labels": labels, "voters": voters, "counts": counts, "expected": {"agreement": expected}})
    return sets


reference.write("relativeGain", "deliberation.py", ["numpy", "scipy"], gains())
reference.write("benchAgreement", "deliberation.py", ["numpy", "scipy"], benches())
