import { type Confusion, classCounts } from './confusion.ts';
import { type MacroAverage, macroAverage } from './macroAverage.ts';

/**
 * Recall of one class: TP / (TP + FN), 0-1; null where the denominator is 0,
 * which is where the class never is the truth.
 *
 * Source: Manning, Raghavan and Schütze, Introduction to Information Retrieval, 2008, section 8.3.
 * Throws RangeError on a label that the matrix does not have.
 */
export function recall(matrix: Confusion, label: string): number | null {
  const { truePositives, falseNegatives } = classCounts(matrix, label);
  const actual = truePositives + falseNegatives;
  return actual === 0 ? null : truePositives / actual;
}

/** Recall averaged over all classes of the matrix, undefined ones as 0; see `macroAverage`. */
export function macroRecall(matrix: Confusion): MacroAverage {
  return macroAverage(matrix.labels.map((label) => recall(matrix, label)));
}
