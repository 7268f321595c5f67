/** One decided case: its true label and the predicted one. */
export interface LabelPair {
  readonly truth: string;
  readonly prediction: string;
}

/** Counts of pairs; `counts[i][j]` is the number with truth `labels[i]` and prediction `labels[j]`. */
export interface Confusion {
  readonly labels: readonly string[];
  readonly counts: readonly (readonly number[])[];
  /** Number of pairs. */
  readonly n: number;
}

/** The counts of one label taken as the positive class, all others together as the negative one. */
export interface ClassCounts {
  readonly truePositives: number;
  readonly falsePositives: number;
  readonly trueNegatives: number;
  readonly falseNegatives: number;
}

/**
 * Confusion matrix with the truth in rows and the prediction in columns, in the order of `labels`; the
 * orientation of scikit-learn's `confusion_matrix(truth, prediction, labels=labels)`.
 *
 * Throws RangeError on labels that are not distinct and on a pair with a label that is not listed:
 * pairs are never dropped unseen.
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
  const counts = labels.map((_, row) => flat.slice(row * size, (row + 1) * size));
  return { labels, counts, n: pairs.length };
}

/** The four counts of one label. Throws RangeError on a label that the matrix does not have. */
export function classCounts({ labels, counts, n }: Confusion, label: string): ClassCounts {
  const at = labels.indexOf(label);
  if (at === -1) throw new RangeError(`"${label}" is not a listed label`);
  const row = counts[at] ?? [];
  const truePositives = row[at] ?? 0;
  const falseNegatives = row.reduce((sum, count) => sum + count, 0) - truePositives;
  const falsePositives = counts.reduce((sum, other) => sum + (other[at] ?? 0), 0) - truePositives;
  return { truePositives, falsePositives, falseNegatives, trueNegatives: n - truePositives - falsePositives - falseNegatives };
}
