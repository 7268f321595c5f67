import { cutName, shownName, textStyle } from './axes.ts';
import type { FigureSize, Mark, Paint, TrialsBehind } from './figure.ts';

/** Marks with their channels: how a row gives each, the words under the pointer and the trials behind too. */

export type Of<Row, Value> = (row: Row, at: number) => Value;

/** A place in the palette, or a token of `base.css`. */
export type Colour = number | string;

/** A number on an axis; null is not drawn. */
export type Place = number | string | null | undefined;

export interface Channels<Row> {
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

export const missing = (value: Place) => value ?? '-';

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

export interface DotChannels<Row> extends PointChannels<Row> {
  /** Pixels from the place. */
  readonly offset?: readonly [number, number] | undefined;
  readonly silent?: boolean;
  /** Further terms of the filling and the edge. */
  readonly style?: (paint: Paint) => object;
  /** Words at the right of a mark; at its left where they would leave the drawing, and not where others are already. */
  readonly label?: ((row: Row, paint: Paint) => object) | undefined;
}

export const symbolOf = (paint: Paint, colour: Colour, symbol: string | undefined): string =>
  symbol ?? (typeof colour === 'number' ? paint.series(colour).symbol : 'circle');

/** Pixels between a mark and its words. */
const besideMark = 5;
/** Pixels that stay free at the right of the words: without a page they are measured too short. */
const spareRight = 20;

interface Labelled {
  readonly rect: { readonly width: number };
  readonly labelRect: { readonly x: number; readonly width: number };
}

/** @param width pixels of the drawing */
const labelLayout =
  (width: number) =>
  ({ rect, labelRect }: Labelled) => ({
    hideOverlap: true,
    ...(labelRect.x + labelRect.width > width - spareRight ? { align: 'right', dx: -rect.width - 2 * besideMark } : {}),
  });

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
      return label === undefined ? value : { value, label: { position: 'right', distance: besideMark, ...label(row, paint) } };
    }),
    ...(label === undefined ? {} : { labelLayout: labelLayout(whole.width) }),
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

export interface LineChannels<Row> extends PointChannels<Row> {
  readonly dash?: 'solid' | 'dashed' | 'dotted';
  readonly width?: number;
  readonly opacity?: number;
  /** Further terms of the series. */
  readonly also?: object;
}

export function line<Row>({
  x,
  y,
  colour,
  symbol,
  size = 9,
  dash = 'solid',
  width = 2,
  opacity,
  also,
  ...rest
}: LineChannels<Row>): Mark {
  return mark(rest, (paint) => ({
    type: 'line',
    symbol: symbolOf(paint, colour, symbol),
    symbolSize: size,
    itemStyle: { color: colourOf(paint, colour) },
    lineStyle: { color: colourOf(paint, colour), width, type: dash, ...(opacity === undefined ? {} : { opacity }) },
    data: rest.rows.map((row, at) => [missing(x(row, at)), missing(y(row, at))]),
    ...also,
  }));
}

interface PathChannels<Row> extends Channels<Row> {
  readonly points: Of<Row, readonly (readonly [number, number])[]>;
  readonly colour: Colour;
  readonly opacity: number;
  readonly dash: 'solid' | 'dashed' | 'dotted';
}

/** A thin line for each row, through many points: where there are thousands of them, one series has them all. */
export function paths<Row>({ points, colour, opacity, dash, ...rest }: PathChannels<Row>): Mark {
  return mark(rest, (paint) => ({
    type: 'lines',
    coordinateSystem: 'cartesian2d',
    polyline: true,
    lineStyle: { color: colourOf(paint, colour), opacity, width: 1, type: dash },
    emphasis: { lineStyle: { opacity: 1, width: 2 } },
    data: rest.rows.map((row, at) => ({ coords: points(row, at) })),
  }));
}

interface AreaChannels<Row> extends Channels<Row> {
  readonly low: Of<Row, number>;
  readonly high: Of<Row, number>;
  readonly colour: Colour;
}

/** A band from low to high, from row to row. It opens no trials. */
export function area<Row>({ low, high, colour, ...rest }: AreaChannels<Row>): Mark[] {
  const part = (id: string, value: Of<Row, number>, opacity: number) =>
    mark({ ...rest, id }, (paint) => ({
      type: 'line',
      silent: true,
      tooltip: { show: false },
      symbol: 'none',
      stack: rest.id,
      lineStyle: { opacity: 0 },
      areaStyle: { color: colourOf(paint, colour), opacity },
      data: rest.rows.map((row, at) => [at, value(row, at)]),
    }));
  return [part(`${rest.id}/low`, low, 0), part(rest.id, (row, at) => high(row, at) - low(row, at), 0.22)];
}

/**
 * Dotted lines of reference over a whole grid, at places of the x or the y axis: baselines, chance, no difference. They open no trials.
 * Lines may lie on each other, so that only the one of the largest value bears its name; captions and tables name the others.
 */
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
  const named = lines.toSorted((one, other) => other.value - one.value)[0];
  const isUpright = on === 'x';
  return mark<never>({ id, rows: [], panel }, (paint) => ({
    type: 'scatter',
    data: [],
    silent: true,
    tooltip: { show: false },
    markLine: {
      silent: true,
      symbol: 'none',
      lineStyle: { type: 'dotted', color: paint.colour('line-strong'), width: 1.5 },
      label: { ...textStyle(paint), fontSize: 11, position: isUpright ? 'start' : 'insideEndTop' },
      data: lines.map((line) => ({
        [isUpright ? 'xAxis' : 'yAxis']: line.value,
        name: shownName(line.name),
        label: {
          show: line === named,
          formatter: cutName(line.name, 40),
          // Over the right end of a scale a name would leave the drawing.
          ...(isUpright && line.value > 0.6 ? { align: 'right' } : {}),
        },
      })),
    },
  }));
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
  // On their own background, since a field can be of any darkness.
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
