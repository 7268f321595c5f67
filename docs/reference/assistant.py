"""Reference values of the trained assistant. Writes values/assistant.json.

    python3 docs/reference/assistant.py

Four statements about each of 30 cases, with vectors of 24 numbers that lean a little to one side where the position is
right. `held` names the cases that the program holds out under seed 42, which the test checks first; scikit-learn's
logistic regression (C = 1) learns from the others, scaled to length 1, and rates the statements about these. Vectors have
the precision in which they are stored: 32-bit floats.
"""
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, roc_auc_score
from sklearn.preprocessing import normalize

from reference import write

CASES, STATEMENTS, WIDTH = 30, 4, 24
HELD = ["case 9", "case 6", "case 23", "case 27", "case 7", "case 8"]

generator = np.random.default_rng(20250)
groups = [f"case {case}" for case in range(CASES) for _ in range(STATEMENTS)]
right = [bool(generator.random() < 0.45) for _ in groups]
lean = generator.normal(size=WIDTH)
shared = {group: generator.normal(size=WIDTH) for group in groups}
vectors = np.array([shared[group] + generator.normal(size=WIDTH) + (0.25 if truth else -0.25) * lean
                    for group, truth in zip(groups, right)]).astype(np.float32)
unit = normalize(vectors.astype(float))
held = np.array([group in HELD for group in groups])
truths = np.array(right)
model = LogisticRegression(C=1, tol=1e-10, max_iter=10_000).fit(unit[~held], truths[~held])
ratings = model.predict_proba(unit[held])[:, 1]
write("assistant", "docs/reference/assistant.py", ["numpy", "scikit-learn"], [{
    "name": "statements",
    "seed": 42,
    "held": HELD,
    "groups": groups,
    "right": right,
    "vectors": [[float(value) for value in row] for row in vectors],
    "coefficients": [*map(float, model.coef_[0]), float(model.intercept_[0])],
    "ratings": [*map(float, ratings)],
    "accuracy": float(accuracy_score(truths[held], ratings >= 0.5)),
    "area": float(roc_auc_score(truths[held], ratings)),
}])
