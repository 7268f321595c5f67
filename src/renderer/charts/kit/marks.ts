import { baselineLine, textStyle } from './axes.ts';
import type { FigureSize, Paint, TrialsBehind } from './figure.ts';

/**
 * Marks and their channels: each takes rows of its own and, for every channel, how a row gives it. The words under the pointer and
 * the trials behind are channels as well, so that nothing has to find a mark again by its name.
 */

/** One series of a chart, with what each of its marks says and stands for. */
export interface Mark {
  readonly id: string;
  series(paint: Paint, size: FigureSize): object;
  tip(at: number): string;
  behind(at: number): TrialsBehind | null;
}

type Of<Row, Value> = (row: Row, at: number) => Value;

/** A place in the palette, or a token of `base.css`. */
export type Colour = number | string;

/** A number on an axis; null is not drawn. */
type Place = number | string | null | undefined;

interface Channels<Row> {
  readonly id: string;
  readonly rows: readonly Row[];
  /** In the legend. */
  readonly name?: string | undefined;
  /** Place of the grid, where there are several. */
  readonly panel?: number | undefined;
  readonly z?: number | undefined;
  readonly tip?: Of<Row, string> | undefined;
  readonly behind?: Of<Row, TrialsBehind | null> | undefined;
}

export const colourOf = (paint: Paint, colour: Colour): string =>
  typeof colour === 'number' ? paint.series(colour).colour : paint.colour(colour);

const missing = (value: Place) => value ?? '-';

/** A mark of any kind; `look` says how it is drawn. */
export function mark<Row>(
  { id, rows, name, panel, z, tip, behind }: Channels<Row>,
  look: (paint: Paint, size: FigureSize) => object,
): Mark {
  const of = <Value>(channel: Of<Row, Value> | undefined, at: number, none: Value): Value => {
    const row = rows[at];
    return row === undefined || channel === undefined ? none : channel(row, at);
  };
  return {
    id,
    series: (paint, size) => ({
      id,
      ...(name === undefined ? {} : { name }),
      ...(panel === undefined ? {} : { xAxisIndex: panel, yAxisIndex: panel }),
      ...look(paint, size),
      ...(z === undefined ? {} : { z }),
    }),
    tip: (at) => of(tip, at, ''),
    behind: (at) => of(behind, at, null),
  };
}

export interface PointChannels<Row> extends Channels<Row> {
  readonly x: Of<Row, Place>;
  readonly y: Of<Row, Place>;
  readonly colour: Colour;
  /** That of the palette without it. */
  readonly symbol?: string | undefined;
  readonly size?: number | Of<Row, number> | undefined;
}

interface DotChannels<Row> extends PointChannels<Row> {
  /** Pixels beside the place. */
  readonly offset?: readonly [number, number] | undefined;
  readonly silent?: boolean;
  /** Further terms of the filling and the edge. */
  readonly style?: (paint: Paint) => object;
  /** Words beside a mark. */
  readonly label?: (row: Row, paint: Paint, size: FigureSize) => object;
}

export const symbolOf = (paint: Paint, colour: Colour, symbol: string | undefined): string =>
  symbol ?? (typeof colour === 'number' ? paint.series(colour).symbol : 'circle');

/** A symbol at x and y. */
export function dot<Row>({ x, y, colour, symbol, size = 9, offset, silent, style, label, ...rest }: DotChannels<Row>): Mark {
  return mark(rest, (paint, whole) => ({
    type: 'scatter',
    symbol: symbolOf(paint, colour, symbol),
    symbolSize:
      typeof size === 'number'
        ? size
        : (_value: unknown, { dataIndex }: { dataIndex: number }) => size(rest.rows[dataIndex] as Row, dataIndex),
    ...(offset === undefined ? {} : { symbolOffset: offset }),
    ...(silent === true ? { silent, tooltip: { show: false } } : {}),
    itemStyle: { color: colourOf(paint, colour), ...style?.(paint) },
    data: rest.rows.map((row, at) => {
      const value = [missing(x(row, at)), missing(y(row, at))];
      return label === undefined ? value : { value, label: label(row, paint, whole) };
    }),
  }));
}

