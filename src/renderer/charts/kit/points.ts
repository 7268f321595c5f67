import { percent } from '../../../core/figures/shares.ts';
import type { ArmStatistics, StatsReport } from '../../../shared/outputs.ts';
import type { Measure } from '../../../shared/statistics.ts';
import { plainAmong } from '../../../shared/trialLine.ts';
import { smallN } from './axes.ts';
import { countsAsText } from './counts.ts';
import type { Counted, Mark, TrialsBehind } from './figure.ts';
import { type DotChannels, dot, type LineChannels, line, type Of } from './marks.ts';
import { type Column, count, text } from './plot.ts';
import { type IntervalChannels, interval } from './shapes.ts';

/** Trials that one request can name. */
const mostNamed = 5000;

/** These trials; the first of them where they are more than can be named at once. @param counts what the mark counts, where it is not these trials */
export const namedTrials = (trials: readonly string[], counts: Counted = { n: trials.length, of: 'trials' }): TrialsBehind => ({
  trials: trials.slice(0, mostNamed),
  counts,
});

/** ` A mark opens the first 5,000 of its trials.`, if one has more. */
export const manyNamed = (most: number): string => (most > mostNamed ? ' A mark opens the first 5,000 of its trials.' : '');

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

/** A measure with its trials; null where it has no value. */
export const pointIn = (
  { value, low, high, n, cases, interval_method: method }: Measure,
  behind: TrialsBehind | null,
): Point | null => (value === null ? null : { value, low, high, n, cases, method, behind });

/** A measure of an arm; null where the arm does not have it, or it has no value. */
export function pointOf(
  { arm, measures }: Measured,
  name: string,
  over: Measure['over'],
  label: string | null = null,
): Point | null {
  const found = measures.find((measure) => measure.name === name && measure.over === over && measure.label === label);
  return found === undefined ? null : pointIn(found, arm === undefined ? null : countedTrials(over, arm, found));
}

export const accuracyOf = (arm: Measured): Point | null => pointOf(arm, 'accuracy', 'all');

/** The F1 that represents a system: of the positive label, and where there is none, the mean over the labels. */
export const ledF1 = (arm: Measured, positive: string | null): Point | null =>
  positive === null ? pointOf(arm, 'macro_f1', 'decided') : pointOf(arm, 'f1', 'decided', positive);

export const ledF1Name = (positive: string | null): string => (positive === null ? 'macro-F1' : `F1 of ${positive}`);

/** Arms or baselines by their accuracy, the best first, those without one last. */
export const byAccuracy = <Each extends Measured>(all: readonly Each[]): Each[] =>
  all.toSorted((one, other) => (accuracyOf(other)?.value ?? -1) - (accuracyOf(one)?.value ?? -1));

/** The arms that are drawn together: an arm in which something is exchanged or changed is alone if its original is not there. */
export const plainArms = ({ arms }: StatsReport): ArmStatistics[] => plainAmong(arms);

type Ends = Pick<Point, 'value' | 'low' | 'high'>;

export const endColumns = <Row>(
  names: readonly [string, string, string],
  as: (name: string, of: (row: Row) => number | null) => Column<Row>,
  of: (row: Row) => { readonly [Key in keyof Ends]: number | null } | null | undefined,
): Column<Row>[] => [
  as(names[0], (row) => of(row)?.value ?? null),
  as(names[1], (row) => of(row)?.low ?? null),
  as(names[2], (row) => of(row)?.high ?? null),
];

const intervalNames = {
  wilson: 'Wilson',
  bca: 'BCa bootstrap',
  percentile: 'bootstrap percentiles',
  sandwich: 'standard errors',
} as const;

/** How an interval came about, as tables of figures name it. */
export const intervalName = (method: Point['method']): string | null => (method === null ? null : intervalNames[method]);

