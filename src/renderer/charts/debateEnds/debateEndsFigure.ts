import type { ProtocolFigures } from '../../../shared/api/protocolFigures.ts';
import { quantity } from '../../ui/quantity.ts';
import { legend, textStyle, tooltip, valueAxis } from '../kit/axes.ts';
import type { Figure } from '../kit/figure.ts';
import { manyNamed, namedTrials } from '../kit/namedTrials.ts';
import { fewTrials, panelGrid, panelsHeight } from '../panels/panelGrid.ts';

type End = ProtocolFigures['ends'][number];

const reasons: Readonly<Record<string, string>> = {
  tolerance: 'nothing moved any more',
  rounds: 'all rounds were held',
  mixture: 'no debate',
  contentiousness: 'contentiousness was low',
  quality: 'the score fell',
  agreement: 'both agreed',
};

const reasonWords = (reason: string): string => reasons[reason] ?? reason;

interface Data {
  readonly arms: readonly string[];
  /** In the order in which they are stacked. */
  readonly reasons: readonly string[];
  readonly rounds: readonly number[];
  readonly ends: readonly End[];
}

const idOf = (place: number, reason: string) => `${place}/${reason}`;

/** After how many rounds debates ended, and why. */
export const debateEndsFigure: Figure<Data> = {
  id: 'debate-ends',
  title: 'After how many rounds debates end, and why',
  paper: null,
  group: 'protocols',
  needs: ['protocols'],
  data({ protocols }) {
    if (protocols === null) return { absent: 'The trials have not been read yet.' };
    const { ends } = protocols;
    if (ends.length === 0) {
      return {
        absent:
          'No finished trial has a debate that ends by a rule. Arms of the protocols evince and socrasynth have such debates.',
      };
    }
    const most = Math.max(...ends.map(({ rounds }) => rounds));
    const least = Math.min(...ends.map(({ rounds }) => rounds));
    return {
      arms: [...new Set(ends.map(({ arm }) => arm))],
      reasons: Object.keys(reasons).filter((reason) => ends.some((end) => end.reason === reason)),
      rounds: Array.from({ length: most - least + 1 }, (_, index) => least + index),
      ends,
    };
  },
  caption({ ends }) {
    const n = ends.reduce((sum, { trials }) => sum + trials.length, 0);
    return `${quantity(n, 'trial')} whose debate came to an end, also where the trial failed afterwards.${manyNamed(Math.max(...ends.map(({ trials }) => trials.length)))}${fewTrials(n)}`;
  },
  height: ({ arms }) => panelsHeight(arms.length),
  option({ arms, reasons: stacked, rounds, ends }, paint, size) {
    const { title, grid, isLast } = panelGrid(arms, paint, size);
    return {
      animation: false,
      aria: { enabled: true, decal: { show: true } },
      title,
      grid,
      legend: { ...legend(paint), data: stacked.map(reasonWords) },
      tooltip: { ...tooltip(paint), trigger: 'item' },
      xAxis: arms.map((_arm, place) => ({
        type: 'category',
        gridIndex: place,
        data: rounds.map(String),
        axisTick: { show: false },
        axisLine: { lineStyle: { color: paint.colour('line-strong') } },
        axisLabel: { ...textStyle(paint), color: paint.colour('ink') },
        ...(isLast(place) ? { name: 'rounds held', nameLocation: 'middle', nameGap: 24, nameTextStyle: textStyle(paint) } : {}),
      })),
      yAxis: arms.map((_arm, place) => ({ ...valueAxis(paint, { min: 0 }), gridIndex: place, minInterval: 1, splitNumber: 3 })),
      series: arms.flatMap((arm, place) =>
        stacked.map((reason, index) => ({
          type: 'bar',
          id: idOf(place, reason),
          name: reasonWords(reason),
          stack: String(place),
          xAxisIndex: place,
          yAxisIndex: place,
          barMaxWidth: 34,
          itemStyle: { color: paint.series(index).colour, decal: paint.series(index).decal },
          data: rounds.map((round) => trialsOf(ends, arm, reason, round).length),
        })),
      ),
    };
  },
  table: ({ ends }) => ({
    columns: [
      { name: 'arm', as: 'text' },
      { name: 'rounds', as: 'count' },
      { name: 'why', as: 'text' },
      { name: 'trials', as: 'count' },
    ],
    rows: ends.map(({ arm, rounds, reason, trials }) => [arm, rounds, reasonWords(reason), trials.length]),
  }),
  behind({ arms, reasons: stacked, rounds, ends }, { seriesId, dataIndex }) {
    const round = rounds[dataIndex];
    for (const [place, arm] of arms.entries())
      for (const reason of stacked)
        if (seriesId === idOf(place, reason) && round !== undefined) return namedTrials(trialsOf(ends, arm, reason, round));
    return null;
  },
  behindRow({ ends }, row) {
    const end = ends[row];
    return end === undefined ? null : namedTrials(end.trials);
  },
};

function trialsOf(ends: readonly End[], arm: string, reason: string, rounds: number): readonly string[] {
  return ends.find((end) => end.arm === arm && end.reason === reason && end.rounds === rounds)?.trials ?? [];
}
