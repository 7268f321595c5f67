// Numbers with their interval and n, as tables of text have them.
import { count } from '../../shared/sizes.ts';
import type { Measure } from '../../shared/statistics.ts';
import { type Scale, scaleOf, written } from '../figures/measureScale.ts';

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

/** With the name of its measure, if it is one. */
export type Interval = Pick<Measure, 'value' | 'low' | 'high'> & { readonly name?: string };

export const interval = ({ low, high }: Pick<Interval, 'low' | 'high'>, scale: Scale = 'number') =>
  low === null || high === null ? '' : ` [${written(low, within(scale))}, ${written(high, within(scale))}]`;

/** The percent sign is with the value only. */
const within = (scale: Scale): Scale => (scale === 'share' ? 'size' : scale);

/** `66.1% [63.4, 68.7]`. @param scale by default that of the measure */
export const estimate = (found: Interval | undefined, scale: Scale = scaleOf(found?.name ?? '')) =>
  found === undefined || found.value === null ? '-' : `${written(found.value, scale)}${interval(found, scale)}`;
/** With what it is over: measures of one arm have different denominators. */
export const estimateOf = (found: Measure | undefined) =>
  found === undefined || found.value === null ? '-' : `${estimate(found)} of ${count(found.n)}`;

/** A difference of rates between groups, which has no sign, in points: `51.2 [27.6, 74.8] of 240`. */
export const pointsOfRates = (found: Measure | undefined) =>
  found === undefined || found.value === null ? '-' : `${estimate(found, 'size')} of ${count(found.n)}`;

export const signed = (value: number) => `${value > 0 ? '+' : ''}${written(value, 'number')}`;

/** A p-value: three digits, or that it is smaller. */
export const chance = (p: number | null) => (p === null ? '-' : p < 0.001 ? '<0.001' : p.toFixed(3));

/** The difference of two shares in points, that of other numbers with its sign. @param scale by default that of the measure */
export function differenceText(found: Interval | undefined, scale: Scale = scaleOf(found?.name ?? '')): string {
  if (found === undefined || found.value === null) return '-';
  return scale === 'number' ? `${signed(found.value)}${interval(found)}` : estimate(found, 'points');
}

/** A sentence for each reason why some of these intervals are to be read with care. */
export const cautionLines = (measures: readonly Pick<Measure, 'name' | 'caution'>[]): string[] =>
  [...Map.groupBy(measures, ({ caution }) => caution)].flatMap(([caution, some]) =>
    caution === undefined
      ? []
      : [`Interval of ${[...new Set(some.map(({ name }) => name.replaceAll('_', ' ')))].join(', ')}: ${caution}.`],
  );