interface IntervalChannels<Row> extends Channels<Row> {
  /** Place on the other axis: a number, or the index of a name. */
  readonly at: Of<Row, number>;
  readonly low: Of<Row, number | null>;
  readonly high: Of<Row, number | null>;
  /** The axis that it lies along. */
  readonly along: 'x' | 'y';
  readonly colour: Colour;
  /** Pixels beside the place. */
  readonly offset?: number;
  /** Half the length of the strokes at both ends in pixels; none without it. */
  readonly ends?: number;
  readonly width?: number;
}

interface RenderApi {
  value(dimension: number): number;
  coord(point: [number, number]): [number, number];
}

const stroke = (colour: string, width: number) => ({ stroke: colour, lineWidth: width, fill: 'none' });
const inOrder = (along: 'x' | 'y', one: number, other: number): [number, number] => (along === 'x' ? [one, other] : [other, one]);

/** A line from the low to the high end; none where an end is missing. The keys pass it by: it is told with its dot. */
export function interval<Row>({
  at,
  low,
  high,
  along,
  colour,
  offset = 0,
  ends = 0,
  width = 1.5,
  ...rest
}: IntervalChannels<Row>) {
  const terms = { z: 1, ...rest, id: `${rest.id}-interval` };
  return mark(terms, (paint) => ({
    type: 'custom',
    tooltip: { show: false },
    encode: along === 'x' ? { x: [1, 2], y: 0 } : { x: 0, y: [1, 2] },
    data: rest.rows.map((row, place) => [at(row, place), missing(low(row, place)), missing(high(row, place))]),
    renderItem: (_params: unknown, api: RenderApi) => {
      const [place, from, to] = [api.value(0), api.value(1), api.value(2)];
      if (!(Number.isFinite(from) && Number.isFinite(to))) return undefined;
      const pixel = (value: number): [number, number] => {
        const [x, y] = api.coord(inOrder(along, value, place));
        return along === 'x' ? [x, y + offset] : [x + offset, y];
      };
      const [[x1, y1], [x2, y2]] = [pixel(from), pixel(to)];
      const line = (shape: object) => ({ type: 'line' as const, shape, style: stroke(colourOf(paint, colour), width) });
      const cap = (x: number, y: number) =>
        line(along === 'x' ? { x1: x, x2: x, y1: y - ends, y2: y + ends } : { x1: x - ends, x2: x + ends, y1: y, y2: y });
      return {
        type: 'group' as const,
        children: [line({ x1, y1, x2, y2 }), ...(ends === 0 ? [] : [cap(x1, y1), cap(x2, y2)])],
      };
    },
  }));
}

interface LinkChannels<Row> extends Channels<Row> {
  readonly from: Of<Row, Place>;
  readonly to: Of<Row, Place>;
  /** Pixels of both ends beside the row. */
  readonly offsets: readonly [number, number];
}

/** A thin line in each row from one number to another, along the x axis. Nothing stands behind it. */
export function link<Row>({ from, to, offsets, ...rest }: LinkChannels<Row>): Mark {
  return mark({ z: 0, ...rest }, (paint) => ({
    type: 'custom',
    silent: true,
    tooltip: { show: false },
    encode: { x: [1, 2], y: 0 },
    data: rest.rows.map((row, at) => [at, missing(from(row, at)), missing(to(row, at))]),
    renderItem: (_params: unknown, api: RenderApi) => {
      const [at, start, end] = [api.value(0), api.value(1), api.value(2)];
      if (!(Number.isFinite(start) && Number.isFinite(end))) return undefined;
      const [[x1, y], [x2]] = [api.coord([start, at]), api.coord([end, at])];
      const shape = { x1, y1: y + offsets[0], x2, y2: y + offsets[1] };
      return { type: 'line' as const, shape, style: { stroke: paint.colour('line-strong'), lineWidth: 1 } };
    },
  }));
}

