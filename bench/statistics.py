"""The reference of bench/statistics.ts: the measures of the same report with numpy, as many resamples, and plain: the weights of
some resamples at a time, sums over cases as one product of matrices, and ranks by sorting once. BCa as in scipy, the jackknife by
subtracting each case from the sums, or of 500 groups for measures of ranks. Prints seconds of the processor and memory:

python3 bench/statistics.py [CASES ...]
"""
import itertools, resource, sys, time

import numpy as np
from scipy.special import ndtr, ndtri
from scipy.stats import binomtest, wilcoxon

ARMS, RESAMPLES, BATCH, GROUPS = 4, 2000, 50, 500


def weights(rng, resamples, cases, draws=1):
    for start in range(0, resamples, BATCH):
        rows = min(BATCH, resamples - start)
        drawn = rng.integers(0, cases, (rows, draws * cases)) + np.arange(rows)[:, None] * cases
        yield np.bincount(drawn.ravel(), minlength=rows * cases).reshape(rows, cases).astype(float)


def area(score, positive):
    """Distinct scores."""
    order = np.argsort(score)
    positive = positive[order]

    def at(w):
        w = w[:, order]
        negative = w * ~positive
        below = np.cumsum(negative, axis=1) - negative / 2
        won = (w * positive * below).sum(axis=1)
        return won / ((w * positive).sum(axis=1) * negative.sum(axis=1))

    return at


def spearman(score, right):
    order = np.argsort(score)
    right = right[order]

    def at(w):
        w = w[:, order]
        n = w.sum(axis=1, keepdims=True)
        a = 2 * np.cumsum(w, axis=1) - w - n
        low = (w * ~right).sum(axis=1, keepdims=True)
        b = np.where(right, low, low - n)
        return (w * a * b).sum(axis=1) / np.sqrt((w * a * a).sum(axis=1) * (w * b * b).sum(axis=1))

    return at


def ratio(part, whole):
    with np.errstate(all="ignore"):
        return part / whole


def kappa_mcc(tn, fp, fn, tp):
    n = tn + fp + fn + tp
    agreed, chance = (tp + tn) / n, ((tn + fp) * (tn + fn) + (tp + fn) * (tp + fp)) / n**2
    mcc = (tp * tn - fp * fn) / np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    return [(agreed - chance) / (1 - chance), mcc, (tp / (tp + fn) + tn / (tn + fp)) / 2]


def rates(tn, fp, fn, tp):
    n = tn + fp + fn + tp
    f1 = [ratio(2 * tp, 2 * tp + fp + fn), ratio(2 * tn, 2 * tn + fp + fn)]
    return [ratio(tp + tn, n), ratio(tp, tp + fp), ratio(tp, tp + fn), f1[0], ratio(tn, tn + fn), ratio(tn, tn + fp), f1[1], (f1[0] + f1[1]) / 2]


def cells(truth, predicted):
    return [~truth & ~predicted, ~truth & predicted, truth & ~predicted, truth & predicted]


def arm_sums(arm, truth, sex):
    """Columns to sum, and the measures of the sums."""
    x, right = arm["confidence"], arm["predicted"] == truth
    columns = [*cells(truth, arm["predicted"]), arm["brier"], arm["log_loss"], x, x * x, right, x * right]
    for group in (False, True):
        columns += [cell & (sex == group) for cell in cells(truth, arm["predicted"])]

    def measures(sums):
        tn, fp, fn, tp, brier, loss, sx, sxx, sy, sxy = sums[:10]
        n = tn + fp + fn + tp
        pearson = (n * sxy - sx * sy) / np.sqrt((n * sxx - sx * sx) * (n * sy - sy * sy))
        spreads = []
        for over in range(2):  # of the decided, and of all
            by = [[ratio(g[1] + g[3], sum(g)), ratio(g[3], g[3] + g[2]), ratio(g[1], g[1] + g[0])] for g in (sums[10:14], sums[14:18])]
            gaps = [abs(one - other) for one, other in zip(*by)]
            ratios = [ratio(np.minimum(one, other), np.maximum(one, other)) for one, other in zip(*by)]
            spreads += [gaps[0], ratios[0], np.maximum(gaps[1], gaps[2]), np.minimum(ratios[1], ratios[2])]
        groups = [rate for g in (sums[10:14], sums[14:18]) for rate in rates(*g)]
        return [*rates(tn, fp, fn, tp), *kappa_mcc(tn, fp, fn, tp), brier / n, loss / n, pearson, *spreads, *groups]

    return np.array(columns, dtype=float).T, measures


def bca(value, replicates, jackknife, level=0.95):
    with np.errstate(all="ignore"):
        share = ((replicates < value).mean() + (replicates <= value).mean()) / 2
        d = jackknife.mean() - jackknife
        a = (d**3).sum() / (6 * (d**2).sum() ** 1.5)
        z0, z = ndtri(share), ndtri((1 - level) / 2)
        ends = ndtr(z0 + (z0 + np.array([z, -z])) / (1 - a * (z0 + np.array([z, -z]))))
    return np.quantile(replicates, np.nan_to_num(ends, nan=0.5))


