"""Reference values of Shapley values. Writes values/shapley.json.

    python3 docs/reference/shapley.py

The games are made here from a fixed seed: the worth of every coalition of 2 to 8 players is drawn by itself, and in one of them only
the pair of the first two is worth anything. shap's exact explainer is given a model that looks the worth up.
"""
import numpy as np
import shap

from reference import write


def exact(players, worth):
    def model(rows):
        return np.array([worth[int("".join("1" if cell else "0" for cell in row), 2)] for row in rows > 0.5])

    masker = shap.maskers.Independent(np.zeros((1, players)), max_samples=1)
    explainer = shap.explainers.Exact(model, masker)
    return explainer(np.ones((1, players)), max_evals=2**players + 2, silent=True).values[0]


random = np.random.default_rng(41)
games = [(f"{players} players", players, random.random(2**players)) for players in (2, 3, 5, 8)]
pair = np.array([1.0 if bits >= 24 else 0.0 for bits in range(32)])
games.append(("only the first two together", 5, pair))
write(
    "shapley",
    "shapley.py",
    ["numpy", "shap"],
    [{"name": name, "players": players, "worth": worth, "expected": exact(players, worth)} for name, players, worth in games],
)
