import type { ClassCounts } from './confusion.ts';

/**
 * Precision, recall and F1 of one class by its counts, and F1 over several classes. All are 0-1, and null where the
 * denominator is 0.
 *
 * Sources: Manning, Raghavan and Schütze, Introduction to Information Retrieval, 2008, section 8.3; van Rijsbergen, Information
 * Retrieval, 1979, chapter 7 (F1). scikit-learn has `zero_division` instead of null.
 */

type Counts = Omit<ClassCounts, 'trueNegatives'>;

const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

/** TP / (TP + FP); null for a class that was never predicted. */
export const precision = ({ truePositives, falsePositives }: Counts): number | null =>
  ratio(truePositives, truePositives + falsePositives);

/** TP / (TP + FN); null for a class that is never the truth. */
export const recall = ({ truePositives, falseNegatives }: Counts): number | null =>
  ratio(truePositives, truePositives + falseNegatives);

/** 2 TP / (2 TP + FP + FN), which is 0 where precision or recall alone is undefined; null for a class that never occurs. */
export const f1 = ({ truePositives, falsePositives, falseNegatives }: Counts): number | null =>
  ratio(2 * truePositives, 2 * truePositives + falsePositives + falseNegatives);

/**
 * Mean F1 of all classes, an undefined one as 0: the mean of the classes' F1, not the F1 of macro precision and macro recall.
 * Source: scikit-learn's `average='macro'` with `zero_division=0` and `labels` given. Example: F1 of 2/3, 0 and undefined give 2/9.
 */
export const macroF1 = (classes: readonly Counts[]): number | null =>
  ratio(
    classes.reduce((sum, counts) => sum + (f1(counts) ?? 0), 0),
    classes.length,
  );

/** F1 of the counts of all classes together, so that frequent ones weigh more. Source: scikit-learn's `average='micro'`. */
export function microF1(classes: readonly Counts[]): number | null {
  const total = (name: keyof Counts) => classes.reduce((sum, counts) => sum + counts[name], 0);
  return f1({
    truePositives: total('truePositives'),
    falsePositives: total('falsePositives'),
    falseNegatives: total('falseNegatives'),
  });
}

/** One decided case of several labels: those that are true and those that were predicted; order and repeats say nothing. */
export interface LabelSetPair {
  readonly truth: readonly string[];
  readonly prediction: readonly string[];
}

/** Throws RangeError on a label that is not listed. */
export function requireListed({ truth, prediction }: LabelSetPair, labels: readonly string[]): void {
  for (const label of [...truth, ...prediction])
    if (!labels.includes(label)) throw new RangeError(`"${label}" is not a listed label`);
}

/**
 * F1 of one case with several labels: 2 |truth and prediction| / (|truth| + |prediction|); 1 where nothing is true and nothing
 * was predicted, which is right, as the exact match has it too. Throws RangeError on a label that is not listed.
 * Source: scikit-learn's `average='samples'` with `zero_division=1` is its mean. Example: truth {A, B}, prediction {A, C}: 2/4.
 */
export function caseF1(pair: LabelSetPair, labels: readonly string[]): number {
  requireListed(pair, labels);
  const [truth, prediction] = [new Set(pair.truth), new Set(pair.prediction)];
  const shared = [...truth].filter((label) => prediction.has(label)).length;
  return f1({ truePositives: shared, falsePositives: prediction.size - shared, falseNegatives: truth.size - shared }) ?? 1;
}
