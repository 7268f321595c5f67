import { type Confusion, classCounts } from './confusion.ts';
import { type MacroAverage, macroAverage } from './macroAverage.ts';

/**
 * Precision of one class: TP / (TP + FP), 0-1; null where the denominator is 0,
 * which is where the class was never predicted.
 *
 * Source: Manning, Raghavan and Schütze, Introduction to Information Retrieval, 2008, section 8.3.
 * Throws RangeError on a label that the matrix does not have.
 */
export function precision(matrix: Confusion, label: string): number | null {
  const { truePositives, falsePositives } = classCounts(matrix, label);
  const predicted = truePositives + falsePositives;
  return predicted === 0 ? null : truePositives / predicted;
}

/** Precision averaged over all classes of the matrix, undefined ones as 0; see `macroAverage`. */
export function macroPrecision(matrix: Confusion): MacroAverage {
  return macroAverage(matrix.labels.map((label) => precision(matrix, label)));
}
