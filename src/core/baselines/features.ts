import type { Fact } from '../../shared/domain.ts';
import type { BaselineAbout } from '../../shared/statistics.ts';

/** A matrix by rows: entry (row, column) is `values[row * width + column]`. */
export interface Matrix {
  readonly values: Float64Array;
  readonly rows: number;
  readonly width: number;
}

/** A matrix of which most entries are 0: row r has `values[k]` in column `columns[k]` for k from `starts[r]` to `starts[r + 1]` - 1. */
export interface SparseMatrix {
  readonly columns: Uint32Array;
  readonly values: Float64Array;
  readonly starts: Uint32Array;
  readonly rows: number;
  readonly width: number;
}

interface WithFacts {
  readonly facts: readonly Fact[];
}

/** Writes the encoded value of one fact (undefined: the cell is empty) into a row, from `offset` on; `gap` as in `Encoding`. */
interface ColumnEncoder {
  readonly width: number;
  write(value: string | undefined, row: Float64Array, offset: number, gap: number): void;
}

/** Levels of a column of words that get a column each; the more frequent ones where there are more. */
export const mostLevels = 50;
/** Training cases that a level needs: one case says nothing about others. */
export const fewestOfLevel = 2;

const numeral = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

function numberIn(value: string | undefined): number | undefined {
  const text = value?.trim() ?? '';
  if (!numeral.test(text)) return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** Standardised by mean and standard deviation (divisor n) of training; a gap is the mean, and one more column says where gaps are. */
function numericColumn(numbers: readonly (number | undefined)[]): ColumnEncoder | string {
  const known = numbers.filter((number) => number !== undefined);
  // Large values would overflow when squared: the scale comes off first.
  const scale = known.reduce((most, number) => Math.max(most, Math.abs(number)), 0) || 1;
  const mean = known.reduce((sum, number) => sum + number / scale, 0) / known.length;
  const deviation = Math.sqrt(known.reduce((sum, number) => sum + (number / scale - mean) ** 2, 0) / known.length);
  const isConstant = !(deviation > 1e-12);
  const hasGaps = known.length < numbers.length;
  if (isConstant && !hasGaps) return 'the same in every training case';
  return {
    width: (isConstant ? 0 : 1) + (hasGaps ? 1 : 0),
    write(value, row, offset, gap) {
      const number = numberIn(value);
      if (!isConstant) row[offset] = number === undefined ? gap : (number / scale - mean) / deviation;
      if (hasGaps) row[offset + (isConstant ? 0 : 1)] = number === undefined ? 1 : 0;
    },
  };
}

/** One column for each level, an empty cell being a level too; a rare or unknown level is 0 in all of them. */
function wordColumn(values: readonly (string | undefined)[]): ColumnEncoder | string {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value ?? '', (counts.get(value ?? '') ?? 0) + 1);
  if (counts.size === 1) return 'the same in every training case';
  const frequent = [...counts].filter(([, count]) => count >= fewestOfLevel);
  // Sorting keeps the order of appearance among equally frequent levels.
  const levels = frequent.sort(([, a], [, b]) => b - a).slice(0, mostLevels);
  const covered = levels.reduce((sum, [, count]) => sum + count, 0);
  if (covered * 2 < values.length)
    return `${counts.size} different values in ${values.length} training cases: too varied to learn from`;
  const places = new Map(levels.map(([level], place) => [level, place]));
  return {
    width: levels.length,
    write(value, row, offset) {
      const place = places.get(value ?? '');
      if (place !== undefined) row[offset + place] = 1;
    },
  };
}

const columnOf = (values: readonly (string | undefined)[]): ColumnEncoder | string => {
  const numbers = values.map(numberIn);
  const isNumeric = values.every((value, index) => value === undefined || numbers[index] !== undefined);
  return isNumeric ? numericColumn(numbers) : wordColumn(values);
};

const factsByName = ({ facts }: WithFacts) => new Map(facts.map(({ name, value }) => [name, value]));

/** Turns facts into numbers, fitted on the training cases alone. */
export type Encoding = Readonly<ReturnType<typeof learnEncoding>>;

/**
 * Learns from the training cases how facts become numbers. A column in which every value is a number is standardised;
 * any other gets a 0/1 column for each of its values. Columns that are constant, or too varied to say anything of another
 * case, are dropped and named. Labels, ids, groups and excluded columns are no facts and so never seen.
 */
export function learnEncoding(training: readonly WithFacts[]) {
  const rows = training.map(factsByName);
  const names = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const dropped: BaselineAbout['dropped'] = [];
  const used: { name: string; offset: number; encoder: ColumnEncoder }[] = [];
  let width = 0;
  for (const name of names) {
    const encoder = columnOf(rows.map((row) => row.get(name)));
    if (typeof encoder === 'string') dropped.push({ column: name, why: encoder });
    else {
      used.push({ name, offset: width, encoder });
      width += encoder.width;
    }
  }
  return {
    /** Number of encoded columns. */
    width,
    /** Names of the facts that are used, in their first order of appearance. */
    columns: used.map(({ name }) => name),
    dropped,
    /** @param gap the value for an empty cell in a column of numbers: 0, the mean, if not given */
    encode(cases: readonly WithFacts[], gap: number = 0): Matrix {
      const values = new Float64Array(cases.length * width);
      cases.forEach((kase, index) => {
        const facts = factsByName(kase);
        const row = values.subarray(index * width, (index + 1) * width);
        for (const { name, offset, encoder } of used) encoder.write(facts.get(name), row, offset, gap);
      });
      return { values, rows: cases.length, width };
    },
  };
}
