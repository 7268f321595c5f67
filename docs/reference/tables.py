"""Reference values of gradient boosting on public tables. Writes values/tables.json.

    python3 docs/reference/tables.py FOLDER

The tables are no part of this repository. FOLDER has them as CSV files with a header: `adult.csv` (UCI Adult: the rows of
adult.data, then those of adult.test without its first line and without the full stops after the labels), `german_credit.csv`
(UCI Statlog German credit, with an id) and `compas.csv` (ProPublica's COMPAS table without names and dates). Rows with an even
number train, counted from 0, the others are held out. `area` is the mean over `seeds` of the area under the curve of
scikit-learn's HistGradientBoostingClassifier with its defaults; `oneHot` with a column for each word that two training rows
have, as the program has them, `native` with words as categories. `sha256` is of the file.
"""
import csv, hashlib, pathlib, sys
from collections import Counter

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import roc_auc_score

from reference import write

SEEDS = 10
FOLDER = pathlib.Path(sys.argv[1])


def number(cell):
    try:
        return float(cell) if cell else np.nan
    except ValueError:
        return None


def encoded(train, rows):
    """The columns of a table as one-hot and as categories, and which of the latter are categories."""
    one_hot, native, is_category = [], [], []
    for column in range(len(train[0])):
        own = [row[column] for row in rows]
        if all(number(row[column]) is not None for row in train):
            values = [number(cell) for cell in own]
            one_hot.append(values)
            native.append(values)
            is_category.append(False)
            continue
        levels = [level for level, n in Counter(row[column] for row in train).most_common() if n >= 2]
        one_hot += [[float(cell == level) for cell in own] for level in levels[:50]]
        places = {level: place for place, level in enumerate(levels[:255])}
        native.append([places.get(cell, np.nan) for cell in own])
        is_category.append(True)
    return np.column_stack(one_hot), np.column_stack(native), is_category


def area(matrix, label, train, categories):
    areas = []
    for seed in range(SEEDS):
        model = HistGradientBoostingClassifier(random_state=seed, categorical_features=categories).fit(matrix[train], label[train])
        areas.append(roc_auc_score(label[~train], model.predict_proba(matrix[~train])[:, 1]))
    return {"mean": np.mean(areas), "sd": np.std(areas, ddof=1)}


def made(name, label, positive, exclude):
    path = FOLDER / f"{name}.csv"
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file, skipinitialspace=True))
    cells = [[cell.strip() for column, cell in row.items() if column != label and column not in exclude] for row in rows]
    truth = np.array([row[label].strip() == positive for row in rows])
    train = np.arange(len(rows)) % 2 == 0
    one_hot, native, categories = encoded([row for row, is_train in zip(cells, train) if is_train], cells)
    return {"name": name, "sha256": hashlib.sha256(path.read_bytes()).hexdigest(), "label": label, "positive": positive,
            "exclude": exclude, "trained": int(train.sum()), "heldOut": int((~train).sum()), "width": one_hot.shape[1],
            "seeds": SEEDS, "oneHot": area(one_hot, truth, train, None), "native": area(native, truth, train, categories)}


write("tables", "docs/reference/tables.py", ["numpy", "scikit-learn"], [
    made("adult", "income", ">50K", []),
    made("german_credit", "credit_risk", "good", ["id"]),
    made("compas", "two_year_recid", "1", ["id", "decile_score", "score_text"]),
])
