// What the parts of the statistics are made of: sentences, tables, and how numbers read in them.
import { proportion } from '../../shared/sizes.ts';
import type { Measure } from '../../shared/statistics.ts';

/** Columns of text; the first cell of a row is its head. */
export interface StatisticsTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}
/** A sentence or a table; an empty one sets apart what follows. */
export type Piece = string | StatisticsTable;

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): StatisticsTable => ({ head, rows });

export type Interval = Pick<Measure, 'value' | 'low' | 'high'>;

export const interval = ({ low, high }: Interval) =>
  low === null || high === null ? '' : ` [${proportion(low)}, ${proportion(high)}]`;

export const signed = (value: number) => `${value > 0 ? '+' : ''}${proportion(value)}`;

/** A p-value: three digits, or that it is smaller. */
export const chance = (p: number | null) => (p === null ? '-' : p < 0.001 ? '<0.001' : p.toFixed(3));

export const differenceText = (found: Interval | undefined) =>
  found === undefined || found.value === null ? '-' : `${signed(found.value)}${interval(found)}`;