def groups_left_out(rng, cases, at):
    order = rng.permutation(cases)
    found = []
    for start in range(0, GROUPS, BATCH):
        w = np.ones((BATCH, cases))
        for row in range(BATCH):
            w[row, order[start + row :: GROUPS]] = 0
        found.append(at(w))
    return np.concatenate(found)


def arm_report(arm, truth, sex, rng):
    cases = len(truth)
    columns, measures = arm_sums(arm, truth, sex)
    ranked = [area(arm["share"], truth), spearman(arm["confidence"], arm["predicted"] == truth)]
    drawn, by_rank = [], []
    for w in weights(rng, RESAMPLES, cases):
        drawn.append(w @ columns)
        by_rank.append([at(w) for at in ranked])
    total = columns.sum(axis=0)
    sums, left = np.concatenate(drawn), total - columns
    intervals = [bca(*each) for each in zip(measures(total), measures(sums.T), measures(left.T))]
    for place, at in enumerate(ranked):
        replicates = np.concatenate([batch[place] for batch in by_rank])
        intervals.append(bca(at(np.ones((1, cases)))[0], replicates, groups_left_out(rng, cases, at)))
    return intervals


def compare(arms, truth, rng):
    """Paired differences of accuracy, macro-F1, Brier score, log loss and area, with both tests."""
    cases = len(truth)
    columns = np.array([c for arm in arms for c in [*cells(truth, arm["predicted"]), arm["brier"], arm["log_loss"]]], dtype=float).T
    areas = [area(arm["share"], truth) for arm in arms]

    def measures(sums):
        found = []
        for place in range(len(arms)):
            tn, fp, fn, tp, brier, loss = sums[6 * place : 6 * place + 6]
            rate = rates(tn, fp, fn, tp)
            n = tn + fp + fn + tp
            found.append([rate[0], rate[7], brier / n, loss / n])
        return found

    drawn, by_rank = [], []
    for w in weights(rng, RESAMPLES, cases):
        drawn.append(w @ columns)
        by_rank.append([at(w) for at in areas])
    total = columns.sum(axis=0)
    value, replicates, left = measures(total), measures(np.concatenate(drawn).T), measures((total - columns).T)
    for place, at in enumerate(areas):
        value[place].append(at(np.ones((1, cases)))[0])
        replicates[place].append(np.concatenate([batch[place] for batch in by_rank]))
        left[place].append(groups_left_out(np.random.default_rng(0), cases, at))
    intervals = []
    for one, other in itertools.combinations(range(len(arms)), 2):
        for of in range(5):
            intervals.append(bca(value[one][of] - value[other][of], replicates[one][of] - replicates[other][of], left[one][of] - left[other][of]))
        right = [arms[place]["predicted"] == truth for place in (one, other)]
        only = [int((right[0] & ~right[1]).sum()), int((right[1] & ~right[0]).sum())]
        intervals.append(binomtest(only[0], sum(only)).pvalue)
        intervals.append(wilcoxon(arms[other]["brier"] - arms[one]["brier"], method="approx").pvalue)
    return intervals


def best_of(arms, truth, rng):
    right = np.array([arm["predicted"] == truth for arm in arms], dtype=float).T
    observed, falls, excess = right.mean(axis=0), [], []
    for w in weights(rng, RESAMPLES, len(truth), 3):
        found = w @ right / w.sum(axis=1, keepdims=True)
        left = w == 0
        tried = left @ right / left.sum(axis=1, keepdims=True)
        chosen = found.argmax(axis=1)
        falls.append(found.max(axis=1) - tried[np.arange(len(w)), chosen])
    for w in weights(rng, RESAMPLES, len(truth)):
        excess.append((w @ right / len(truth) - observed).max(axis=1))
    return observed.max() - np.concatenate(falls).mean() / np.sqrt(4 / 3), np.quantile(np.concatenate(excess), 0.975)


def report(cases):
    rng = np.random.default_rng(1)
    truth = rng.random(cases) < 0.4
    sex = np.arange(cases) % 2 == 0
    arms = []
    for place in range(ARMS):
        share = np.clip(np.where(truth, 0.6, 0.4) + (rng.random(cases) - 0.5) * (0.8 + place / 10), 0.001, 0.999)
        right = np.where(truth, share, 1 - share)
        arms.append({"share": share, "predicted": share >= 0.5, "confidence": np.maximum(share, 1 - share), "brier": (1 - right) ** 2, "log_loss": -np.log(right)})
    return [[arm_report(arm, truth, sex, rng) for arm in arms], compare(arms, truth, rng), best_of(arms, truth, rng)]


def processor():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


for cases in [int(size) for size in sys.argv[1:]] or [5_000, 25_000, 100_000]:
    before = processor()
    report(cases)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"numpy {np.__version__}: {ARMS} arms x {cases} cases, {RESAMPLES} resamples: {processor() - before:.1f} s of the processor, {memory:.0f} MiB", flush=True)
