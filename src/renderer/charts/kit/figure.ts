import type { DeliberationFigures } from '../../../shared/api/deliberation.ts';
import type { ExperimentView, TrialQuery } from '../../../shared/api/experiments.ts';
import type { ProtocolFigures } from '../../../shared/api/protocolFigures.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
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
  /** Colour and symbol of the n-th of several arms; by symbol too, and by pattern where areas are filled. */
  series(index: number): { readonly colour: string; readonly symbol: string; readonly decal?: Decal };
}

export interface FigureSize {
  readonly width: number;
  readonly height: number;
}

export type Cell = string | number | null;

/** The drawn numbers as a table: what the table view and the CSV show, and what tests hold against the report. */
export interface FigureTable {
  /** `share`: 0-1, shown in percent; `points`: a difference of two, shown in points; the CSV has the number itself. */
  readonly columns: readonly {
    readonly name: string;
    readonly as: 'text' | 'number' | 'share' | 'points' | 'count' | 'chance';
  }[];
  readonly rows: readonly (readonly Cell[])[];
}

interface ComparedPair {
  readonly a: string;
  readonly b: string;
  readonly baseline: boolean;
}

/** What the number of a mark counts: trials, or something that several of are in a trial, or that several trials make. */
export const countedUnits = ['trials', 'cases', 'speeches', 'pairs', 'pairs of replicates', 'sheets'] as const;

export interface Counted {
  readonly n: number;
  readonly of: (typeof countedUnits)[number];
}

export type TrialsBehind = Omit<TrialQuery, 'experiment' | 'order' | 'offset' | 'limit'> & {
  readonly counts?: Counted | undefined;
  readonly pair?: ComparedPair | undefined;
};

export interface DrawnMark {
  readonly seriesIndex: number;
  readonly seriesId: string | null;
  readonly dataIndex: number;
}

/** A sentence over a figure that states what it shows, and the written rule that allows it. */
export interface FigureFinding {
  readonly sentence: string;
  readonly rule: string;
}

export interface Mark {
  readonly id: string;
  series(paint: Paint, size: FigureSize): object;
  tip(at: number): string;
  behind(at: number): TrialsBehind | null;
}

export interface PlotTable extends FigureTable {
  /** @param row its place */
  behind(row: number): TrialsBehind | null;
}

export interface Plot {
  /** The text under it: n, how the intervals were drawn, what is missing, whether n is small. */
  readonly caption: string;
  /** What is on the screen only, behind the caption: how it is moved, what its table has; in no file. */
  readonly hint?: string;
  /** Null where no rule allows a sentence. */
  readonly finding?: FigureFinding | null;
  /** CSS pixels. */
  readonly height: number;
  layout(paint: Paint, size: FigureSize): object;
  /** Names of the legend; no legend without them. */
  readonly legend?: readonly (string | { readonly name: string; readonly icon: string })[];
  readonly marks: readonly Mark[];
  readonly table: PlotTable;
}

/** One figure: a pure function from what was read to what is drawn. Each has a line in `figures.ts`. */
export interface Figure {
  /** Of file names and addresses: `accuracy-by-arm`. */
  readonly id: string;
  /** What it shows, plainly. It is the heading unless a finding is. */
  readonly title: string;
  /** Which figures and tables of the papers it is: `AgenticSimLLM: figures 2-5`; absent for our own. */
  readonly paper?: string | undefined;
  /** What an experiment must have to show it, behind `It needs`: for the documentation. */
  readonly requires: string;
  readonly needs: readonly ('deliberation' | 'protocols')[];
  /** Null where there is nothing to draw. */
  plot(sources: FigureSources): Plot | null;
}
