"""Reference values of the inference statistics. Writes values/specialFunctions.json, bcaIntervals.json, bootstrap.json,
mcnemar.json, wilcoxon.json, signFlip.json, benjaminiHochberg.json, and mcnemarPower.json.

    python3 docs/reference/inference.py

All data are made here from fixed seeds; a null is "undefined". The power of McNemar's exact test has no counterpart in
these libraries: `exact_power` enumerates every outcome with scipy.stats.binom. The exact distribution of tied ranks is
scipy.stats.permutation_test up to 13 differences (it then goes through all sign patterns); beyond, scipy has none, and
`tied_exact` multiplies the polynomials prod(1 + x^rank) with numpy.
"""
import warnings

import numpy as np
from scipy import optimize, special, stats
from sklearn import metrics
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from reference import settled, write

warnings.filterwarnings("ignore")
SCIPY = ["numpy", "scipy"]


# Special functions over wide grids: rows of arguments and value.

def special_functions():
    normal = [[x, special.ndtr(x)] for x in np.linspace(-37, 9, 185)]
    binomial = []
    for n in (1, 2, 5, 17, 100, 1000, 20_000, 100_000):
        for p in (1e-6, 0.01, 0.3, 0.5, 0.9, 0.999):
            spread = np.array([-30, -6, -2, 0, 2, 6]) * np.sqrt(n * p * (1 - p))
            for k in sorted({int(np.clip(round(n * p + away), 0, n - 1)) for away in spread}):
                # bdtr goes through 1 - p, which has no digits to spare for a small p: the upper incomplete beta has.
                binomial.append([k, n, p, special.betaincc(k + 1, n - k, p)])
    return [{"name": "normalCdf", "rows": normal}, {"name": "binomialCdf", "rows": binomial}]


# BCa: statistics of columns of cases, with the axis that scipy wants.

def mean(score, axis=-1):
    return np.mean(score, axis=axis)


def f1(truth, prediction, axis=-1):
    hits = np.sum(truth * prediction, axis=axis)
    return 2 * hits / (np.sum(truth, axis=axis) + np.sum(prediction, axis=axis))


def f1_difference(truth, first, second, axis=-1):
    return f1(truth, first, axis=axis) - f1(truth, second, axis=axis)


def arms(seed, n, base, right):
    """Truths, two arms' predictions that err partly on the same cases, and a skewed score from 0 to 1."""
    generator = np.random.default_rng(seed)
    truth = (generator.random(n) < base).astype(int)
    hard = generator.random(n)
    predictions = [np.where(0.6 * hard + 0.4 * generator.random(n) < each, truth, 1 - truth) for each in right]
    return {"truth": truth, "first": predictions[0], "second": predictions[1], "score": np.round(generator.beta(0.7, 2, n), 4)}


STATISTICS = {"mean": (mean, ["score"]), "f1": (f1, ["truth", "first"]),
              "f1Difference": (f1_difference, ["truth", "first", "second"])}


def scipy_bootstrap(data, name, resamples, level, **options):
    statistic, columns = STATISTICS[name]
    return stats.bootstrap([data[column] for column in columns], statistic, paired=True, n_resamples=resamples,
                           confidence_level=level, method="BCa", batch=500, rng=np.random.default_rng(5), **options)


def bca_intervals():
    """The interval from given replicates and jackknife values: no chance is left, so the values agree to rounding."""
    sets = []
    for seed, n, name, level in ((1, 30, "mean", 0.95), (2, 60, "f1", 0.9), (3, 45, "f1Difference", 0.95), (4, 12, "mean", 0.99)):
        data = arms(seed, n, 0.5, (0.75, 0.6))
        result = scipy_bootstrap(data, name, 400, level)
        statistic, columns = STATISTICS[name]
        values = [data[column] for column in columns]
        jackknife = [statistic(*[np.delete(column, index) for column in values]) for index in range(n)]
        sets.append({"name": name, "cases": n, "level": level, "value": statistic(*values), "jackknife": jackknife,
                     "replicates": np.sort(result.bootstrap_distribution),
                     "expected": {"low": result.confidence_interval.low, "high": result.confidence_interval.high}})
    return sets


