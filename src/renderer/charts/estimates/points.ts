import { percent } from '../../../core/figures/shares.ts';
import type { ArmStatistics, StatsReport } from '../../../shared/outputs.ts';
import type { Measure } from '../../../shared/statistics.ts';
import { smallN } from '../kit/axes.ts';
import { countsWords } from '../kit/counts.ts';
import type { Cell, FigureTable } from '../kit/figure.ts';

/** An estimate of the report as figures draw it. */
export interface Point {
  readonly value: number;
  /** Ends of the interval; both null where the report has none. */
  readonly low: number | null;
  readonly high: number | null;
  readonly n: number;
  readonly cases: number;
  readonly method: Measure['interval_method'];
}

/** A measure of an arm; null where the arm does not have it, or it has no value. */
export function pointOf(
  { measures }: { readonly measures: readonly Measure[] },
  name: string,
  over: Measure['over'],
  label: string | null = null,
): Point | null {
  const found = measures.find((measure) => measure.name === name && measure.over === over && measure.label === label);
  if (found === undefined || found.value === null) return null;
  const { value, low, high, n, cases, interval_method: method } = found;
  return { value, low, high, n, cases, method };
}

/** Arms in which nothing is exchanged: those that are compared with one another. */
export const plainArms = ({ arms }: StatsReport): ArmStatistics[] => arms.filter(({ swap }) => swap === null);

/** The columns of a point in a table. */
export const pointColumns = (name: string, as: 'share' | 'number' = 'share'): FigureTable['columns'] => [
  { name, as },
  { name: `${name}, low`, as },
  { name: `${name}, high`, as },
  { name: `${name}, n`, as: 'count' },
  { name: `${name}, interval`, as: 'text' },
];

/** The cells of a point under `pointColumns`. */
export const pointCells = (point: Point | null): Cell[] =>
  point === null ? [null, null, null, null, null] : [point.value, point.low, point.high, point.n, point.method];

/** `40 decided trials of 40 cases in each arm. Lines are 95% intervals over cases.`, from the points that are drawn. */
export function countWords(
  points: readonly (Point | null)[],
  level: number,
  words: { readonly noun?: string; readonly each?: string } = {},
): string {
  const drawn = points.filter((point) => point !== null);
  if (drawn.length === 0) return '';
  const drawnIntervals = drawn.filter(({ low }) => low !== null).length;
  const intervals =
    drawnIntervals === 0
      ? ', without intervals'
      : `. Lines are ${percent(level)} intervals over cases${drawnIntervals < drawn.length ? ', where there are any' : ''}`;
  const counts = drawn.map(({ n }) => n);
  return `${countsWords(counts, { ...words, cases: drawn.map(({ cases }) => cases) })}${intervals}.`;
}

/** The words about few cases for the points that are drawn; empty where none has few. */
export function fewWords(points: readonly (Point | null)[]): string {
  const cases = points.flatMap((point) => point?.cases ?? []);
  return cases.length === 0 ? '' : smallN(Math.min(...cases));
}

/** `71.7%, 58.4% to 82.1%, n = 60`: a point in a tooltip. */
export function pointWords(point: Point, inWords: (value: number) => string = percent): string {
  const interval = point.low === null || point.high === null ? '' : `, ${inWords(point.low)} to ${inWords(point.high)}`;
  return `${inWords(point.value)}${interval}, n = ${point.n}`;
}

/** A number with two digits behind the point, and a true minus sign. */
export const twoDigits = (value: number): string => value.toFixed(2).replace('-', '−');
