import { percent } from '../../../core/figures/shares.ts';
import type { ArmStatistics, StatsReport } from '../../../shared/outputs.ts';
import type { Measure } from '../../../shared/statistics.ts';
import { smallN } from './axes.ts';
import { countsAsText } from './counts.ts';
import type { FigureSize, Mark, Paint, TrialsBehind } from './figure.ts';
import { type Colour, dot, line } from './marks.ts';
import { type Column, count, text } from './plot.ts';
import { interval } from './shapes.ts';

/** An estimate of the report as figures draw it, with the trials that it is of. */
export interface Point {
  readonly value: number;
  /** Ends of the interval; both null where the report has none. */
  readonly low: number | null;
  readonly high: number | null;
  readonly n: number;
  readonly cases: number;
  readonly method: Measure['interval_method'];
  /** Null for a baseline, which has none on the record. */
  readonly behind: TrialsBehind | null;
}

/** Conditions on the finished trials that a measure counts: docs/statistics.md says what each base is. */
const conditions: Partial<Record<Measure['over'], Omit<TrialsBehind, 'counts'>>> = {
  all: { status: 'done', subset: { known: ['truth'] } },
  decided: { outcome: 'decided', subset: { known: ['truth'] } },
  stated: { outcome: 'decided', subset: { known: ['truth', 'confidence'] } },
  believed: { outcome: 'decided', subset: { known: ['truth', 'belief'] } },
  finished: { status: 'done' },
  'initial-and-verdict': { outcome: 'decided', subset: { known: ['truth', 'first answer'] } },
};

/** The trials of an arm that a measure with this base counts; null where a list of trials cannot be asked for them. */
export function countedTrials(over: Measure['over'], arm: string, { n }: { readonly n: number }): TrialsBehind | null {
  const found = conditions[over];
  return found === undefined ? null : { arm, ...found, counts: { n, of: 'trials' } };
}

/** Something with measures; without the name of an arm it has no trials. */
interface Measured {
  readonly arm?: string;
  readonly measures: readonly Measure[];
}

/** A measure of an arm; null where the arm does not have it, or it has no value. */
export function pointOf(
  { arm, measures }: Measured,
  name: string,
  over: Measure['over'],
  label: string | null = null,
): Point | null {
  const found = measures.find((measure) => measure.name === name && measure.over === over && measure.label === label);
  if (found === undefined || found.value === null) return null;
  const { value, low, high, n, cases, interval_method: method } = found;
  return { value, low, high, n, cases, method, behind: arm === undefined ? null : countedTrials(over, arm, found) };
}

export const accuracyOf = (arm: Measured): Point | null => pointOf(arm, 'accuracy', 'all');

/** Arms or baselines by their accuracy, the best first, those without one last. */
export const byAccuracy = <Each extends Measured>(all: readonly Each[]): Each[] =>
  all.toSorted((one, other) => (accuracyOf(other)?.value ?? -1) - (accuracyOf(one)?.value ?? -1));

/** Arms in which nothing is exchanged: those that are compared with one another. */
export const plainArms = ({ arms }: StatsReport): ArmStatistics[] => arms.filter(({ swap }) => swap === null);

type Ends = Pick<Point, 'value' | 'low' | 'high'>;

/** A number and both ends of its interval as columns. */
export const endColumns = <Row>(
  names: readonly [string, string, string],
  as: (name: string, of: (row: Row) => number | null) => Column<Row>,
  of: (row: Row) => { readonly [Key in keyof Ends]: number | null } | null | undefined,
): Column<Row>[] => [
  as(names[0], (row) => of(row)?.value ?? null),
  as(names[1], (row) => of(row)?.low ?? null),
  as(names[2], (row) => of(row)?.high ?? null),
];

/** The columns of an estimate: the number, its interval, its n and how the interval was found. */
export const pointColumns = <Row>(
  name: string,
  as: (name: string, of: (row: Row) => number | null) => Column<Row>,
  of: (row: Row) => Point | null,
): Column<Row>[] => [
  ...endColumns([name, `${name}, low`, `${name}, high`], as, of),
  count(`${name}, n`, (row) => of(row)?.n ?? null),
  text(`${name}, interval`, (row) => of(row)?.method ?? null),
];

