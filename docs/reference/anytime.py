"""Confidence sequences by betting, computed plainly: every candidate mean, every step, capital as a running product."""
import numpy as np

from statsmodels.stats.weightstats import DescrStatsW, ttost_paired

from reference import write

ALPHA = 0.05


def hedged(values, alpha, grid):
    """Waudby-Smith and Ramdas 2024, theorem 3: ends of the running intersection after each value, theta = 1/2, c = 1/2."""
    x = (np.asarray(values) + 1) / 2
    t = np.arange(1, len(x) + 1)
    mu = (0.5 + np.cumsum(x)) / (t + 1)
    sigma2 = (0.25 + np.cumsum((x - mu) ** 2)) / (t + 1)
    before = np.concatenate([[0.25], sigma2[:-1]])
    bets = np.sqrt(2 * np.log(2 / alpha) / (before * t * np.log(1 + t)))
    m = ((grid + 1) / 2)[:, None]
    with np.errstate(divide="ignore"):
        up = np.cumprod(1 + np.minimum(bets, 0.5 / m) * (x - m), axis=1)
        down = np.cumprod(1 - np.minimum(bets, 0.5 / (1 - m)) * (x - m), axis=1)
    capital = np.maximum.accumulate(np.maximum(up, down) / 2, axis=1)
    ends = []
    for step in range(len(x)):
        inside = np.flatnonzero(capital[:, step] < 1 / alpha)
        low = grid[inside[0] - 1] if inside[0] > 0 else -1.0
        high = grid[inside[-1] + 1] if inside[-1] + 1 < len(grid) else 1.0
        ends.append((low, high))
    return ends


def main():
    random = np.random.default_rng(45)
    grid = np.arange(2001) / 1000 - 1
    designs = [("no difference, one case in three differs", random.choice([-1, 0, 1], 300, p=[1 / 6, 2 / 3, 1 / 6])),
               ("10 points better", random.choice([-1, 0, 1], 400, p=[0.08, 0.74, 0.18])),
               ("three replicates", random.integers(-3, 4, 200) / 3),
               ("always better", np.ones(20)),
               ("never different", np.zeros(60))]
    sets = []
    for name, values in designs:
        ends = hedged(values, ALPHA, grid)
        sets.append({"name": name, "alpha": ALPHA, "values": values.astype(float), "low": [low for low, _ in ends], "high": [high for _, high in ends]})
    write("anytime", "anytime.py", ["numpy"], sets)


main()


def tost():
    """Equivalence and non-inferiority of paired differences, by Student's t: what a bootstrap of many cases comes near."""
    random = np.random.default_rng(46)
    sets = []
    for name, p, replicates, margin in [("close", [0.07, 0.85, 0.08], 1, 0.05), ("three replicates", [0.1, 0.78, 0.12], 3, 0.03),
                                        ("worse", [0.15, 0.8, 0.05], 1, 0.1), ("near the margin", [0.1, 0.85, 0.05], 1, 0.06)]:
        values = random.choice([-1, 0, 1], (2000, replicates), p=p).sum(axis=1)
        differences = values / replicates
        test = DescrStatsW(differences)
        both, low, high = test.ttost_mean(-margin, margin)
        interval = test.tconfint_mean(0.05)
        paired = ttost_paired(differences, np.zeros(2000), -margin, margin)[0]
        assert abs(paired - both) < 1e-12
        sets.append({"name": name, "replicates": replicates, "margin": margin, "values": values, "difference": differences.mean(),
                     "low": interval[0], "high": interval[1], "equivalence": both, "non_inferiority": low[1], "difference_p": test.ttest_mean(0)[1]})
    write("equivalence", "anytime.py", ["numpy", "statsmodels"], sets)


tost()
