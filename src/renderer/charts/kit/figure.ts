import type { EChartsCoreOption } from 'echarts/core';
import type { DeliberationFigures } from '../../../shared/api/deliberation.ts';
import type { ExperimentView, TrialQuery } from '../../../shared/api/experiments.ts';
import type { ProtocolFigures } from '../../../shared/api/protocolFigures.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import type { Counted } from './counted.ts';
import type { Decal } from './palette.ts';

/** What figures are drawn from: the record, as the engine has summed it up. */
export interface FigureSources {
  readonly view: ExperimentView;
  readonly report: StatsReport;
  /** Null until it is read, and for figures that did not ask for it. */
  readonly deliberation: DeliberationFigures | null;
  readonly protocols: ProtocolFigures | null;
}

/** Colours, faces and marks of the page, read at drawing. */
export interface Paint {
  /** Value of a token of `base.css`: `ink`, `muted`, `line`, `prosecution`, `sans`… */
  colour(token: string): string;
  /** Colour and symbol of the n-th of several arms; told apart by symbol too, and by pattern where areas are filled. */
  series(index: number): { readonly colour: string; readonly symbol: string; readonly decal?: Decal };
}

/** Size of the drawing in CSS pixels. */
export interface FigureSize {
  readonly width: number;
  readonly height: number;
}

export type Cell = string | number | null;

/** The drawn numbers as a table: what the table view and the CSV show, and what tests hold against the report. */
export interface FigureTable {
  /** `share`: 0-1, shown in percent; the CSV has the number itself. */
  readonly columns: readonly { readonly name: string; readonly as: 'text' | 'number' | 'share' | 'count' }[];
  readonly rows: readonly (readonly Cell[])[];
}

/** Two arms, or an arm and a baseline, that a mark holds against each other. */
interface ComparedPair {
  readonly a: string;
  readonly b: string;
  readonly baseline: boolean;
}

/** Trials that a mark stands for, as a request of the list of trials, with what the mark says of them. */
export type TrialsBehind = Omit<TrialQuery, 'experiment' | 'order' | 'offset' | 'limit'> & {
  readonly counts?: Counted | undefined;
  readonly pair?: ComparedPair | undefined;
};

/** A mark of a chart, as ECharts tells of a click. */
export interface Mark {
  readonly seriesIndex: number;
  readonly seriesId: string | null;
  readonly dataIndex: number;
}

/** A sentence over a figure that states what it shows, and the written rule by which it may be said. */
export interface FigureFinding {
  readonly sentence: string;
  readonly rule: string;
}

/** Where an experiment has nothing to draw: why, and what experiment would have it. */
export interface Absent {
  readonly absent: string;
}

/** One figure: pure functions from what was read to what is drawn. Each has a folder of its own and a line in `figures.ts`. */
export interface Figure<Data = never> {
  /** Of file names and addresses: `accuracy-by-arm`. */
  readonly id: string;
  /** What it shows, plainly. Stands as the heading unless a finding does. */
  readonly title: string;
  /** Which figures and tables of the papers it is: `AgenticSimLLM: figures 2-5`; null for our own. */
  readonly paper: string | null;
  readonly group: 'performance' | 'calibration' | 'cost' | 'deliberation' | 'ablations' | 'protocols' | 'fairness';
  readonly needs: readonly ('deliberation' | 'protocols')[];
  /** The numbers that are drawn, or why there are none. */
  data(sources: FigureSources): Data | Absent;
  /** Null where no rule allows a sentence. Never over a part of the trials. */
  finding?(data: Data): FigureFinding | null;
  /** What stands under it: n, how the intervals were drawn, what is missing, whether n is small. */
  caption(data: Data): string;
  option(data: Data, paint: Paint, size: FigureSize): EChartsCoreOption;
  /** Height in CSS pixels for these data; 300 without it. */
  height?(data: Data): number;
  table(data: Data): FigureTable;
  /** Trials behind a mark; null where it has none, such as a line of reference. */
  behind(data: Data, mark: Mark): TrialsBehind | null;
  /** Trials behind a row of `table`, for who cannot click on a mark. */
  behindRow(data: Data, row: number): TrialsBehind | null;
}

export const isAbsent = (data: unknown): data is Absent => typeof data === 'object' && data !== null && 'absent' in data;