/** A dot and its interval. */
export function estimate<Row>({
  id,
  name,
  rows,
  panel,
  of,
  at,
  along,
  colour,
  symbol,
  size,
  offset,
  width,
  ends,
  z,
  label,
  tip,
}: {
  readonly id: string;
  readonly name?: string;
  readonly rows: readonly Row[];
  readonly panel?: number;
  of(row: Row): Point | null;
  /** Place on the axis across; that of the row without it. */
  at?(row: Row, place: number): number;
  /** The axis of the estimate. */
  readonly along: 'x' | 'y';
  readonly colour: Colour;
  readonly symbol?: string;
  readonly size?: number | ((row: Row) => number);
  /** Pixels beside the place. */
  readonly offset?: number;
  /** Of the interval, in pixels: of its line, and half of the strokes at its ends. */
  readonly width?: number;
  readonly ends?: number;
  readonly z?: number;
  /** Words beside a mark. */
  readonly label?: (row: Row, paint: Paint, size: FigureSize) => object;
  tip(row: Row, point: Point): string;
}): Mark[] {
  const across = (row: Row, place: number) => at?.(row, place) ?? place;
  const value = (row: Row) => of(row)?.value;
  const terms = {
    id,
    rows,
    panel,
    behind: (row: Row) => of(row)?.behind ?? null,
  };
  return [
    dot({
      ...terms,
      name,
      ...(along === 'x' ? { x: value, y: across } : { x: across, y: value }),
      colour,
      symbol,
      size,
      offset: offset === undefined ? undefined : along === 'x' ? [0, offset] : [offset, 0],
      z,
      label,
      tip: (row) => {
        const point = of(row);
        return point === null ? '' : tip(row, point);
      },
    }),
    interval({
      ...terms,
      at: across,
      along,
      colour,
      low: (row) => of(row)?.low ?? null,
      high: (row) => of(row)?.high ?? null,
      ...(offset === undefined ? {} : { offset }),
      ...(width === undefined ? {} : { width }),
      ...(ends === undefined ? {} : { ends }),
    }),
  ];
}

type Estimated = { readonly [Key in keyof Ends]: number | null };

/** A line through estimates, each with its interval. */
export function trend<Row>({
  of,
  at,
  size = 8,
  width = 2,
  dash = 'solid',
  z,
  intervals = z,
  ...channels
}: {
  readonly id: string;
  readonly name: string;
  readonly rows: readonly Row[];
  readonly panel?: number;
  of(row: Row): Estimated | null;
  at(row: Row): number;
  readonly colour: number;
  readonly size?: number;
  readonly width?: number;
  readonly dash?: 'solid' | 'dashed' | 'dotted';
  readonly z?: number;
  /** z of the intervals. */
  readonly intervals?: number;
  tip(row: Row): string;
  behind(row: Row): TrialsBehind | null;
}): Mark[] {
  return [
    interval({
      ...channels,
      at,
      along: 'y',
      ends: 3,
      low: (row) => of(row)?.low ?? null,
      high: (row) => of(row)?.high ?? null,
      ...(intervals === undefined ? {} : { z: intervals }),
    }),
    line({ ...channels, x: at, y: (row) => of(row)?.value, size, width, dash, z }),
  ];
}

/** `40 decided trials of 40 cases in each arm. Lines are 95% intervals over cases.`, from the points that are drawn. */
export function countText(
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
  return `${countsAsText(counts, { ...words, cases: drawn.map(({ cases }) => cases) })}${intervals}.`;
}

/** The words about few cases for the points that are drawn; empty where none has few. */
export function fewWords(points: readonly (Point | null)[]): string {
  const cases = points.flatMap((point) => point?.cases ?? []);
  return cases.length === 0 ? '' : smallN(Math.min(...cases));
}

/** `71.7%, 58.4% to 82.1%`: a number with its interval. */
export function endsText({ value, low, high }: Ends, inWords: (value: number) => string = percent): string {
  return `${inWords(value)}${low === null || high === null ? '' : `, ${inWords(low)} to ${inWords(high)}`}`;
}

/** `71.7%, 58.4% to 82.1%, n = 60`: a point in a tooltip. */
export const pointText = (point: Point, inWords: (value: number) => string = percent): string =>
  `${endsText(point, inWords)}, n = ${point.n}`;

/** A number with two digits behind the point, and a true minus sign. */
export const twoDigits = (value: number): string => value.toFixed(2).replace('-', '−');
