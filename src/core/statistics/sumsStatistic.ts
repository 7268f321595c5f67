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
  const columns = Array.from({ length: width }, (_, column) => columnOf(rows, width, column));
  return ofColumns(columns, cases, valueOfSums);
}

let spare = new Float64Array();
/** Numbers beyond which the room is not kept: 4 MB. */
const mostKept = 2 ** 19;

/** Zeros for the rows of one statistic. `sumsStatistic` copies them, so that the next rows have the same room. */
export function zeroRows(length: number): Float64Array {
  if (length > mostKept) return new Float64Array(length);
  if (spare.length < length) spare = new Float64Array(length);
  return spare.subarray(0, length).fill(0);
}

/** One column of the rows, in bytes if its numbers fit: most are counts. */
function columnOf(rows: Float64Array, width: number, column: number): Float64Array | Uint8Array {
  const cases = rows.length / width;
  let fit = true;
  for (let place = column; fit && place < rows.length; place += width) {
    const number = rows[place] as number;
    fit = number >= 0 && number <= 255 && Number.isInteger(number);
  }
  const numbers = fit ? new Uint8Array(cases) : new Float64Array(cases);
  for (let index = 0; index < cases; index++) numbers[index] = rows[index * width + column] as number;
  return numbers;
}

function ofColumns(
  columns: readonly (Float64Array | Uint8Array)[],
  cases: number,
  valueOfSums: (sums: Float64Array) => number | null,
): CaseStatistic {
  const sums = new Float64Array(columns.length);
  const totals = new Float64Array(columns.length);
  columns.forEach((column, place) => {
    for (let index = 0; index < cases; index++) totals[place] = (totals[place] as number) + (column[index] as number);
  });
  return {
    cases,
    summed: { columns, valueOfSums },
    at(weights) {
      columns.forEach((column, place) => {
        sums[place] = weightedSum(column, weights);
      });
      return valueOfSums(sums);
    },
    without(index) {
      for (let place = 0; place < sums.length; place++) {
        sums[place] = (totals[place] as number) - ((columns[place] as Float64Array | Uint8Array)[index] as number);
      }
      return valueOfSums(sums);
    },
  };
}
