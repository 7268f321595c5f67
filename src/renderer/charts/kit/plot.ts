import type { EChartsCoreOption } from 'echarts/core';
import { cutNames, legend, lettersIn, tooltip } from './axes.ts';
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

/** So few names of a legend stand in one line, cut where they are long; more have pages. */
const fewNames = 4;
/** Pixels of the sign of a name, and of what stands around both. */
const aroundName = 44;

/** A legend without pages where all names can be in view. */
function legendOf(paint: Paint, { legend: names = [], isWholeLegend = false }: Plot, { width }: FigureSize): object {
  const usual = legend(paint);
  const isWide = isWholeLegend || names.length > fewNames;
  const most = isWide
    ? usual.textStyle.width
    : Math.max(48, Math.min(usual.textStyle.width, Math.floor(width / names.length) - aroundName));
  const texts = names.filter((name) => typeof name === 'string');
  const cut = cutNames(texts, lettersIn(most, texts));
  return {
    ...usual,
    ...(isWide && !isWholeLegend ? {} : { type: 'plain' }),
    textStyle: { ...usual.textStyle, width: most },
    data: names,
    formatter: (name: string) => cut[texts.indexOf(name)] ?? name,
    tooltip: { show: true, formatter: ({ name }: { name: string }) => name },
  };
}

/** What the drawing library draws of a plot. */
export function optionOf(plot: Plot, paint: Paint, size: FigureSize): EChartsCoreOption {
  const { marks, layout, legend: names } = plot;
  const byId = new Map(marks.map((mark) => [mark.id, mark]));
  return {
    animation: false,
    ...(names === undefined ? {} : { legend: legendOf(paint, plot, size) }),
    tooltip: {
      ...tooltip(paint),
      trigger: 'item',
      formatter: ({ seriesId = '', dataIndex = 0 }: { seriesId?: string; dataIndex?: number }) =>
        byId.get(seriesId)?.tip(dataIndex) ?? '',
    },
    ...layout(paint, size),
    series: marks.map((mark) => mark.series(paint, size)),
  };
}

/** Trials behind a mark; null where it has none, such as a line of reference. */
export const behindMark = ({ marks }: Plot, { seriesId, dataIndex }: DrawnMark): TrialsBehind | null =>
  marks.find(({ id }) => id === seriesId)?.behind(dataIndex) ?? null;
