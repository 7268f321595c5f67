import type { EChartsCoreOption } from 'echarts/core';
import { cutNames, lettersIn, shownName, textStyle, tooltip, widthOf } from './axes.ts';
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

type As = FigureTable['columns'][number]['as'];

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
export const difference = columnAs('points');
export const number = columnAs('number');
export const count = columnAs('count');
export const chance = columnAs('chance');

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

export function figure<Needed extends Needs = never>({ plot, needs = [], ...about }: Declared<Needed>): Figure {
  const isRead = (sources: FigureSources): sources is Read<Needed> => needs.every((need) => sources[need] !== null);
  return { ...about, needs, plot: (sources) => (isRead(sources) ? plot(sources) : null) };
}

/** Pixels that a drawing needs at a width: a legend may have several rows there. */
export const heightAt = (plot: Plot, width: number): number => plot.height + belowLegend(plot, width);

type Placed = { readonly top: number };
const lower = (placed: unknown, by: number): unknown =>
  Array.isArray(placed) ? placed.map((each) => lower(each, by)) : { ...(placed as Placed), top: (placed as Placed).top + by };

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

/** Pixels of the sign of a name, and of the space around both. */
const aroundName = 44;
const rowHeight = 20;
/** So many names are always in view; more have pages. */
const mostNames = 40;

type Name = NonNullable<Plot['legend']>[number];
const textOf = (name: Name): string => (typeof name === 'string' ? name : name.name);

function rowsOf({ legend: names = [] }: Plot, width: number) {
  const texts = names.map(textOf);
  const room = width - aroundName;
  const isLong = texts.some((text) => widthOf(shownName(text)) > room);
  const cut = isLong ? cutNames(texts, lettersIn(room, texts)) : texts;
  const rows: { names: Name[]; left: number }[] = [];
  for (const [place, name] of names.entries()) {
    const taken = widthOf(cut[place] ?? '') + aroundName;
    const last = rows.at(-1);
    if (last === undefined || last.left < taken) rows.push({ names: [name], left: width - taken });
    else {
      last.names.push(name);
      last.left -= taken;
    }
  }
  const shown = new Map(texts.map((text, place) => [text, cut[place] ?? text]));
  return { shown, rows: names.length > mostNames ? null : rows };
}

const belowLegend = (plot: Plot, width: number): number => rowHeight * Math.max(0, (rowsOf(plot, width).rows?.length ?? 1) - 1);

function legendOf(plot: Plot, paint: Paint, { width }: FigureSize): object[] {
  const { shown, rows } = rowsOf(plot, width);
  const part = (data: readonly Name[], place: number, type: 'plain' | 'scroll') => ({
    ...{ type, left: 0, top: place * rowHeight, itemHeight: 10, itemWidth: 14, itemGap: 20, data },
    textStyle: textStyle(paint),
    pageTextStyle: textStyle(paint),
    formatter: (name: string) => shown.get(name) ?? name,
    tooltip: { show: true, formatter: ({ name }: { name: string }) => name },
  });
  return rows === null ? [part(plot.legend ?? [], 0, 'scroll')] : rows.map(({ names }, place) => part(names, place, 'plain'));
}
