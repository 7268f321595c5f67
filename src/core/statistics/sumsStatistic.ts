import type { CaseStatistic } from './caseStatistic.ts';
import { weightedSum } from './valuesTogether.ts';

/**
 * A statistic that is a function of sums over cases, as accuracy, F1, Matthews correlation and means are. Takes one pass
 * over the cases for a resample, and no pass at all for leaving one case out.
 *
 * @param rows what each case adds to each sum: case i's to sum j at [i * width + j]; finite
 * @param width number of sums, from 1
 * @param valueOfSums the statistic of the sums; null where it is undefined. The array is used again after each call
 *
 * Throws RangeError where the rows are no whole number of cases. Example: accuracy over trials is width 2 with each
 * case's right trials and all of its trials, and ([right, all]) => right / all.
 */
export function sumsStatistic(
  rows: Float64Array,
  width: number,
  valueOfSums: (sums: Float64Array) => number | null,
): CaseStatistic {
  const cases = rows.length / width;
  if (!(Number.isSafeInteger(width) && width >= 1 && Number.isSafeInteger(cases))) {
    throw new RangeError(`${rows.length} numbers do not make rows of ${width}`);
  }
  const flaw = rows.findIndex((number) => !Number.isFinite(number));
  if (flaw !== -1) throw new RangeError(`case ${Math.floor(flaw / width)} adds ${rows[flaw]}, which is not finite`);
  // Column by column: the inner loop then runs over two arrays in their order.
  const columns = Array.from({ length: width }, (_, column) =>
    Float64Array.from({ length: cases }, (_, index) => rows[index * width + column] ?? 0),
  );
  const totals = Float64Array.from(columns, (column) => column.reduce((sum, number) => sum + number, 0));
  const sums = new Float64Array(width);
  return {
    cases,
    summed: { columns, valueOfSums },
    at(weights) {
      for (let column = 0; column < width; column++) sums[column] = weightedSum(columns[column] ?? totals, weights);
      return valueOfSums(sums);
    },
    without(index) {
      for (let column = 0; column < width; column++) sums[column] = (totals[column] ?? 0) - (columns[column]?.[index] ?? 0);
      return valueOfSums(sums);
    },
  };
}