def bootstraps():
    """Intervals from scipy's own resamples, as many as ours."""
    sets = []
    for seed, n, resamples, base in ((11, 30, 200_000, 0.5), (12, 200, 50_000, 0.3), (13, 2000, 10_000, 0.2)):
        data = arms(seed, n, base, (0.75, 0.6))
        assert abs(f1(data["truth"], data["first"]) - metrics.f1_score(data["truth"], data["first"])) < 1e-12
        expected = {}
        for name, (statistic, columns) in STATISTICS.items():
            interval = scipy_bootstrap(data, name, resamples, 0.95).confidence_interval
            expected[name] = {"value": statistic(*[data[column] for column in columns]),
                              "low": interval.low, "high": interval.high}
        sets.append({"cases": n, "resamples": resamples, "level": 0.95, **data, "expected": expected})
    return sets


# Paired tests.

def mid_p(b, c):
    """Probability of outcomes less likely than the observed one, and half of that of those as likely."""
    if b + c == 0:
        return 1.0
    chances = stats.binom.pmf(np.arange(b + c + 1), b + c, 0.5)
    observed = chances[b]
    alike = np.isclose(chances, observed, rtol=1e-9, atol=0)
    return chances[(chances < observed) & ~alike].sum() + chances[alike].sum() / 2


def mcnemar_sets():
    counts = [(0, 0), (1, 0), (0, 1), (1, 5), (6, 0), (7, 7), (10, 25), (25, 10), (8, 9), (60, 40), (512, 590), (3000, 3200)]
    return [{"onlyFirst": b, "onlySecond": c,
             "expected": {"p": mcnemar([[0, b], [c, 0]], exact=True).pvalue if b + c else 1.0, "midP": mid_p(b, c)}}
            for b, c in counts]


def signed_ranks(differences):
    """Differences that are not 0, with the ranks of their sizes; both up to rounding."""
    sizes = settled(np.append(np.abs(differences), 0.0))[:-1]
    return differences[sizes > 0], stats.rankdata(sizes[sizes > 0])


def tied_exact(differences):
    kept, ranks = signed_ranks(differences)
    doubled = np.round(2 * ranks).astype(int)
    patterns = np.array([1.0])
    for rank in doubled:
        factor = np.zeros(rank + 1)
        factor[[0, rank]] = 1
        patterns = np.convolve(patterns, factor)
    smaller = min(doubled[kept > 0].sum(), doubled[kept < 0].sum())
    return min(1.0, 2 * np.round(patterns)[: smaller + 1].sum() / 2.0 ** len(kept))


def wilcoxon_sets():
    generator = np.random.default_rng(21)
    data = {
        "ten, no ties": np.round(generator.normal(0.3, 1, 10), 6),
        "thirty, no ties": np.round(generator.normal(0.2, 1, 30), 6),
        "fifty, no ties": np.round(generator.normal(0.3, 1, 50), 6),
        "one": np.array([0.4]),
        "ties and zeros, twelve": generator.integers(-3, 5, 12).astype(float),
        "ties and zeros, forty": generator.integers(-3, 4, 40).astype(float),
        "all equal": np.full(8, 0.5),
        "equal sums": np.array([-2.0, 2.0, -5.0, 5.0]),
        "ninety, no ties": np.round(generator.normal(0.2, 1, 90), 6),
        "ties and zeros, two hundred": generator.integers(-3, 5, 200).astype(float),
        "all equal, sixty": np.full(60, -0.25),
        "differences of tenths, forty": generator.integers(0, 11, 40) / 10 - generator.integers(0, 11, 40) / 10,
        "differences of tenths, two hundred": generator.integers(0, 11, 200) / 10 - generator.integers(0, 10, 200) / 10 - 0.1,
        "nothing but zeros": np.zeros(5),
    }
    sets = []
    for name, differences in data.items():
        kept, ranks = signed_ranks(differences)
        if len(kept) == 0:
            sets.append({"name": name, "differences": differences, "expected": None})
            continue
        signed = np.sign(kept) * settled(np.abs(kept))
        normal = stats.wilcoxon(signed, method="asymptotic", correction=False)
        exact = None
        if len(kept) <= 50:
            exact = tied_exact(differences)
            if len(set(ranks)) == len(ranks) and len(kept) == len(differences):
                assert abs(exact - stats.wilcoxon(differences, method="auto").pvalue) < 1e-12
            elif len(kept) <= 13:
                assert abs(exact - stats.wilcoxon(signed, method=stats.PermutationMethod()).pvalue) < 1e-12
        sets.append({"name": name, "differences": differences,
                     "expected": {"n": len(kept), "statistic": normal.statistic, "exact": exact, "normal": normal.pvalue}})
    return sets


