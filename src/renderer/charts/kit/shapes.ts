import type { Mark } from './figure.ts';
import { type Channels, type Colour, colourOf, mark, missing, type Of, type Place } from './marks.ts';

/** Marks that the drawing library does not have: they are drawn point by point. */

interface RenderApi {
  value(dimension: number): number;
  coord(point: [number, number]): [number, number];
  size(span: [number, number]): [number, number];
}

export interface IntervalChannels<Row> extends Channels<Row> {
  /** Place on the other axis: a number, or the index of a name. */
  readonly at: Of<Row, number>;
  readonly low: Of<Row, number | null>;
  readonly high: Of<Row, number | null>;
  /** The axis that it lies along. */
  readonly along: 'x' | 'y';
  readonly colour: Colour;
  /** Pixels from the place. */
  readonly offset?: number | undefined;
  /** Half the length of the strokes at both ends in pixels; none without it. */
  readonly ends?: number | undefined;
  readonly width?: number | undefined;
}

const stroke = (colour: string, width: number) => ({ stroke: colour, lineWidth: width, fill: 'none' });
const inOrder = (along: 'x' | 'y', one: number, other: number): [number, number] => (along === 'x' ? [one, other] : [other, one]);

/** A line from the low to the high end; none where an end is missing. The keys skip it: its dot says it too. */
export function interval<Row>({
  at,
  low,
  high,
  along,
  colour,
  offset = 0,
  ends = 0,
  width = 1.5,
  z = 1,
  ...rest
}: IntervalChannels<Row>) {
  // The legend names the marks that it is of.
  const terms = { ...rest, z, id: `${rest.id}-interval`, name: undefined };
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
  /** Pixels of both ends from the row. */
  readonly offsets: readonly [number, number];
}

/** A thin line in each row from one number to another, along the x axis. It opens no trials. */
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

interface MatrixChannels<Row> extends Channels<Row> {
  readonly column: Of<Row, number>;
  readonly row: Of<Row, number>;
  readonly count: Of<Row, number>;
  /** 0 to 1. */
  readonly shade: Of<Row, number>;
  /** Whether it stands out: on the diagonal of a matrix. */
  readonly isMarked: Of<Row, boolean>;
  /** Of what stands out, and of the others. */
  readonly colours: readonly [Colour, Colour];
}

/** Shade of a cell that holds all that it could: the text on it has to stay readable. */
const strongest = 0.5;

export function matrix<Row>({ column, row, count, shade, isMarked, colours, ...rest }: MatrixChannels<Row>): Mark {
  return mark(rest, (paint) => ({
    type: 'custom',
    encode: { x: 0, y: 1 },
    data: rest.rows.map((each, at) => [
      column(each, at),
      row(each, at),
      count(each, at),
      shade(each, at),
      isMarked(each, at) ? 1 : 0,
    ]),
    renderItem: (_params: unknown, api: RenderApi) => {
      const [n, part, marked] = [api.value(2), api.value(3), api.value(4) === 1];
      const [x, y] = api.coord([api.value(0), api.value(1)]);
      const [width, height] = api.size([1, 1]);
      const shape = { x: x - width / 2 + 1, y: y - height / 2 + 1, width: width - 2, height: height - 2 };
      const edge = paint.colour(marked ? 'line-strong' : 'line');
      const words = {
        text: String(n),
        x,
        y,
        align: 'center' as const,
        verticalAlign: 'middle' as const,
        fill: paint.colour(n === 0 ? 'muted' : 'ink'),
        font: `${marked ? 600 : 400} 12px ${paint.colour('sans')}`,
      };
      return {
        type: 'group' as const,
        children: [
          { type: 'rect' as const, shape, style: { fill: colourOf(paint, colours[marked ? 0 : 1]), opacity: part * strongest } },
          { type: 'rect' as const, shape, style: { fill: 'transparent', stroke: edge, lineWidth: 1 } },
          { type: 'text' as const, style: words },
        ],
      };
    },
  }));
}

interface RibbonChannels<Row> extends Channels<Row> {
  /** Where it begins on the upper edge and on the lower one, and how wide it is, as numbers of the x axis. */
  readonly from: Of<Row, number>;
  readonly to: Of<Row, number>;
  readonly wide: Of<Row, number>;
  readonly count: Of<Row, number>;
  /** Of the flow and of its lower edge, and of its upper edge. */
  readonly colour: Colour;
  readonly before: Colour;
  readonly opacity: number;
}

/** A flow in each row from its upper to its lower edge, with its count where there is room. */
export function ribbon<Row>({ from, to, wide, count, colour, before, opacity, ...rest }: RibbonChannels<Row>): Mark {
  return mark(rest, (paint) => ({
    type: 'custom',
    itemStyle: { color: colourOf(paint, colour), opacity },
    encode: { x: [1, 2], y: 0 },
    data: rest.rows.map((row, at) => [at, from(row, at), from(row, at) + wide(row, at), to(row, at), count(row, at)]),
    renderItem: (_params: unknown, api: RenderApi) => {
      const [at, start, end, target] = [api.value(0), api.value(1), api.value(2), api.value(3)];
      if (end <= start) return undefined;
      const x = (value: number) => api.coord([value, at])[0];
      const middle = api.coord([0, at])[1];
      const half = Math.min(30, (api.size([0, 1])[1] - 22) / 2);
      const [y0, y1] = [middle - half, middle + half];
      const [a0, a1, b0, b1] = [x(start), x(end), x(target), x(target + end - start)];
      const fill = colourOf(paint, colour);
      const edge = (x0: number, x1: number, y: number, drawn: string) => ({
        type: 'rect' as const,
        shape: { x: x0, y, width: Math.max(0, x1 - x0), height: 5 },
        style: { fill: drawn },
      });
      const words = {
        text: String(api.value(4)),
        x: (a0 + a1) / 2,
        y: y0 + 9,
        align: 'center' as const,
        verticalAlign: 'middle' as const,
        fill: paint.colour(opacity > 0.5 ? 'panel' : 'ink'),
        fontSize: 12,
        fontFamily: paint.colour('sans'),
      };
      const pathData = `M${a0},${y0}C${a0},${middle} ${b0},${middle} ${b0},${y1}L${b1},${y1}C${b1},${middle} ${a1},${middle} ${a1},${y0}Z`;
      return {
        type: 'group' as const,
        children: [
          { type: 'path' as const, shape: { pathData }, style: { fill, opacity, stroke: paint.colour('panel'), lineWidth: 1 } },
          edge(a0, a1, y0 - 5, colourOf(paint, before)),
          edge(b0, b1, y1, fill),
          ...(a1 - a0 < 16 ? [] : [{ type: 'text' as const, silent: true, style: words }]),
        ],
      };
    },
  }));
}
