import type { EChartsCoreOption } from 'echarts/core';
import { percent } from '../../../core/figures/shares.ts';
import { baselineLine, dodge, legend, nameAxis, shareAxis, shownName, tooltip, valueAxis, whiskers } from '../kit/axes.ts';
import type { FigureSize, Paint } from '../kit/figure.ts';
import { type Point, pointWords, twoDigits } from './points.ts';

/** Marks of one kind, one for each row; null where a row has none. */
export interface DotSeries {
  readonly id: string;
  readonly name: string;
  /** Its place in the palette. */
  readonly place: number;
  readonly points: readonly (Point | null)[];
}

/** One scale with the marks on it. All panels have the same rows. */
export interface DotPanel {
  readonly id: string;
  /** Under the scale. */
  readonly title?: string;
  /** `share`: 0 to 1 in percent; `number`: 0 to 1; `signed`: -1 to 1. */
  readonly scale: 'share' | 'number' | 'signed';
  readonly series: readonly DotSeries[];
  /** Lines of reference. */
  readonly lines?: readonly { readonly value: number; readonly name: string }[];
  /** Joins the first two marks of a row. */
  readonly joined?: boolean;
}

export interface DotRows {
  readonly names: readonly string[];
  readonly panels: readonly DotPanel[];
  /** Panels side by side; what is more goes below. */
  readonly columns?: number;
  /** False where the titles of the scales say all. */
  readonly legend?: boolean;
}

const lane = 11;
/** Pixels of an average letter of a label. */
const letter = 7;
const between = 22;
const lanesOf = (panels: readonly DotPanel[]) => Math.max(1, ...panels.map(({ series }) => series.length));
const headOf = ({ panels, legend: hasLegend = true }: DotRows) =>
  (hasLegend ? 34 : 10) + (panels.some(({ lines = [] }) => lines.length > 0) ? 18 : 0);
const lineHeight = 14;
/** Pixels of an average letter of a title; it may reach a little beyond its scale. */
const titleLetter = 6.2;
/** Letters of a line under a scale in the narrowest window, by panels side by side. */
const narrowest = [32, 14, 9];