def sign_flip_sets():
    """Differences in whole units. Up to 12 scipy goes through all sign patterns; beyond, polynomials are multiplied."""
    generator = np.random.default_rng(25)
    data = {
        "thirds, twelve": generator.integers(-3, 4, 12),
        "fifths, ten": generator.integers(-5, 6, 10),
        "ones, twelve": generator.integers(-1, 2, 12),
        "twos, eight": 2 * generator.integers(-1, 2, 8),
        "one": np.array([2]),
        "equal sums": np.array([-2, 2, -5, 5]),
        "nothing but zeros": np.zeros(4, dtype=int),
        "thirds, two hundred": generator.integers(-3, 5, 200),
        "sixths, three hundred": generator.integers(-6, 7, 300),
    }
    sets = []
    for name, differences in data.items():
        kept = np.abs(differences[differences != 0])
        row = np.array([1.0])
        for size in kept:
            longer = np.zeros(len(row) + size)
            longer[: len(row)] += row / 2
            longer[size:] += row / 2
            row = longer
        positive = differences[differences > 0].sum()
        p = min(1.0, 2 * row[: min(positive, kept.sum() - positive) + 1].sum())
        if 1 < len(differences) <= 12:
            tested = stats.permutation_test((differences.astype(float),), np.sum, permutation_type="samples", n_resamples=10**6)
            assert abs(p - min(1.0, tested.pvalue)) < 1e-12
        sets.append({"name": name, "differences": differences, "expected": {"p": p}})
    return sets


def hochberg_sets():
    generator = np.random.default_rng(41)
    data = [("uniform", generator.random(12)),
            ("some small", np.concatenate([generator.random(5) / 500, generator.random(30)])),
            ("ties", np.round(generator.random(25), 1)), ("some missing", np.array([0.01, np.nan, 0.04, np.nan, 0.03])),
            ("one", np.array([0.2])), ("edges", np.array([0.0, 1.0, 1.0])), ("all missing", np.array([np.nan])),
            ("none", np.array([]))]
    sets = []
    for name, values in data:
        adjusted = np.full(len(values), np.nan)
        given = ~np.isnan(values)
        if given.any():
            adjusted[given] = multipletests(values[given], method="fdr_bh")[1]
        sets.append({"name": name, "pValues": values, "expected": adjusted})
    return sets


# Power of McNemar's exact test, by every outcome.

def exact_power(cases, discordance, difference, alpha):
    total = 0.0
    for m in range(cases + 1):
        if m == 0:
            continue
        x = np.arange(m + 1)
        p = np.minimum(1, 2 * stats.binom.cdf(np.minimum(x, m - x), m, 0.5))
        only_first = (discordance + difference) / (2 * discordance)
        total += stats.binom.pmf(m, cases, discordance) * stats.binom.pmf(x, m, only_first)[p <= alpha].sum()
    return total


def power_sets():
    sets = []
    designs = ((20, 0.3, 0.2, 0.05), (100, 0.25, 0.15, 0.05), (300, 0.2, -0.08, 0.05), (150, 0.4, 0.0, 0.05),
               (60, 1.0, 0.4, 0.01), (6, 1.0, 1.0, 0.05), (3, 0.5, 0.5, 0.05))
    for cases, discordance, difference, alpha in designs:
        power = exact_power(cases, discordance, difference, alpha)
        detectable = np.nan
        if exact_power(cases, discordance, discordance, alpha) >= 0.8:
            detectable = optimize.brentq(lambda d: exact_power(cases, discordance, d, alpha) - 0.8, 0, discordance, xtol=1e-11)
        sets.append({"cases": cases, "discordance": discordance, "difference": difference, "alpha": alpha,
                     "expected": {"power": power, "detectable": detectable}})
    return sets


if __name__ == "__main__":
    write("specialFunctions", "inference.py", SCIPY, special_functions())
    write("bcaIntervals", "inference.py", SCIPY, bca_intervals())
    write("bootstrap", "inference.py", [*SCIPY, "scikit-learn"], bootstraps())
    write("mcnemar", "inference.py", [*SCIPY, "statsmodels"], mcnemar_sets())
    write("wilcoxon", "inference.py", SCIPY, wilcoxon_sets())
    write("signFlip", "inference.py", SCIPY, sign_flip_sets())
    write("benjaminiHochberg", "inference.py", [*SCIPY, "statsmodels"], hochberg_sets())
    write("mcnemarPower", "inference.py", SCIPY, power_sets())
