import type { EChartsCoreOption } from 'echarts/core';
import { percent } from '../../../core/figures/shares.ts';
import { baselineLine, cutName, legend, shareAxis, tooltip } from '../kit/axes.ts';
import type { FigureSize, Paint } from '../kit/figure.ts';
import { stackedPanels } from '../panels/stackedPanels.ts';

export const kinds = [
  { kind: 'right', name: 'verdict right', token: 'good', dash: 'solid' },
  { kind: 'wrong', name: 'verdict wrong', token: 'bad', dash: 'dashed' },
  { kind: 'unknown', name: 'truth unknown', token: 'line-strong', dash: 'dotted' },
] as const;
export type Kind = (typeof kinds)[number]['kind'];

export interface TimeLine {
  readonly trial: string;
  readonly case: string;
  readonly kind: Kind;
  /** Whether the lead changed on the way. */
  readonly crosses: boolean;
  /** Place of the step in the panel, and the probability. */
  readonly points: readonly (readonly [number, number])[];
}

/** The trials of one arm. */
export interface Panel {
  readonly arm: string;
  readonly steps: readonly string[];
  readonly lines: readonly TimeLine[];
  /** Those that are drawn: all of them, or where they are too many some of them. */
  readonly shown: readonly TimeLine[];
  /** One for each step. */
  readonly summary: readonly { readonly n: number; readonly low: number; readonly median: number; readonly high: number }[];
}

/**
 * Lines that are drawn at most, in all panels together: beyond that they hide each other, and panning is no longer smooth.
 * Median, band and counts are of all trials.
 */
export const mostLines = 2000;

/** Dashes tell kinds apart one by one; in a crowd nobody sees them, and they take most of the time of drawing. */
const mostDashed = 400;

const top = 34;
const gap = 58;
const left = 46;

/** The more lines, the fainter each: a crowd shows as a shade, and one line can still be seen. */
const faintness = (count: number) => Math.max(0.06, Math.min(0.6, 120 / count));

function panelSeries(panel: Panel, index: number, follows: string, paint: Paint) {
  const place = { xAxisIndex: index, yAxisIndex: index };
  const opacity = faintness(panel.shown.length);
  const lines = kinds.map(({ kind, name, token, dash }) => ({
    type: 'lines',
    coordinateSystem: 'cartesian2d',
    ...place,
    id: `${kind}:${index}`,
    name,
    polyline: true,
    z: 1,
    lineStyle: { color: paint.colour(token), opacity, width: 1, type: panel.shown.length > mostDashed ? 'solid' : dash },
    emphasis: { lineStyle: { opacity: 1, width: 2 } },
    data: panel.shown.filter((line) => line.kind === kind).map(({ points }) => ({ coords: points })),
  }));
  const silent = { silent: true, tooltip: { show: false }, symbol: 'none' as const };
  const band = (id: string, values: readonly number[], filled: boolean) => ({
    type: 'line',
    ...place,
    ...silent,
    id: `${id}:${index}`,
    stack: `band-${index}`,
    z: 2,
    lineStyle: { opacity: 0 },
    areaStyle: { color: paint.colour('judge'), opacity: filled ? 0.22 : 0 },
    data: values.map((value, x) => [x, value]),
  });
  return [
    ...lines,
    band(
      'lower',
      panel.summary.map(({ low }) => low),
      false,
    ),
    band(
      'band',
      panel.summary.map(({ low, high }) => high - low),
      true,
    ),
    {
      type: 'line',
      ...place,
      id: `median:${index}`,
      name: `median ${follows}`,
      z: 3,
      symbol: 'circle',
      symbolSize: 7,
      itemStyle: { color: paint.colour('ink') },
      lineStyle: { color: paint.colour('ink'), width: 2.5 },
      data: panel.summary.map(({ median }, x) => [x, median]),
    },
  ];
}

const verdictWords: Readonly<Record<Kind, string>> = {
  right: 'verdict right',
  wrong: 'verdict wrong',
  unknown: 'truth unknown',
};

/** What is said of the mark under the pointer. */
function tipOf(panels: readonly Panel[], follows: string, seriesId: string, dataIndex: number): string {
  const [what, place] = seriesId.split(':');
  const panel = panels[Number(place)];
  if (panel === undefined) return '';
  if (what === 'median') {
    const { n, median, low, high } = panel.summary[dataIndex] ?? { n: 0, median: 0, low: 0, high: 0 };
    return `${panel.steps[dataIndex]}, n = ${n}\nmedian ${follows} ${percent(median)}\nquartiles ${percent(low)} and ${percent(high)}`;
  }
  const line = panel.shown.filter(({ kind }) => kind === what)[dataIndex];
  if (line === undefined) return '';
  const way = line.points.map(([x, value]) => `${panel.steps[x]} ${percent(value)}`).join(', ');
  return `case ${cutName(line.case, 40)}, ${verdictWords[line.kind]}\n${way}`;
}

export function timelinesOption(
  { panels, follows, crosses }: { panels: readonly Panel[]; follows: string; crosses: boolean },
  paint: Paint,
  size: FigureSize,
): EChartsCoreOption {
  const names = [
    ...kinds.filter(({ kind }) => panels.some(({ shown }) => shown.some((line) => line.kind === kind))).map(({ name }) => name),
    `median ${follows}`,
  ];
  const axes = panels.map((_, index) => index);
  return {
    animation: false,
    legend: { ...legend(paint), data: names },
    tooltip: {
      ...tooltip(paint),
      trigger: 'item',
      formatter: ({ seriesId = '', dataIndex }: { seriesId?: string; dataIndex: number }) =>
        tipOf(panels, follows, seriesId, dataIndex),
    },
    ...stackedPanels(
      {
        panels: panels.map(({ arm, lines, steps }) => ({ title: `${cutName(arm, 60)}  n = ${lines.length}`, steps })),
        top,
        left,
        around: gap,
        margin: 0.3,
      },
      paint,
      size,
    ),
    yAxis: panels.map((_, index) => ({
      ...shareAxis(paint, { name: follows, nameGap: 34 }),
      gridIndex: index,
      interval: 0.25,
    })),
    dataZoom: [
      { type: 'inside', xAxisIndex: axes, filterMode: 'none', zoomOnMouseWheel: 'ctrl', moveOnMouseWheel: false },
      { type: 'inside', yAxisIndex: axes, filterMode: 'none', zoomOnMouseWheel: 'ctrl', moveOnMouseWheel: false },
    ],
    series: panels.flatMap((panel, index) => [
      ...panelSeries(panel, index, follows, paint),
      ...(crosses
        ? [
            {
              ...baselineLine(paint, { id: `line:${index}`, lines: [{ value: 0.5, name: '' }] }),
              xAxisIndex: index,
              yAxisIndex: index,
            },
          ]
        : []),
    ]),
  };
}
