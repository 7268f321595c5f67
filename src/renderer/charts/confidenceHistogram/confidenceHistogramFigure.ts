import type { ArmStatistics } from '../../../shared/outputs.ts';
import { quantity } from '../../ui/quantity.ts';
import { mostPanels, type PanelGrid, panelGrid, panelsHeight, panelWords } from '../estimates/panelGrid.ts';
import { plainArms } from '../estimates/points.ts';
import { legend, textStyle, tooltip, valueAxis } from '../kit/axes.ts';
import { quantityIs } from '../kit/counts.ts';
import type { Figure, TrialsBehind } from '../kit/figure.ts';

type Bin = ArmStatistics['confidence_bins'][number];

interface Arm {
  readonly arm: string;
  readonly bins: readonly Bin[];
  readonly stated: number;
  readonly unstated: number;
}

interface Data {
  readonly arms: readonly Arm[];
}

const kinds = [
  { id: 'correct', name: 'right', token: 'good' },
  { id: 'wrong', name: 'wrong', token: 'bad' },
  { id: 'unknown', name: 'truth not known', token: 'line-strong' },
] as const;
type Kind = (typeof kinds)[number];

/** The kinds of trials that occur. */
const occurring = ({ arms }: Data): readonly Kind[] =>
  kinds.filter(({ id }) => arms.some(({ bins }) => bins.some((bin) => bin[id] > 0)));

const sum = (bins: readonly Bin[]) => bins.reduce((total, { correct, wrong, unknown }) => total + correct + wrong + unknown, 0);

/** The bins from a half upwards, and lower ones only where an arm has trials in them. */
function firstBin({ arms }: Data): number {
  const filled = (place: number) => arms.some(({ bins }) => sum(bins.slice(place, place + 1)) > 0);
  const half = arms[0]?.bins.findIndex(({ from }) => from >= 0.5) ?? 0;
  return Array.from({ length: half }, (_none, place) => place).find(filled) ?? half;
}

const panels = ({ arms }: Data): PanelGrid => ({
  names: arms.slice(0, mostPanels).map(({ arm }) => arm),
  around: { left: 40, right: 16, top: 24, bottom: 44 },
  head: 30,
  high: 196,
});

/** Distance of ticks, so that there are about three: 1, 2 or 5 of a power of ten. */
function stepOf(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most / 3)));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= most / 3) ?? most;
}

const percents = ({ from, to }: Bin) => `${Math.round(from * 100)}–${Math.round(to * 100)}`;

/** Trials of one kind in a bin; of all kinds where none is given. */
function behindBin({ arm }: Arm, bin: Bin | undefined, kind: Kind['id'] | null): TrialsBehind | null {
  if (bin === undefined) return null;
  const all: TrialsBehind = { arm, outcome: 'decided', confidence: { from: bin.from, to: bin.to } };
  if (kind === null) return { ...all, counts: { n: sum([bin]), of: 'trials' } };
  if (bin[kind] === 0) return null;
  return { ...all, correct: kind === 'unknown' ? null : kind === 'correct', counts: { n: bin[kind], of: 'trials' } };
}

/** How sure the verdicts of each arm were, and how often rightly. */
export const confidenceHistogramFigure: Figure<Data> = {
  id: 'confidence-histogram',
  title: 'Stated confidence of the verdicts',
  paper: null,
  group: 'calibration',
  needs: [],
  data({ report }) {
    const arms = plainArms(report)
      .map(({ arm, decided, confidence_bins: bins }) => ({ arm, bins, stated: sum(bins), unstated: decided - sum(bins) }))
      .filter(({ stated }) => stated > 0);
    return arms.length === 0 ? { absent: 'No decided trial has a stated confidence yet.' } : { arms };
  },
  caption({ arms }) {
    const stated = arms.reduce((total, arm) => total + arm.stated, 0);
    const unstated = arms.reduce((total, arm) => total + arm.unstated, 0);
    const without = unstated === 0 ? '' : ` ${quantityIs(unstated, 'decided trial')} left out for want of one.`;
    return `${quantity(stated, 'decided trial')} with a stated confidence, all arms together, in bins of equal width; a confidence on an edge counts to the bin above it.${without} What a model states is not what it knows.${panelWords(arms.length)}`;
  },
  height: (data) => panelsHeight(panels(data)),
  option(data, paint, size) {
    const { grids, titles } = panelGrid(panels(data), paint, size);
    const shown = data.arms.slice(0, mostPanels);
    const from = firstBin(data);
    const present = occurring(data);
    const most = Math.max(...shown.flatMap(({ bins }) => bins.map((bin) => sum([bin]))));
    const step = stepOf(most);
    return {
      animation: false,
      title: titles,
      grid: grids,
      legend: { ...legend(paint), data: present.map(({ name }) => name) },
      tooltip: { ...tooltip(paint), trigger: 'axis', axisPointer: { type: 'shadow' } },
      xAxis: shown.map(({ bins }, place) => ({
        type: 'category' as const,
        gridIndex: place,
        name: 'stated confidence, %',
        nameLocation: 'middle' as const,
        nameGap: 26,
        nameTextStyle: textStyle(paint),
        axisLabel: { ...textStyle(paint), hideOverlap: true },
        axisTick: { show: false },
        axisLine: { lineStyle: { color: paint.colour('line-strong') } },
        data: bins.slice(from).map(percents),
      })),
      yAxis: shown.map((_arm, place) => ({
        ...valueAxis(paint, { min: 0 }),
        max: Math.ceil(most / step) * step,
        interval: step,
        gridIndex: place,
      })),
      series: shown.flatMap(({ bins }, place) =>
        present.map(({ id, name, token }, index) => ({
          type: 'bar' as const,
          id: `${id}-${place}`,
          name,
          stack: `arm-${place}`,
          xAxisIndex: place,
          yAxisIndex: place,
          barMaxWidth: 30,
          itemStyle: {
            color: paint.colour(token),
            decal: paint.series(index).decal,
            borderColor: paint.colour('panel'),
            borderWidth: 1,
          },
          data: bins.slice(from).map((bin) => bin[id]),
        })),
      ),
    };
  },
  table: ({ arms }) => ({
    columns: [
      { name: 'arm', as: 'text' },
      { name: 'confidence from', as: 'share' },
      { name: 'confidence to', as: 'share' },
      ...kinds.map(({ name }) => ({ name, as: 'count' as const })),
    ],
    rows: arms.flatMap(({ arm, bins }) => bins.map((bin) => [arm, bin.from, bin.to, ...kinds.map(({ id }) => bin[id])])),
  }),
  behind(data, { seriesId, dataIndex }) {
    const [, kind, place] = /^(correct|wrong|unknown)-(\d+)$/.exec(seriesId ?? '') ?? [];
    const arm = data.arms[Number(place ?? -1)];
    return arm === undefined ? null : behindBin(arm, arm.bins[firstBin(data) + dataIndex], kind as Kind['id']);
  },
  behindRow({ arms }, row) {
    const [found] = arms.flatMap((arm) => arm.bins.map((bin) => ({ arm, bin }))).slice(row);
    return found === undefined ? null : behindBin(found.arm, found.bin, null);
  },
};
