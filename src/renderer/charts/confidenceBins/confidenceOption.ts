import type { EChartsCoreOption } from 'echarts/core';
import type { ConfidenceFigure } from '../../../shared/api/experiments.ts';

type Bins = ConfidenceFigure['bins'];
type Kind = 'correct' | 'wrong' | 'unknown';

const kinds = [
  { kind: 'correct', name: 'correct', token: 'good' },
  { kind: 'wrong', name: 'wrong', token: 'bad' },
  { kind: 'unknown', name: 'truth unknown', token: 'line-strong' },
] as const satisfies readonly { kind: Kind; name: string; token: string }[];

/** The kinds of trials that occur. */
export function seriesOf(bins: Bins): readonly (typeof kinds)[number][] {
  return kinds.filter(({ kind }) => bins.some((bin) => bin[kind] > 0));
}

/** @param colour value of a colour token of the page */
export function confidenceOption(bins: Bins, colour: (token: string) => string): EChartsCoreOption {
  const text = { color: colour('muted'), fontFamily: colour('sans'), fontSize: 12 };
  const shown = bins.findIndex(({ correct, wrong, unknown }) => correct + wrong + unknown > 0);
  const from = Math.max(
    0,
    Math.min(
      shown,
      bins.findIndex((bin) => bin.from >= 0.5),
    ),
  );
  const range = bins.slice(from);
  return {
    animation: false,
    aria: { decal: { show: true } },
    grid: { left: 44, right: 12, top: 34, bottom: 44 },
    legend: { top: 0, right: 0, itemHeight: 10, textStyle: text, data: seriesOf(bins).map(({ name }) => name) },
    tooltip: { trigger: 'axis', renderMode: 'richText', axisPointer: { type: 'shadow' } },
    xAxis: {
      type: 'category',
      name: 'stated confidence, %',
      nameLocation: 'middle',
      nameGap: 28,
      nameTextStyle: text,
      axisLabel: text,
      axisLine: { lineStyle: { color: colour('line-strong') } },
      data: range.map((bin) => `${Math.round(bin.from * 100)}–${Math.round(bin.to * 100)}`),
    },
    yAxis: {
      type: 'value',
      name: 'trials',
      nameTextStyle: text,
      minInterval: 1,
      axisLabel: text,
      splitLine: { lineStyle: { color: colour('line') } },
    },
    series: seriesOf(bins).map(({ kind, name, token }) => ({
      type: 'bar',
      name,
      barMaxWidth: 26,
      itemStyle: { color: colour(token) },
      data: range.map((bin) => bin[kind]),
    })),
  };
}
