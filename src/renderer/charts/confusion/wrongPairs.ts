import type { EChartsCoreOption } from 'echarts/core';
import { cutName, legend, nameAxis, shownName, tooltip, valueAxis } from '../kit/axes.ts';
import type { FigureSize, Paint } from '../kit/figure.ts';
import type { ConfusionData } from './confusionData.ts';

/** Arms that are told apart in a bar; more of them are one bar together. */
const mostArms = 8;
/** Pixels of an average letter. */
const letter = 7.2;
const arrow = ' → ';
const head = 40;
const row = 24;

export const wrongPairsHeight = ({ pairs }: ConfusionData): number => head + Math.max(1, pairs.length) * row + 46;

/** The most frequent confusions as bars, told apart by arm where these are few. */
export function wrongPairs({ arms, pairs }: ConfusionData, paint: Paint, { width }: FigureSize): EChartsCoreOption {
  const longest = Math.max(8, ...pairs.map(({ truth, prediction }) => shownName(`${truth} → ${prediction}`).length)) * letter;
  const room = Math.round(Math.min(longest, 300, Math.max(110, width * 0.38)));
  const half = Math.max(4, Math.floor((room / letter - arrow.length) / 2));
  const names = pairs.map(({ truth, prediction }) => `${cutName(truth, half)}${arrow}${cutName(prediction, half)}`);
  const bar = (id: string, name: string, place: number, counts: readonly number[]) => ({
    type: 'bar' as const,
    id,
    name,
    stack: 'arms',
    barWidth: 13,
    itemStyle: { color: paint.series(place).colour, decal: paint.series(place).decal },
    data: [...counts],
  });
  const series =
    arms.length > mostArms
      ? [
          bar(
            'all',
            'all arms',
            0,
            pairs.map(({ counts }) => counts.reduce((sum, n) => sum + n, 0)),
          ),
        ]
      : arms.map(({ arm }, place) =>
          bar(
            `arm-${place}`,
            shownName(arm),
            place,
            pairs.map(({ counts }) => counts[place] ?? 0),
          ),
        );
  return {
    animation: false,
    grid: { left: room + 10, right: 20, top: head, bottom: 46 },
    legend: { ...legend(paint), data: series.map(({ name }) => name) },
    tooltip: { ...tooltip(paint), trigger: 'axis', axisPointer: { type: 'shadow' } },
    xAxis: { ...valueAxis(paint, { min: 0, name: 'trials' }), minInterval: 1 },
    yAxis: nameAxis(paint, names, { room, upright: true }),
    series,
  };
}
