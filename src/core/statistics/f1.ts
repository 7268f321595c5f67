import { type ClassCounts, type Confusion, classCounts } from './confusion.ts';
import { type MacroAverage, macroAverage } from './macroAverage.ts';

/**
 * F1 of one class: 2 TP / (2 TP + FP + FN), 0-1; null where the denominator is 0,
 * which is where the class is neither a truth nor a prediction.
 *
 * Source: the harmonic mean of precision and recall (van Rijsbergen, Information Retrieval, 1979, chapter 7),
 * written in counts, so that it is 0 and not undefined where only one of the two is undefined. The macro
 * average is the mean of the classes' F1, not the F1 of macro precision and macro recall.
 * Throws RangeError on a label that the matrix does not have.
 */
export function f1(matrix: Confusion, label: string): number | null {
  return f1OfCounts(classCounts(matrix, label));
}

/** F1 of counts that are known already: 2 TP / (2 TP + FP + FN), null where that is 0 / 0. */
export function f1OfCounts({ truePositives, falsePositives, falseNegatives }: Omit<ClassCounts, 'trueNegatives'>): number | null {
  const denominator = 2 * truePositives + falsePositives + falseNegatives;
  return denominator === 0 ? null : (2 * truePositives) / denominator;
}

/** F1 averaged over all classes of the matrix, undefined ones as 0; see `macroAverage`. */
export function macroF1(matrix: Confusion): MacroAverage {
  return macroAverage(matrix.labels.map((label) => f1(matrix, label)));
}
