import type { EChartsCoreOption } from 'echarts/core';
import { tooltip } from './axes.ts';
import type {
  Cell,
  DrawnMark,
  Figure,
  FigureSize,
  FigureSources,
  FigureTable,
  Paint,
  Plot,
  PlotTable,
  TrialsBehind,
} from './figure.ts';
import { belowLegend, legendOf } from './legend.ts';

type As = FigureTable['columns'][number]['as'];

/** A column of the table: a channel with its name. */
export interface Column<Row> {
  readonly name: string;
  readonly as: As;
  of(row: Row): Cell;
}

const columnAs =
  (as: As) =>
  <Row>(name: string, of: (row: Row) => Cell): Column<Row> => ({ name, as, of });
export const text = columnAs('text');
export const share = columnAs('share');
export const number = columnAs('number');
export const count = columnAs('count');

export const table = <Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  behind: (row: Row) => TrialsBehind | null,
): PlotTable => ({
  columns: columns.map(({ name, as }) => ({ name, as })),
  rows: rows.map((row) => columns.map(({ of }) => of(row))),
  behind: (at) => rows.slice(at, at + 1).map(behind)[0] ?? null,
});

type Needs = Figure['needs'][number];
type Read<Needed extends Needs> = FigureSources & { readonly [Each in Needed]: NonNullable<FigureSources[Each]> };

interface Declared<Needed extends Needs> extends Omit<Figure, 'needs' | 'plot'> {
  readonly needs?: readonly Needed[];
  plot(sources: Read<Needed>): Plot | null;
}

/** A figure, from its declaration. */
export function figure<Needed extends Needs = never>({ plot, needs = [], ...about }: Declared<Needed>): Figure {
  const isRead = (sources: FigureSources): sources is Read<Needed> => needs.every((need) => sources[need] !== null);
  return { ...about, needs, plot: (sources) => (isRead(sources) ? plot(sources) : null) };
}

/** Pixels that a drawing needs at a width: a legend may have several rows there. */
export const heightAt = (plot: Plot, width: number): number => plot.height + belowLegend(plot, width);

type Placed = { readonly top: number };
const lower = (placed: unknown, by: number): unknown =>
  Array.isArray(placed) ? placed.map((each) => lower(each, by)) : { ...(placed as Placed), top: (placed as Placed).top + by };

/** What the drawing library draws of a plot. */
export function optionOf(plot: Plot, paint: Paint, size: FigureSize): EChartsCoreOption {
  const { marks, layout } = plot;
  const byId = new Map(marks.map((mark) => [mark.id, mark]));
  const below = belowLegend(plot, size.width);
  const own = { ...size, height: size.height - below };
  const placed = Object.entries(layout(paint, own));
  return {
    animation: false,
    legend: legendOf(plot, paint, size),
    tooltip: {
      ...tooltip(paint),
      trigger: 'item',
      formatter: ({ seriesId = '', dataIndex = 0 }: { seriesId?: string; dataIndex?: number }) =>
        byId.get(seriesId)?.tip(dataIndex) ?? '',
    },
    ...Object.fromEntries(
      placed.map(([part, terms]) => [part, part === 'grid' || part === 'title' ? lower(terms, below) : terms]),
    ),
    series: marks.map((mark) => mark.series(paint, own)),
  };
}

/** Trials behind a mark; null where it has none, such as a line of reference. */
export const behindMark = ({ marks }: Plot, { seriesId, dataIndex }: DrawnMark): TrialsBehind | null =>
  marks.find(({ id }) => id === seriesId)?.behind(dataIndex) ?? null;
