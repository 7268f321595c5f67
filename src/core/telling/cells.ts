// Numbers with their interval and n, as tables of text have them.
import { count, proportion } from '../../shared/sizes.ts';
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
export const estimate = (found: Interval | undefined) =>
  found === undefined || found.value === null ? '-' : `${proportion(found.value)}${interval(found)}`;
/** With what it is over: measures of one arm have different denominators. */
export const estimateOf = (found: Measure | undefined) =>
  found === undefined || found.value === null ? '-' : `${estimate(found)} of ${count(found.n)}`;
