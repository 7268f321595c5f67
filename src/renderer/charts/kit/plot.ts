import { legend, tooltip } from './axes.ts';
import type {
  Absent,
  Cell,
  Figure,
  FigureFinding,
  FigureSize,
  FigureSources,
  FigureTable,
  Paint,
  TrialsBehind,
} from './figure.ts';
import type { Mark } from './marks.ts';

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

/** The drawn numbers as a table, and the trials behind its rows. */
interface PlotTable extends FigureTable {
  readonly behind: readonly (() => TrialsBehind | null)[];
}

export const table = <Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  behind: (row: Row) => TrialsBehind | null,
): PlotTable => ({
  columns: columns.map(({ name, as }) => ({ name, as })),
  rows: rows.map((row) => columns.map(({ of }) => of(row))),
  behind: rows.map((row) => () => behind(row)),
});

/** What a figure draws of an experiment. */
export interface Plot {
  /** What stands under it: n, how the intervals were drawn, what is missing, whether n is small. */
  readonly caption: string;
  /** Null where no rule allows a sentence. */
  readonly finding?: FigureFinding | null;
  /** CSS pixels. */
  readonly height: number;
  /** Grids, axes and titles. */
  layout(paint: Paint, size: FigureSize): object;
  /** Names of the legend; no legend without them. */
  readonly legend?: readonly (string | object)[];
  /** All names at once, on several lines, and none behind an arrow. */
  readonly isWholeLegend?: boolean;
  readonly marks: readonly Mark[];
  readonly table: PlotTable;
}

type Needs = Figure['needs'][number];
type Read<Needed extends Needs> = FigureSources & { readonly [Each in Needed]: NonNullable<FigureSources[Each]> };

interface Declared<Needed extends Needs> extends Pick<Figure, 'id' | 'title' | 'paper' | 'group'> {
  readonly needs?: readonly Needed[];
  /** The plot, or why there is nothing to draw. */
  plot(sources: Read<Needed>): Plot | Absent;
}

/** A figure, from its declaration. */
export function figure<Needed extends Needs = never>({ plot, needs = [], ...about }: Declared<Needed>): Figure<Plot> {
  const isRead = (sources: FigureSources): sources is Read<Needed> => needs.every((need) => sources[need] !== null);
  return {
    ...about,
    needs,
    data: (sources) => (isRead(sources) ? plot(sources) : { absent: 'The trials have not been read yet.' }),
    caption: ({ caption }) => caption,
    finding: ({ finding = null }) => finding,
    height: ({ height }) => height,
    option({ marks, layout, legend: names, isWholeLegend = false }, paint, size) {
      const byId = new Map(marks.map((mark) => [mark.id, mark]));
      return {
        animation: false,
        ...(names === undefined
          ? {}
          : { legend: { ...legend(paint), ...(isWholeLegend ? { type: 'plain' } : {}), data: names } }),
        tooltip: {
          ...tooltip(paint),
          trigger: 'item',
          formatter: ({ seriesId = '', dataIndex = 0 }: { seriesId?: string; dataIndex?: number }) =>
            byId.get(seriesId)?.tip(dataIndex) ?? '',
        },
        ...layout(paint, size),
        series: marks.map((mark) => mark.series(paint, size)),
      };
    },
    table: ({ table: { columns, rows } }) => ({ columns, rows }),
    behind: ({ marks }, { seriesId, dataIndex }) => marks.find(({ id }) => id === seriesId)?.behind(dataIndex) ?? null,
    behindRow: ({ table: { behind } }, row) => behind[row]?.() ?? null,
  };
}
