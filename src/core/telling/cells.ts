// Numbers with their interval and n, as tables of text have them.
import { count, proportion } from '../../shared/sizes.ts';
import type { Measure } from '../../shared/statistics.ts';
import { points } from '../figures/shares.ts';

/** What the user of the program can do next: the command line says it, a report for others leaves it out. */
export interface Advice {
  readonly advice: string;
}
/** A sentence, a table or advice; an empty sentence sets apart what follows. */
export type Piece = string | StatisticsTable | Advice;

export const isAdvice = (piece: Piece): piece is Advice => typeof piece === 'object' && 'advice' in piece;
/** Where a table has not all. */
export const jsonHasAll: Advice = { advice: '--json has all.' };

/** Columns of text; the first cell of a row is its head. */
export type StatisticsTable = Readonly<ReturnType<typeof table>>;

export const table = (head: readonly string[], rows: readonly (readonly string[])[]) => ({ head, rows });

export type Interval = Pick<Measure, 'value' | 'low' | 'high'>;

export const interval = ({ low, high }: Interval) =>
  low === null || high === null ? '' : ` [${proportion(low)}, ${proportion(high)}]`;
export const estimate = (found: Interval | undefined) =>
  found === undefined || found.value === null ? '-' : `${proportion(found.value)}${interval(found)}`;
/** With what it is over: measures of one arm have different denominators. */
export const estimateOf = (found: Measure | undefined) =>
  found === undefined || found.value === null ? '-' : `${estimate(found)} of ${count(found.n)}`;

const bare = (share: number) => points(share).replace('+', '');
/** A difference of rates between groups, which has no sign, in points: `51.2 [27.6, 74.8] of 240`. */
export const pointsOfRates = (found: Measure | undefined) => {
  if (found === undefined || found.value === null) return '-';
  const { value, low, high, n } = found;
  return `${bare(value)}${low === null || high === null ? '' : ` [${bare(low)}, ${bare(high)}]`} of ${count(n)}`;
};

export const signed = (value: number) => `${value > 0 ? '+' : ''}${proportion(value)}`;

/** A p-value: three digits, or that it is smaller. */
export const chance = (p: number | null) => (p === null ? '-' : p < 0.001 ? '<0.001' : p.toFixed(3));

export const differenceText = (found: Interval | undefined) =>
  found === undefined || found.value === null ? '-' : `${signed(found.value)}${interval(found)}`;

/** A sentence for each reason why some of these intervals are to be read with care. */
export const cautionLines = (measures: readonly Pick<Measure, 'name' | 'caution'>[]): string[] =>
  [...Map.groupBy(measures, ({ caution }) => caution)].flatMap(([caution, some]) =>
    caution === undefined
      ? []
      : [`Interval of ${[...new Set(some.map(({ name }) => name.replaceAll('_', ' ')))].join(', ')}: ${caution}.`],
  );
