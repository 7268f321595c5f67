import type { EChartsCoreOption } from 'echarts/core';
import { percent, points } from '../../../core/figures/shares.ts';
import { baselineLine, cutName, dodge, legend, shareAxis, textStyle, tooltip, valueAxis, whiskers } from '../kit/axes.ts';
import type { FigureSize, Paint } from '../kit/figure.ts';

export interface Dot {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly n: number;
  readonly cases: number;
}

/** A row of marks with their intervals along the x axis. */
export interface DotRow {
  readonly name: string;
  /** Rows of one group stand under its name; the first of them has it. */
  readonly group: string;
  /** One for each series. */
  readonly dots: readonly Dot[];
}

interface Part {
  readonly top: number;
  readonly height: number;
  readonly index: number;
}

const wordsOf = ({ value, low, high, n }: Dot, share: boolean) => {
  const written = share ? percent : points;
  const interval = low === null || high === null ? '' : `, ${written(low)} to ${written(high)}`;
  return value === null ? '' : `${written(value)}${interval}, n = ${n}`;
};

/** Pixels of the names at the left: a third of narrow drawings. */
export const roomOf = (width: number) => Math.round(Math.min(240, Math.max(120, width * 0.32)));

/** Axes, marks and intervals of rows in one grid; ids of series are `dots:GRID:SERIES`. */
export function dotRowsPart(
  {
    rows,
    series,
    share,
    name,
  }: { rows: readonly DotRow[]; series: readonly string[]; share: boolean; name?: string | undefined },
  paint: Paint,
  { width }: Pick<FigureSize, 'width'>,
  { top, height, index }: Part,
) {
  const room = roomOf(width);
  const place = { xAxisIndex: index, yAxisIndex: index };
  const words = name === undefined ? {} : { name };
  const axis = share ? shareAxis(paint, words) : valueAxis(paint, words);
  const letters = Math.floor(room / 6.2);
  const labels = rows.map((row, at) =>
    rows[at - 1]?.group === row.group
      ? cutName(row.name, letters)
      : `{group|${cutName(row.group, letters)}}\n${cutName(row.name, letters)}`,
  );
  return {
    grid: { left: room + 12, right: 18, top, height },
    xAxis: {
      ...axis,
      gridIndex: index,
      // A gain is never under -100%, whatever round number stands below it.
      ...(share ? {} : { min: ({ min }: { min: number }) => Math.max(-1, Math.floor(min * 5) / 5) }),
      ...(share ? {} : { axisLabel: { ...axis.axisLabel, formatter: (value: number) => `${points(value)}%` } }),
    },
    yAxis: {
      type: 'category',
      gridIndex: index,
      inverse: true,
      data: labels,
      axisLabel: {
        ...textStyle(paint),
        interval: 0,
        lineHeight: 14,
        rich: {
          group: { color: paint.colour('ink'), fontFamily: paint.colour('sans'), fontWeight: 600, fontSize: 12, lineHeight: 14 },
        },
      },
      axisLine: { lineStyle: { color: paint.colour('line-strong') } },
      axisTick: { show: false },
    },
    series: series.flatMap((called, seriesPlace) => {
      const { colour, symbol } = paint.series(seriesPlace);
      const offset = dodge(seriesPlace, series.length, 10);
      const dots = rows.map((row, at) => ({ at, dot: row.dots[seriesPlace] }));
      return [
        {
          ...whiskers({
            id: `interval:${index}:${seriesPlace}-interval`,
            colour,
            offset,
            sideways: true,
            points: dots.map(({ at, dot }) => ({ at, low: dot?.low ?? null, high: dot?.high ?? null })),
          }),
          ...place,
        },
        {
          type: 'scatter',
          ...place,
          id: `dots:${index}:${seriesPlace}`,
          name: called,
          symbol,
          symbolSize: 9,
          symbolOffset: [0, offset],
          itemStyle: { color: colour },
          tooltip: {
            formatter: ({ dataIndex }: { dataIndex: number }) => {
              const row = rows[dataIndex];
              const dot = row?.dots[seriesPlace];
              if (row === undefined || dot === undefined) return '';
              return `${cutName(row.group, 40)}, ${cutName(row.name, 40)}\n${called}: ${wordsOf(dot, share)}`;
            },
          },
          data: dots.map(({ at, dot }) => [dot?.value ?? '-', at]),
        },
      ];
    }),
  };
}

/** Rows of marks with their intervals in one grid. */
export function dotRowsOption(
  { rows, series, share }: { rows: readonly DotRow[]; series: readonly string[]; share: boolean },
  paint: Paint,
  size: FigureSize,
): EChartsCoreOption {
  const top = series.length > 1 ? 34 : 14;
  const part = dotRowsPart({ rows, series, share }, paint, size, { top, height: size.height - top - 34, index: 0 });
  return {
    animation: false,
    ...(series.length > 1 ? { legend: { ...legend(paint), data: [...series] } } : {}),
    tooltip: { ...tooltip(paint), trigger: 'item' },
    ...part,
  };
}

/** A dotted line at no difference, in a grid of its own number. */
export const zeroLine = (paint: Paint, index: number) => ({
  ...baselineLine(paint, { id: `zero:${index}`, sideways: true, lines: [{ value: 0, name: '' }] }),
  xAxisIndex: index,
  yAxisIndex: index,
});
