"""Confidence sequences by betting, computed plainly: every candidate mean, every step, capital as a running product."""
import numpy as np

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
    return ends, {str(value): float(min(1, 1 / capital[np.argmin(abs(grid - value)), -1])) for value in (-0.05, 0.0, 0.05)}


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
        ends, p = hedged(values, ALPHA, grid)
        sets.append({"name": name, "alpha": ALPHA, "values": values.astype(float), "low": [low for low, _ in ends], "high": [high for _, high in ends], "p": p})
    write("anytime", "anytime.py", ["numpy"], sets)


main()
