import { percent } from '../../../core/figures/shares.ts';
import { wilson } from '../../../core/statistics/wilson.ts';
import type { ProtocolFigures } from '../../../shared/api/protocolFigures.ts';
import { quantity } from '../../ui/quantity.ts';
import { dodge, legend, shareAxis, shownName, tooltip, whiskers } from '../kit/axes.ts';
import type { Figure } from '../kit/figure.ts';
import { manyNamed, namedTrials } from '../kit/namedTrials.ts';
import { fewTrials, placesAxis } from '../panels/panelGrid.ts';
import { told } from '../panels/told.ts';

interface Point {
  readonly arm: string;
  readonly round: number;
  readonly passed: readonly string[];
  readonly unreliable: readonly string[];
  readonly unheard: readonly string[];
  readonly share: number;
  readonly low: number | null;
  readonly high: number | null;
}

interface Data {
  readonly arms: readonly string[];
  readonly rounds: readonly number[];
  readonly points: readonly Point[];
}

function pointOf(all: ProtocolFigures['settlements'], arm: string, round: number): Point | null {
  const of = (result: ProtocolFigures['settlements'][number]['result']) =>
    all.filter((each) => each.arm === arm && each.round === round && each.result === result).flatMap(({ trials }) => trials);
  const [passed, unreliable, unheard] = [of('passed'), of('unreliable'), of('unheard')];
  const n = passed.length + unreliable.length + unheard.length;
  if (n === 0) return null;
  const interval = wilson(passed.length, n);
  return {
    arm,
    round,
    passed,
    unreliable,
    unheard,
    share: passed.length / n,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
  };
}

const of = ({ points }: Data, arm: string) => points.filter((point) => point.arm === arm);
const roundsOf = ({ passed, unreliable, unheard }: Point) => [...passed, ...unreliable, ...unheard];
const trialsOf = (point: Point) => namedTrials(roundsOf(point));

/** How many rounds of Debate-Feedback are reliable enough to move the opinion. */
export const roundSettlementsFigure: Figure<Data> = {
  id: 'round-settlements',
  title: 'Share of rounds that pass',
  paper: 'Debate-Feedback: algorithm 1',
  group: 'protocols',
  needs: ['protocols'],
  data({ protocols }) {
    if (protocols === null) return { absent: 'The trials have not been read yet.' };
    const { settlements } = protocols;
    if (settlements.length === 0) {
      return { absent: 'No finished trial has rounds that were settled. An arm of the protocol debate-feedback has them.' };
    }
    const arms = [...new Set(settlements.map(({ arm }) => arm))];
    const rounds = [...new Set(settlements.map(({ round }) => round))].toSorted((one, other) => one - other);
    const points = arms.flatMap((arm) => rounds.flatMap((round) => pointOf(settlements, arm, round) ?? []));
    return { arms, rounds, points };
  },
  caption({ points, rounds }) {
    const [first] = rounds;
    const n = points.filter(({ round }) => round === first).reduce((sum, point) => sum + roundsOf(point).length, 0);
    const unheard = points.reduce((sum, point) => sum + point.unheard.length, 0);
    const lost =
      unheard === 0
        ? ''
        : ` ${unheard} ${unheard === 1 ? 'round' : 'rounds'} had nothing to go on with and counted as not passed.`;
    return `${quantity(n, 'trial')}, each with its rounds; 95% Wilson intervals over trials. A round passes where the mean reliability of its answers reaches the threshold; without an assistant every round passes.${lost}${manyNamed(Math.max(...points.map((point) => roundsOf(point).length)))}${fewTrials(n)}`;
  },
  height: () => 260,
  option(data, paint) {
    const { arms, rounds } = data;
    return {
      animation: false,
      grid: { left: 52, right: 16, top: 40, bottom: 46 },
      legend: { ...legend(paint), data: arms.map(shownName) },
      tooltip: { ...tooltip(paint), trigger: 'item' },
      xAxis: placesAxis(
        paint,
        rounds.map((round) => ({ at: round, name: String(round) })),
        { name: 'round', margin: 0.5 },
      ),
      yAxis: shareAxis(paint),
      series: arms.flatMap((arm, index) => {
        const { colour, symbol } = paint.series(index);
        const beside = dodge(index, arms.length, Math.min(0.09, 0.6 / arms.length));
        const own = of(data, arm);
        return [
          whiskers({
            id: `${index}/interval`,
            colour,
            ends: 3,
            points: own.map(({ round, low, high }) => ({ at: round + beside, low, high })),
          }),
          {
            type: 'line',
            id: `${index}/share`,
            name: shownName(arm),
            symbol,
            symbolSize: 8,
            itemStyle: { color: colour },
            lineStyle: { color: colour, width: 2 },
            ...told(1, 2, percent),
            data: own.map((point) => [point.round + beside, point.share, `round ${point.round}, n = ${roundsOf(point).length}`]),
          },
        ];
      }),
    };
  },
  table: ({ points }) => ({
    columns: [
      { name: 'arm', as: 'text' },
      { name: 'round', as: 'count' },
      { name: 'passed', as: 'share' },
      { name: 'low', as: 'share' },
      { name: 'high', as: 'share' },
      { name: 'passed, rounds', as: 'count' },
      { name: 'unreliable, rounds', as: 'count' },
      { name: 'unheard, rounds', as: 'count' },
    ],
    rows: points.map(({ arm, round, share, low, high, passed, unreliable, unheard }) => [
      arm,
      round,
      share,
      low,
      high,
      passed.length,
      unreliable.length,
      unheard.length,
    ]),
  }),
  behind(data, { seriesId, dataIndex }) {
    const arm = data.arms.find((_each, index) => seriesId === `${index}/share` || seriesId === `${index}/interval`);
    const point = arm === undefined ? undefined : of(data, arm)[dataIndex];
    return point === undefined ? null : trialsOf(point);
  },
  behindRow: ({ points }, row) => (points[row] === undefined ? null : trialsOf(points[row])),
};
