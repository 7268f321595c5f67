/** One decided case: its true label and the predicted one. */
export interface LabelPair {
  readonly truth: string;
  readonly prediction: string;
}

/** `counts[i][j]` has truth `labels[i]` and prediction `labels[j]`; not always whole: replicates may share out their pair. */
export interface Confusion {
  readonly labels: readonly string[];
  readonly counts: readonly (readonly number[])[];
  /** Number of pairs: the sum of the counts. */
  readonly n: number;
}

/**
 * Confusion matrix with the truth in rows and the prediction in columns, in the order of `labels`; the
 * orientation of scikit-learn's `confusion_matrix(truth, prediction, labels=labels)`.
 *
 * Throws RangeError on labels that are not distinct and on a pair with a label that is not listed: pairs are never dropped unseen.
 */
export function confusion(pairs: readonly LabelPair[], labels: readonly string[]): Confusion {
  const index = new Map(labels.map((label, position) => [label, position]));
  if (index.size !== labels.length) throw new RangeError('the labels are not distinct');
  const size = labels.length;
  const flat = new Array<number>(size * size).fill(0);
  for (const { truth, prediction } of pairs) {
    const row = index.get(truth);
    const column = index.get(prediction);
    if (row === undefined) throw new RangeError(`the truth "${truth}" is not a listed label`);
    if (column === undefined) throw new RangeError(`the prediction "${prediction}" is not a listed label`);
    const cell = row * size + column;
    flat[cell] = (flat[cell] ?? 0) + 1;
  }
  return confusionOfCells(labels, flat);
}

/** Confusion matrix of known counts, row after row. RangeError unless labels x labels of them, finite and not negative. */
export function confusionOfCells(labels: readonly string[], cells: ArrayLike<number>): Confusion {
  const size = labels.length;
  if (cells.length !== size * size) throw new RangeError(`${size} labels have ${size * size} cells, not ${cells.length}`);
  // In loops, since a bootstrap does this for every resample: array methods take five times as long.
  const counts: number[][] = [];
  let n = 0;
  for (let start = 0; start < cells.length; start += size) {
    const row: number[] = [];
    for (let at = start; at < start + size; at++) {
      const count = cells[at] as number;
      if (!(count >= 0 && count < Number.POSITIVE_INFINITY)) throw new RangeError(`${count} is no count`);
      row.push(count);
      n += count;
    }
    counts.push(row);
  }
  return { labels, counts, n };
}

export function marginals({ labels, counts }: Confusion) {
  const columns = labels.map((_, column) => counts.reduce((sum, row) => sum + (row[column] ?? 0), 0));
  const rows = counts.map((row) => row.reduce((sum, count) => sum + count, 0));
  return {
    /** Sum of the diagonal: pairs of the same label. */
    agreed: counts.reduce((sum, row, index) => sum + (row[index] ?? 0), 0),
    /** Pairs of each label by truth. */
    rows,
    /** Pairs of each label by prediction. */
    columns,
  };
}

/**
 * n² - sum over labels of row x column: of all n² pairs of a truth and a prediction, each drawn for itself, the number of
 * those that disagree. Added up from its parts, so that it is 0 only where the two sides always say the same one label,
 * and never the rounding error of a difference.
 */
export function chanceDisagreement(rows: readonly number[], columns: readonly number[]): number {
  return rows.reduce(
    (sum, row, index) => sum + columns.reduce((inner, column, other) => (other === index ? inner : inner + row * column), 0),
    0,
  );
}

/** The counts of one label taken as the positive class, all others together as the negative one. */
export type ClassCounts = Readonly<ReturnType<typeof classCounts>>;

/** The four counts of one label. Throws RangeError on a label that the matrix does not have. */
export function classCounts({ labels, counts, n }: Confusion, label: string) {
  const at = labels.indexOf(label);
  if (at === -1) throw new RangeError(`"${label}" is not a listed label`);
  const row = counts[at] ?? [];
  const truePositives = row[at] ?? 0;
  const falseNegatives = row.reduce((sum, count) => sum + count, 0) - truePositives;
  const falsePositives = counts.reduce((sum, other) => sum + (other[at] ?? 0), 0) - truePositives;
  return { truePositives, falsePositives, falseNegatives, trueNegatives: n - truePositives - falsePositives - falseNegatives };
}
