import type { EChartsCoreOption } from 'echarts/core';
import { cutName, dodge, legend, shareAxis, shownName, tooltip, valueAxis, whiskers } from '../kit/axes.ts';
import type { FigureSize, Paint } from '../kit/figure.ts';
import { type Point, pointWords } from './points.ts';

/** An arm as a mark: x is known exactly, y with its interval. */
export interface ScatterMark {
  readonly name: string;
  readonly x: number;
  readonly y: Point;
  /** Stands beside the mark where there is room. */
  readonly labelled?: boolean;
  readonly ringed?: boolean;
}

export interface ScatterGroup {
  readonly id: string;
  readonly name: string;
  readonly marks: readonly ScatterMark[];
}

export interface Scatter {
  readonly groups: readonly ScatterGroup[];
  readonly x: { readonly name: string; readonly base: 2 | 10; readonly words: (value: number) => string };
  readonly y: { readonly name: string };
  /** Groups stand a little beside one another, where many have the same x. */
  readonly dodged?: boolean;
}

const grid = { left: 62, right: 26, top: 40, bottom: 50 };
/** Under this ratio of largest to smallest, a logarithmic axis has next to no ticks. */
const narrow = 5;
/** Part of a power that stays free at both ends of a logarithmic axis. */
const edge = 0.1;
const letter = 6.5;
const line = 14;

interface Scale {
  readonly logarithmic: boolean;
  readonly min: number;
  readonly max: number;
}

/** An axis a little wider than the marks; logarithmic from end to end of whole powers where they are far apart. */
function scaleOf({ groups, x: { base } }: Scatter): Scale {
  const values = groups.flatMap(({ marks }) => marks.map(({ x }) => x));
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (most / least < narrow) return { logarithmic: false, min: 0, max: most * 1.15 };
  const power = (round: (exponent: number) => number, value: number) => base ** round(Math.log(value) / Math.log(base));
  return {
    logarithmic: true,
    min: power((exponent) => Math.floor(exponent - edge), least),
    max: power((exponent) => Math.ceil(exponent + edge), most),
  };
}

/** Names that fit beside their marks without meeting another name, the best marks first. */
function namesThatFit({ groups }: Scatter, { logarithmic, min, max }: Scale, { width, height }: FigureSize): Set<ScatterMark> {
  const along = (value: number) => (logarithmic ? Math.log(value / min) / Math.log(max / min) : (value - min) / (max - min));
  const places = groups
    .flatMap(({ marks }) => marks)
    .filter(({ labelled = false }) => labelled)
    .toSorted((one, other) => other.y.value - one.y.value)
    .map((mark) => ({
      mark,
      x: grid.left + along(mark.x) * (width - grid.left - grid.right),
      y: grid.top + (1 - mark.y.value) * (height - grid.top - grid.bottom),
      wide: cutName(mark.name, 24).length * letter,
    }));
  const kept: typeof places = [];
  for (const place of places) {
    const outside = place.x - place.wide / 2 < 0 || place.x + place.wide / 2 > width;
    const meets = kept.some(
      (other) => Math.abs(other.x - place.x) < (other.wide + place.wide) / 2 && Math.abs(other.y - place.y) < line,
    );
    if (!outside && !meets) kept.push(place);
  }
  return new Set(kept.map(({ mark }) => mark));
}

/** Marks over a number, with their intervals upright; groups told apart by colour and symbol. */
export function scatter(drawn: Scatter, paint: Paint, size: FigureSize): EChartsCoreOption {
  const { groups, x, y, dodged = false } = drawn;
  const scale = scaleOf(drawn);
  const named = namesThatFit(drawn, scale, size);
  const byId = new Map(groups.map((group) => [group.id, group]));
  const words = {
    name: x.name,
    nameLocation: 'middle' as const,
    nameGap: 30,
    nameTextStyle: valueAxis(paint, { name: x.name }).nameTextStyle,
  };
  const axis = valueAxis(paint);
  return {
    animation: false,
    grid,
    legend: { ...legend(paint), data: groups.map(({ name }) => name) },
    tooltip: {
      ...tooltip(paint),
      trigger: 'item',
      formatter: ({ seriesId = '', dataIndex = 0 }: { seriesId?: string; dataIndex?: number }) => {
        const mark = byId.get(seriesId)?.marks[dataIndex];
        return mark === undefined ? '' : `${shownName(mark.name)}\n${x.words(mark.x)}\n${y.name}: ${pointWords(mark.y)}`;
      },
    },
    xAxis: {
      ...axis,
      ...words,
      type: scale.logarithmic ? 'log' : 'value',
      ...(scale.logarithmic ? { logBase: x.base } : {}),
      min: scale.min,
      max: scale.max,
      // The end of an even axis lies where the marks want it, and is no round number.
      axisLabel: { ...axis.axisLabel, formatter: x.words, showMaxLabel: scale.logarithmic },
    },
    yAxis: shareAxis(paint, { name: y.name, nameGap: 46 }),
    series: groups.flatMap(({ id, name, marks }, place) => {
      const { colour, symbol } = paint.series(place);
      const offset = dodged ? dodge(place, groups.length, Math.min(10, 24 / groups.length)) : 0;
      const label = {
        color: paint.colour('ink'),
        textBorderColor: paint.colour('panel'),
        textBorderWidth: 3,
        fontFamily: paint.colour('sans'),
        fontSize: 11,
      };
      return [
        {
          type: 'scatter' as const,
          id,
          name,
          symbol,
          symbolSize: 11,
          symbolOffset: [offset, 0],
          itemStyle: { color: colour },
          data: marks.map((mark) => ({
            value: [mark.x, mark.y.value],
            label: { ...label, show: named.has(mark), position: 'top', distance: 8, formatter: cutName(mark.name, 24) },
          })),
        },
        whiskers({
          id: `${id}-interval`,
          colour,
          offset,
          points: marks.map((mark) => ({ at: mark.x, low: mark.y.low, high: mark.y.high })),
        }),
        {
          type: 'scatter' as const,
          id: `${id}-ring`,
          silent: true,
          tooltip: { show: false },
          symbol: 'circle',
          symbolSize: 19,
          itemStyle: { color: 'transparent', borderColor: paint.colour('ink'), borderWidth: 1.5 },
          data: marks.filter(({ ringed = false }) => ringed).map((mark) => [mark.x, mark.y.value]),
        },
      ];
    }),
  };
}

/** The mark of a series or of its interval; null for rings. */
export function markAt(
  { groups }: Pick<Scatter, 'groups'>,
  { seriesId, dataIndex }: { seriesId: string | null; dataIndex: number },
): ScatterMark | null {
  const id = seriesId?.replace(/-interval$/, '');
  return groups.find((group) => group.id === id)?.marks[dataIndex] ?? null;
}