interface BarChannels<Row> extends Channels<Row> {
  readonly value: Of<Row, number>;
  readonly colour: Colour;
  /** Place of the pattern in the palette; that of the colour without it. */
  readonly pattern?: number;
  readonly stack?: string;
  readonly width?: number;
  readonly widest?: number;
  /** Width of the edge in pixels. */
  readonly edge?: number;
}

/** A bar from 0. */
export function bar<Row>({ value, colour, pattern, stack, width, widest, edge, ...rest }: BarChannels<Row>): Mark {
  return mark(rest, (paint) => ({
    type: 'bar',
    ...(stack === undefined ? {} : { stack }),
    ...(width === undefined ? {} : { barWidth: width }),
    ...(widest === undefined ? {} : { barMaxWidth: widest }),
    itemStyle: {
      color: colourOf(paint, colour),
      decal: paint.series(pattern ?? (typeof colour === 'number' ? colour : 0)).decal,
      ...(edge === undefined ? {} : { borderColor: paint.colour('panel'), borderWidth: edge }),
    },
    data: rest.rows.map(value),
  }));
}

interface LineChannels<Row> extends PointChannels<Row> {
  readonly dash?: 'solid' | 'dashed' | 'dotted';
  readonly width?: number;
  /** Further terms of the series. */
  readonly also?: object;
}

/** A line through x and y, with a symbol at each. */
export function line<Row>({ x, y, colour, symbol, size = 9, dash = 'solid', width = 2, also, ...rest }: LineChannels<Row>): Mark {
  return mark(rest, (paint) => ({
    type: 'line',
    symbol: symbolOf(paint, colour, symbol),
    symbolSize: size,
    itemStyle: { color: colourOf(paint, colour) },
    lineStyle: { color: colourOf(paint, colour), width, type: dash },
    data: rest.rows.map((row, at) => [missing(x(row, at)), missing(y(row, at))]),
    ...also,
  }));
}

/** Dotted lines of reference over a whole grid, at places of the x or the y axis. Nothing stands behind them. */
export function rule({
  id,
  on,
  lines,
  panel,
}: {
  readonly id: string;
  readonly on: 'x' | 'y';
  readonly lines: readonly { readonly value: number; readonly name: string }[];
  readonly panel?: number | undefined;
}): Mark {
  return mark<never>({ id, rows: [], panel }, (paint) => baselineLine(paint, { id, lines, sideways: on === 'x' }));
}

interface CellChannels<Row> extends Channels<Row> {
  readonly column: Of<Row, number>;
  readonly row: Of<Row, number>;
  readonly value: Of<Row, number>;
  readonly words: Of<Row, string>;
  /** Pixels of the words across. */
  readonly room: (size: FigureSize) => number;
}

/** Fields that are darker where a number is higher, with the number in words on each. */
export function cell<Row>({ column, row, value, words, room, ...rest }: CellChannels<Row>): Mark[] {
  const field = mark(rest, (paint) => ({
    type: 'heatmap',
    data: rest.rows.map((each, at) => [column(each, at), row(each, at), value(each, at)]),
    itemStyle: { borderColor: paint.colour('paper'), borderWidth: 2 },
    emphasis: { disabled: true },
    label: { show: false },
  }));
  // On a ground of their own, since a field can be of any darkness.
  const written = mark({ id: `${rest.id}/words`, rows: rest.rows, z: 5 }, (paint, size) => ({
    type: 'scatter',
    silent: true,
    symbol: 'roundRect',
    symbolSize: [room(size), 20],
    itemStyle: { color: paint.colour('paper'), opacity: 1 },
    tooltip: { show: false },
    data: rest.rows.map((each, at) => ({
      value: [column(each, at), row(each, at)],
      label: { show: true, formatter: words(each, at), ...textStyle(paint), color: paint.colour('ink') },
    })),
  }));
  return [field, written];
}