/** The columns of an estimate: the number, its interval, its n and how the interval was found. */
export const pointColumns = <Row>(
  name: string,
  as: (name: string, of: (row: Row) => number | null) => Column<Row>,
  of: (row: Row) => Point | null,
): Column<Row>[] => [
  ...endColumns([name, `${name}, low`, `${name}, high`], as, of),
  count(`${name}, n`, (row) => of(row)?.n ?? null),
  text(`${name}, interval`, (row) => intervalName(of(row)?.method ?? null)),
];

interface EstimateChannels<Row>
  extends Omit<DotChannels<Row>, 'x' | 'y' | 'offset' | 'tip' | 'behind'>,
    Pick<IntervalChannels<Row>, 'along' | 'offset' | 'width' | 'ends'> {
  of(row: Row): Point | null;
  /** Of the interval, where it has others than the dot. */
  readonly line?: Pick<IntervalChannels<Row>, 'colour' | 'z'>;
  /** Place on the axis across; that of the row without it. */
  readonly at?: Of<Row, number>;
  tip(row: Row, point: Point): string;
}

export function estimate<Row>(channels: EstimateChannels<Row>): Mark[] {
  const { of, at = (_row, place) => place, along, offset = 0, width, ends, line: own, tip, ...rest } = channels;
  const { id, rows, panel, colour } = rest;
  const value = (row: Row) => of(row)?.value;
  const behind = (row: Row) => of(row)?.behind ?? null;
  const low = (row: Row) => of(row)?.low ?? null;
  const high = (row: Row) => of(row)?.high ?? null;
  return [
    dot({
      ...rest,
      behind,
      ...(along === 'x' ? { x: value, y: at, offset: [0, offset] } : { x: at, y: value, offset: [offset, 0] }),
      tip: (row) => {
        const point = of(row);
        return point === null ? '' : tip(row, point);
      },
    }),
    interval({ id, rows, panel, colour, behind, at, along, offset, width, ends, low, high, ...own }),
  ];
}

type Estimated = { readonly [Key in keyof Ends]: number | null };

interface TrendChannels<Row> extends Omit<LineChannels<Row>, 'x' | 'y'> {
  of(row: Row): Estimated | null;
  at(row: Row): number;
  /** z of the intervals. */
  readonly intervals?: number;
}

/** A line through estimates, each with its interval. */
export function trend<Row>({ of, at, size = 8, intervals, ...rest }: TrendChannels<Row>): Mark[] {
  const { id, rows, panel, colour, behind, z } = rest;
  const low = (row: Row) => of(row)?.low ?? null;
  const high = (row: Row) => of(row)?.high ?? null;
  return [
    interval({ id, rows, panel, colour, behind, at, along: 'y', ends: 3, low, high, z: intervals ?? z }),
    line({ ...rest, x: at, y: (row) => of(row)?.value, size }),
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
  return `${countsAsText(counts, Number, { ...words, cases: drawn.map(({ cases }) => cases) })}${intervals}.`;
}

/** The words about few cases for the points that are drawn; empty where none has few. */
export function fewWords(points: readonly (Point | null)[]): string {
  const cases = points.flatMap((point) => point?.cases ?? []);
  return cases.length === 0 ? '' : smallN(Math.min(...cases));
}

/** `71.7% [58.4%, 82.1%]`: a share with its interval in a sentence; a dash where there is none. */
export const shareText = ({ value, low, high }: Estimated): string =>
  `${value === null ? '–' : percent(value)}${low === null || high === null ? '' : ` [${percent(low)}, ${percent(high)}]`}`;

/** `71.7%, 58.4% to 82.1%`: a number with its interval. */
export function endsText({ value, low, high }: Ends, inWords: (value: number) => string = percent): string {
  return `${inWords(value)}${low === null || high === null ? '' : `, ${inWords(low)} to ${inWords(high)}`}`;
}

/** `71.7%, 58.4% to 82.1%, n = 60`: a point in a tooltip. */
export const pointText = (point: Point, inWords: (value: number) => string = percent): string =>
  `${endsText(point, inWords)}, n = ${point.n}`;

export const twoDigits = (value: number): string => value.toFixed(2).replace('-', '−');
