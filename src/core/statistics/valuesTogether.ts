// Values of many statistics of the same cases at once: the sums that they are made of are found together.
import type { CaseStatistic } from './caseStatistic.ts';

type Numbers = Float64Array | Uint8Array;

/** Cases that add the same to every sum of a bank count as one: they are of one pattern. */
interface Bank {
  readonly patterns: Uint16Array;
  /** Sums over the bank's columns. */
  readonly columns: { readonly into: Float64Array; readonly place: number; readonly ofPattern: Float64Array }[];
  /** How often the cases of each pattern occur. */
  readonly counts: Uint32Array;
}

interface Column {
  readonly into: Float64Array;
  readonly place: number;
  readonly numbers: Numbers;
}

/** Patterns beyond which they cost more than they save. */
const mostPatterns = (cases: number) => Math.min(1024, Math.max(16, cases >> 5));

/** The patterns of a column, split further by those that are known; null if there are too many. */
function refined(numbers: Numbers, before: Uint16Array | null, most: number): Uint16Array | null {
  const values = new Map<number, number>();
  const patterns = new Map<number, number>();
  const found = new Uint16Array(numbers.length);
  for (let index = 0; index < numbers.length; index++) {
    const number = numbers[index] ?? 0;
    const value = values.get(number) ?? values.size;
    if (value === most) return null;
    values.set(number, value);
    const both = (before?.[index] ?? 0) * most + value;
    const pattern = patterns.get(both) ?? patterns.size;
    if (pattern === most) return null;
    patterns.set(both, pattern);
    found[index] = pattern;
  }
  return found;
}

/** Columns of few different values, in banks of few patterns each, and the others. */
function banksOf(columns: readonly Column[], cases: number): { readonly banks: Bank[]; readonly others: Column[] } {
  const most = mostPatterns(cases);
  const open: { patterns: Uint16Array; columns: Column[] }[] = [];
  const others: Column[] = [];
  for (const column of columns) {
    const last = open.at(-1);
    const joined = last === undefined ? null : refined(column.numbers, last.patterns, most);
    if (last !== undefined && joined !== null) {
      last.patterns = joined;
      last.columns.push(column);
      continue;
    }
    const alone = refined(column.numbers, null, most);
    if (alone === null) others.push(column);
    else open.push({ patterns: alone, columns: [column] });
  }
  const banks = open.map(({ patterns, columns: mine }): Bank => {
    const size = patterns.reduce((largest, pattern) => Math.max(largest, pattern + 1), 0);
    const first = new Uint32Array(size);
    patterns.forEach((pattern, index) => {
      first[pattern] = index;
    });
    return {
      patterns,
      counts: new Uint32Array(size),
      columns: mine.map(({ into, place, numbers }) => ({
        into,
        place,
        ofPattern: Float64Array.from(first, (index) => numbers[index] ?? 0),
      })),
    };
  });
  return { banks, others };
}

function fill({ patterns, counts, columns }: Bank, weights: Uint32Array): void {
  counts.fill(0);
  for (let index = 0; index < patterns.length; index++) {
    const pattern = patterns[index] as number;
    counts[pattern] = (counts[pattern] as number) + (weights[index] as number);
  }
  for (const { into, place, ofPattern } of columns) {
    let sum = 0;
    for (let pattern = 0; pattern < counts.length; pattern++) sum += (counts[pattern] as number) * (ofPattern[pattern] as number);
    into[place] = sum;
  }
}

/** The weighted sum of a column: terms as in `sumsStatistic`, in the order of the cases. */
export function weightedSum(numbers: Numbers, weights: Uint32Array): number {
  let sum = 0;
  for (let index = 0; index < numbers.length; index++) sum += (weights[index] as number) * (numbers[index] as number);
  return sum;
}

/**
 * The values of many statistics of the same cases under the same weights, as their `at` gives them but for rounding. Sums of
 * columns of few different values, such as counts, take one pass over the cases together: cases that add the same are counted
 * first. What statistics share in `counted` is counted once for all of them. The array is the same at each call.
 */
export function valuesTogether(statistics: readonly CaseStatistic[]): (weights: Uint32Array) => readonly (number | null)[] {
  const all = statistics.map((statistic) => {
    const { summed } = statistic;
    return summed === undefined ? { statistic } : { statistic, summed, sums: new Float64Array(summed.columns.length) };
  });
  const columns = all.flatMap(({ summed, sums }) =>
    summed === undefined ? [] : summed.columns.map((numbers, place) => ({ into: sums, place, numbers })),
  );
  const { banks, others } = banksOf(columns, statistics[0]?.cases ?? 0);
  const counts = new Set(statistics.flatMap(({ counted }) => counted?.count ?? []));
  const values: (number | null)[] = statistics.map(() => null);
  return (weights) => {
    for (const count of counts) count(weights);
    for (const bank of banks) fill(bank, weights);
    for (const { into, place, numbers } of others) into[place] = weightedSum(numbers, weights);
    all.forEach(({ statistic, summed, sums }, place) => {
      const { counted } = statistic;
      if (summed !== undefined) values[place] = summed.valueOfSums(sums);
      else values[place] = counted === undefined ? statistic.at(weights) : counted.value();
    });
    return values;
  };
}