/** A title in lines of so many letters, broken between words. */
function linesOf(title: string, letters: number): string[] {
  const lines: string[] = [];
  for (const word of title.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= letters) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Pixels under a scale: titles are broken into lines, and have room for them in a narrow window too. */
function belowOf({ panels, columns = 1 }: DotRows): number {
  const letters = narrowest[Math.min(columns, panels.length, narrowest.length) - 1] ?? 9;
  const lines = Math.max(0, ...panels.map(({ title }) => (title === undefined ? 0 : linesOf(shownName(title), letters).length)));
  return lines === 0 ? 28 : 46 + (lines - 1) * lineHeight;
}
/** Heights of the rows of panels: as many lanes as the fullest panel of each needs. */
function bandsOf(rows: DotRows): number[] {
  const { panels, columns = 1, names } = rows;
  return Array.from({ length: Math.ceil(panels.length / columns) }, (_none, band) => {
    const lanes = lanesOf(panels.slice(band * columns, (band + 1) * columns));
    return names.length * (lanes * lane + 13) + belowOf(rows);
  });
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Height in pixels in which no two marks of neighbouring rows meet. */
export const dotRowsHeight = (rows: DotRows): number => headOf(rows) + sum(bandsOf(rows));

/** Where in the drawing a panel stands, in pixels. */
function gridOf(rows: DotRows, place: number, { width, height }: FigureSize) {
  const { columns = 1, panels } = rows;
  const side = Math.min(columns, panels.length);
  const longest = Math.max(...rows.names.map((name) => shownName(name).length)) * letter;
  const room = Math.round(Math.min(longest, 240, Math.max(84, width * (side > 1 ? 0.24 : 0.34))));
  const span = (width - room - 26 - between * (side - 1)) / side;
  const head = headOf(rows);
  const bands = bandsOf(rows);
  const stretch = (height - head) / sum(bands);
  const band = Math.floor(place / columns);
  return {
    room,
    left: room + 10 + (place % columns) * (span + between),
    width: span,
    top: head + sum(bands.slice(0, band)) * stretch,
    height: (bands[band] ?? 0) * stretch - belowOf(rows),
  };
}

interface RenderApi {
  value(dimension: number): number;
  coord(point: [number, number]): [number, number];
}

/** A thin line from the first to the second mark of each row. */
function joint(id: string, [first, second]: readonly DotSeries[], offsets: readonly number[], colour: string) {
  const data = (first?.points ?? []).map((point, at) => [at, point?.value ?? '-', second?.points[at]?.value ?? '-']);
  return {
    type: 'custom' as const,
    id,
    z: 0,
    silent: true,
    tooltip: { show: false },
    encode: { x: [1, 2], y: 0 },
    data,
    renderItem: (_params: unknown, api: RenderApi) => {
      const [at, from, to] = [api.value(0), api.value(1), api.value(2)];
      if (!(Number.isFinite(from) && Number.isFinite(to))) return undefined;
      const [[x1, y], [x2]] = [api.coord([from, at]), api.coord([to, at])];
      const shape = { x1, y1: y + (offsets[0] ?? 0), x2, y2: y + (offsets[1] ?? 0) };
      return { type: 'line' as const, shape, style: { stroke: colour, lineWidth: 1 } };
    },
  };
}

/** Rows of marks with their intervals on one or several scales; told apart by colour and symbol. */
export function dotRows(rows: DotRows, paint: Paint, size: FigureSize): EChartsCoreOption {
  const { names, panels, columns = 1 } = rows;
  const named = panels.flatMap(({ series }) => series.filter(({ points }) => points.some((point) => point !== null)));
  const shown = new Map(panels.flatMap(({ scale, series }) => series.map((each) => [each.id, { ...each, scale }] as const)));
  const of = ({ id, series, lines = [], joined = false, scale }: DotPanel, place: number) => {
    const axes = { xAxisIndex: place, yAxisIndex: place };
    const offsets = series.map((_each, index) => dodge(index, series.length, lane));
    const marks = series.flatMap((each, index) => {
      const { colour, symbol } = paint.series(each.place);
      return [
        {
          type: 'scatter' as const,
          id: each.id,
          name: each.name,
          ...axes,
          symbol,
          symbolSize: 9,
          symbolOffset: [0, offsets[index] ?? 0],
          itemStyle: { color: colour },
          data: each.points.map((point, at) => [point?.value ?? '-', at]),
        },
        {
          ...whiskers({
            id: `${each.id}-interval`,
            colour,
            sideways: true,
            offset: offsets[index] ?? 0,
            points: each.points.map((point, at) => ({ at, low: point?.low ?? null, high: point?.high ?? null })),
          }),
          ...axes,
        },
      ];
    });
    const joints = joined ? [{ ...joint(`${id}-joint`, series, offsets, paint.colour('line-strong')), ...axes }] : [];
    const zero = scale === 'signed' ? [{ value: 0, name: '' }, ...lines] : lines;
    return [...marks, ...joints, { ...baselineLine(paint, { id: `${id}-lines`, sideways: true, lines: zero }), ...axes }];
  };
  const grids = panels.map((_panel, place) => gridOf(rows, place, size));
  const axis = ({ scale, title }: DotPanel, place: number) => {
    const letters = Math.floor((grids[place]?.width ?? 0) / titleLetter);
    const words = title === undefined ? {} : { name: linesOf(shownName(title), letters).join('\n'), nameGap: 24 };
    const scaled =
      scale === 'share' ? shareAxis(paint, words) : valueAxis(paint, { min: scale === 'signed' ? -1 : 0, max: 1, ...words });
    const aligned = columns > 1 ? { alignMinLabel: 'left' as const, alignMaxLabel: 'right' as const } : {};
    return {
      ...scaled,
      splitNumber: columns > 1 ? 2 : 5,
      nameTextStyle: { ...scaled.nameTextStyle, lineHeight, align: 'center' as const, verticalAlign: 'top' as const },
      axisLabel: { ...scaled.axisLabel, ...aligned },
    };
  };
  return {
    animation: false,
    grid: grids.map(({ room: _room, ...grid }) => grid),
    legend: { ...legend(paint), show: rows.legend ?? true, data: [...new Set(named.map(({ name }) => name))] },
    tooltip: {
      ...tooltip(paint),
      trigger: 'item',
      formatter: ({ seriesId = '', dataIndex = 0 }: { seriesId?: string; dataIndex?: number }) => {
        const series = shown.get(seriesId);
        const point = series?.points[dataIndex];
        if (series === undefined || point === undefined || point === null) return '';
        const words = pointWords(point, series.scale === 'share' ? percent : twoDigits);
        return `${shownName(names[dataIndex] ?? '')}\n${series.name}: ${words}`;
      },
    },
    xAxis: panels.map((panel, place) => ({ ...axis(panel, place), gridIndex: place })),
    yAxis: panels.map((_panel, place) => {
      const names_ = nameAxis(paint, names, { room: grids[place]?.room ?? 100, upright: true });
      return {
        ...names_,
        gridIndex: place,
        axisLabel: { ...names_.axisLabel, show: place % columns === 0 },
      };
    }),
    series: panels.flatMap(of),
  };
}

/** Series and row of a mark or of its interval; null for lines of reference. */
export function dotAt(rows: DotRows, seriesId: string | null): DotSeries | null {
  const id = seriesId?.replace(/-interval$/, '');
  return rows.panels.flatMap(({ series }) => series).find((each) => each.id === id) ?? null;
}
