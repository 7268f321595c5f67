"""What the scripts of this folder share: seeded data and the file format of the values."""
import json, pathlib, platform
from importlib import metadata

import numpy as np
from sklearn.isotonic import IsotonicRegression

VALUES = pathlib.Path(__file__).parent / "values"


def settled(values):
    """The values, those that differ by rounding alone as one number: from the lowest on, each takes all within 1e-10 (beyond
    size one: that share) of itself."""
    values = np.asarray(values, dtype=float)
    order = np.argsort(values, kind="stable")
    result = values.copy()
    first = np.nan
    for place in order:
        if not abs(values[place] - first) <= 1e-10 * max(1, abs(values[place]), abs(first)):
            first = values[place]
        result[place] = first
    return result


def miscalibration(outcome, belief, weights=None):
    """The Brier score of the beliefs less the variance of the outcomes within the blocks of their isotonic regression: MCB of
    Dimitriadis, Gneiting and Jordan (2021) with n / (n - 1) of each block's effective number of cases."""
    weights = np.ones(len(outcome)) if weights is None else np.asarray(weights, dtype=float)
    some = weights > 0
    belief, outcome, weights = settled(belief)[some], np.asarray(outcome, dtype=float)[some], weights[some]
    shares = settled(IsotonicRegression().fit_transform(belief, outcome, sample_weight=weights))
    left = 0
    for share in np.unique(shares):
        block = shares == share
        effective = weights[block].sum() ** 2 / (weights[block] ** 2).sum()
        if effective > 1 + 1e-9:
            mean = np.average(outcome[block], weights=weights[block])
            left += weights[block].sum() * mean * (1 - mean) * effective / (effective - 1)
    return np.average((belief - outcome) ** 2, weights=weights) - left / weights.sum()


def inline(value):
    """JSON without line breaks. Undefined numbers (NaN) become null; a float keeps its shortest exact form."""
    return json.dumps(plain(value), ensure_ascii=False, allow_nan=False)


def plain(value):
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [plain(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and np.isnan(value) else value


def write(name, script, libraries, sets):
    """Writes values/<name>.json: one line for each key of each data set."""
    versions = {"python": platform.python_version()} | {library: metadata.version(library) for library in libraries}
    written = []
    for each in sets:
        lines = [f'      {inline(key)}: {inline(value)}' for key, value in each.items()]
        written.append("    {\n" + ",\n".join(lines) + "\n    }")
    text = ('{\n  "script": ' + inline(script) + ',\n  "libraries": ' + inline(versions) + ',\n  "sets": [\n'
            + ",\n".join(written) + "\n  ]\n}\n")
    json.loads(text)
    VALUES.mkdir(exist_ok=True)
    (VALUES / f"{name}.json").write_text(text, encoding="utf-8")
    print(f"values/{name}.json: {len(sets)} data sets")
