"""Reference values of the measures of distributions. Writes values/information.json.

    python3 docs/reference/information.py

All distributions are made here from fixed seeds, but for those of the two debates that appendices 7.D and 7.E of
"SocraSynth and EVINCE" print, whose classes are named alike and whose numbers are divided by their sum.

Total variation and the mass that a maximal coupling keeps in place are solved as optimal transport, by
scipy.optimize.linprog over all joint distributions. Mutual information is scipy's divergence of the joint distribution
that `maximal_coupling` makes from the product of its margins; that it is a coupling and a maximal one is checked here.
"""
import numpy as np
from scipy import optimize, stats
from scipy.spatial import distance

from reference import write

SMOOTHING = 1e-9


def smoothed(p):
    p = np.asarray(p) + SMOOTHING
    return p / p.sum()


def transport(p, q, cost):
    n = len(p)
    rows = np.kron(np.eye(n), np.ones(n))
    columns = np.kron(np.ones(n), np.eye(n))
    found = optimize.linprog(cost.ravel(), A_eq=np.vstack([rows, columns]), b_eq=np.concatenate([p, q]), method="highs")
    assert found.status == 0
    return found.fun


def maximal_coupling(p, q):
    common = np.minimum(p, q)
    apart = 1 - common.sum()
    joint = np.diag(common)
    if apart > 1e-15:
        joint = joint + np.outer(p - common, q - common) / apart
    assert np.allclose(joint.sum(axis=1), p) and np.allclose(joint.sum(axis=0), q)
    return joint


def measures(p, q):
    p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
    p, q = p / p.sum(), q / q.sum()
    n = len(p)
    joint = maximal_coupling(p, q)
    variation = transport(p, q, 1 - np.eye(n))
    assert abs((1 - np.trace(joint)) - variation) < 1e-9
    information = stats.entropy(joint.ravel(), np.outer(p, q).ravel())
    most = max(stats.entropy(p), stats.entropy(q))
    places = np.arange(n) / (n - 1)
    return {
        "entropyFirst": stats.entropy(p),
        "entropySecond": stats.entropy(q),
        "normalisedEntropyFirst": stats.entropy(p, base=n),
        "klFirstSecond": stats.entropy(smoothed(p), smoothed(q)),
        "klSecondFirst": stats.entropy(smoothed(q), smoothed(p)),
        "crossEntropyFirstSecond": stats.entropy(smoothed(p)) + stats.entropy(smoothed(p), smoothed(q)),
        "jensenShannon": distance.jensenshannon(p, q) ** 2,
        "totalVariation": variation,
        "ordered": stats.wasserstein_distance(places, places, p, q),
        "mutualInformation": information,
        "normalisedMutualInformation": information / most,
    }


def named(*lists):
    classes = list(dict.fromkeys(name for each in lists for name in each))
    return [[each.get(name, 0) for name in classes] for each in lists]


def debates():
    dengue = {"dengue fever": 60, "chikungunya": 25, "zika virus": 15}
    viral = {"viral infection": 60, "autoimmune disease": 20, "bacterial infection": 15}
    second = {"dengue fever": 50, "chikungunya": 30, "viral infection": 20}
    third = {"dengue fever": 60, "chikungunya": 35, "zika virus": 5}
    gpt = {"hepatitis c": 40, "hepatitis b": 30, "cirrhosis": 15, "obstructive jaundice": 10, "acute liver failure": 5}
    claude = {"hepatitis b": 35, "hepatitis c": 25, "obstructive jaundice": 20, "alcoholic hepatitis": 15, "hepatitis a": 5}
    gpt_third = {"hepatitis c": 35, "hepatitis b": 25, "cirrhosis": 20, "obstructive jaundice": 15, "acute liver failure": 5}
    joint = {"hepatitis c": 35, "hepatitis b": 30, "cirrhosis": 20, "obstructive jaundice": 10, "acute liver failure": 5}
    yield "dengue, round 1", named(dengue, viral)
    yield "dengue, round 2", named(dengue, second)
    yield "dengue, round 3", named(third, third)
    yield "jaundice, round 1", named(gpt, claude)
    yield "jaundice, round 2", named(claude, gpt)
    yield "jaundice, round 3", named(gpt_third, joint)


def sets():
    pairs = list(debates())
    for seed, n, alpha in ((1, 2, 1.0), (2, 3, 0.5), (3, 5, 1.0), (4, 10, 0.3), (5, 41, 0.2), (6, 41, 5.0)):
        generator = np.random.default_rng(seed)
        pairs.append((f"{n} classes, alpha {alpha}", np.round(generator.dirichlet(np.full(n, alpha), 2) + 1e-6, 6).tolist()))
    pairs.append(("certain of different classes among 4, nearly", [[0.97, 0.01, 0.01, 0.01], [0.01, 0.01, 0.01, 0.97]]))
    for name, (first, second) in pairs:
        yield {"name": name, "first": first, "second": second, "expected": measures(first, second)}


write("information", "information.py", ["numpy", "scipy"], list(sets()))
