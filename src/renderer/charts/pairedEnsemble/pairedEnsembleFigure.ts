import { ledF1, ledF1Name } from '../../../core/figures/ledF1.ts';
import { percent } from '../../../core/figures/shares.ts';
import { fisherInterval } from '../../../core/statistics/fisherInterval.ts';
import { pearsonCorrelation } from '../../../core/statistics/pearsonCorrelation.ts';
import type { ArmStatistics, StatsReport } from '../../../shared/outputs.ts';
import { quantity } from '../../ui/quantity.ts';
import { conditionsOf, modelsOf, speakingArms } from '../estimates/conditions.ts';
import { countedTrials } from '../estimates/countedTrials.ts';
import { type DotRows, dotAt, dotRows, dotRowsHeight } from '../estimates/dotRows.ts';
import { betterOf, betterRule } from '../estimates/pairs.ts';
import {
  countWords,
  fewWords,
  type Point,
  plainArms,
  pointCells,
  pointColumns,
  pointOf,
  twoDigits,
} from '../estimates/points.ts';
import { shownName } from '../kit/axes.ts';
import type { Figure, FigureSources } from '../kit/figure.ts';

/** An arm with the two numbers that are paired. */
interface Scored {
  readonly arm: string;
  readonly models: string;
  readonly accuracy: Point | null;
  readonly f1: Point | null;
}

/** Correlation of accuracy with F1 over the arms of a condition. */
interface Correlation {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly arms: number;
}

interface Side {
  readonly words: string;
  /** One arm for each model, in the order of `models`. */
  readonly arms: readonly Scored[];
  /** Over all arms of the condition, those of unpaired models too. */
  readonly correlation: Correlation;
}

interface Data {
  /** Best F1 on the first side first. */
  readonly models: readonly string[];
  readonly sides: readonly [Side, Side];
  /** Further conditions with models in common, which are not drawn. */
  readonly leftOut: readonly string[];
  readonly f1Name: string;
  readonly level: number;
  /** Per model: the arm that is shown to be right more often; null where neither is. */
  readonly better: readonly (string | null)[];
}

interface Group {
  readonly words: string;
  readonly arms: readonly Scored[];
}

const scored = (arm: ArmStatistics, positive: string | null): Scored => ({
  arm: arm.arm,
  models: modelsOf(arm),
  accuracy: pointOf(arm, 'accuracy', 'all'),
  f1: pointOf(arm, ledF1(positive).measure, 'decided', ledF1(positive).label),
});

function correlationOf(arms: readonly Scored[], level: number): Correlation {
  const both = arms.flatMap(({ accuracy, f1 }) => (accuracy === null || f1 === null ? [] : [{ x: accuracy.value, y: f1.value }]));
  // Two points always lie on a line.
  const value =
    both.length < 3
      ? null
      : pearsonCorrelation(
          both.map(({ x }) => x),
          both.map(({ y }) => y),
        );
  const interval = value === null ? null : fisherInterval(value, both.length, level);
  return { value, low: interval?.low ?? null, high: interval?.high ?? null, arms: both.length };
}

/** Arms by condition, with known accuracy and models. */
function groupsOf({ view, report }: FigureSources): Group[] {
  const arms = speakingArms(view, plainArms(report));
  const conditions = conditionsOf(view, arms);
  const all = arms.map((arm, place) => ({ words: conditions[place]?.words ?? '', scored: scored(arm, report.positive) }));
  const counted = all.filter(({ scored: { accuracy, models } }) => accuracy !== null && models !== '');
  return [...Map.groupBy(counted, ({ words }) => words)].map(([words, mine]) => ({
    words,
    arms: mine.map((each) => each.scored),
  }));
}

const shared = (one: Group, other: Group) => {
  const known = new Set(other.arms.map(({ models }) => models));
  return [...new Set(one.arms.map(({ models }) => models))].filter((models) => known.has(models));
};

/** The two conditions with the most models in common, the earlier ones of equals. */
function widest(groups: readonly Group[]): readonly [Group, Group] | null {
  const pairs = groups.flatMap((one, place) => groups.slice(place + 1).map((other) => [one, other] as const));
  const [best] = pairs.toSorted((a, b) => shared(...b).length - shared(...a).length);
  return best === undefined || shared(...best).length < 2 ? null : best;
}

const series = (side: 0 | 1, of: 'accuracy' | 'f1', { sides }: Data) => ({
  id: `${of}-${side}`,
  name: shownName(sides[side].words),
  place: side,
  points: sides[side].arms.map((arm) => arm[of]),
});

const drawn = (data: Data): DotRows => ({
  names: data.models,
  columns: 2,
  panels: (['accuracy', 'f1'] as const).map((of) => ({
    id: of,
    title: of === 'accuracy' ? 'accuracy of all finished' : data.f1Name,
    scale: 'share',
    joined: true,
    series: [series(0, of, data), series(1, of, data)],
  })),
});

function correlationWords({ words, correlation: { value, low, high, arms } }: Side): string {
  if (value === null) return `${shownName(words)}: none over ${quantity(arms, 'arm')}`;
  const interval = low === null || high === null ? 'no interval' : `${twoDigits(low)} to ${twoDigits(high)}`;
  return `${shownName(words)}: ${twoDigits(value)} (${interval}) over ${quantity(arms, 'arm')}`;
}

function dataOf(report: StatsReport, [first, second]: readonly [Group, Group], groups: readonly Group[]): Data {
  const f1Of = (models: string) => first.arms.find((arm) => arm.models === models)?.f1?.value ?? -1;
  const models = shared(first, second).toSorted((one, other) => f1Of(other) - f1Of(one));
  const { level } = report.interval;
  const side = ({ words, arms }: Group): Side => ({
    words,
    arms: models.flatMap((name) => arms.find((arm) => arm.models === name) ?? []),
    correlation: correlationOf(arms, level),
  });
  const sides = [side(first), side(second)] as const;
  return {
    models,
    sides,
    leftOut: groups.filter((group) => group !== first && group !== second).map(({ words }) => words),
    f1Name: ledF1Name(report.positive),
    level,
    better: models.map((_name, row) => betterOf(report, sides[0].arms[row]?.arm ?? '', sides[1].arms[row]?.arm ?? '')),
  };
}

const rows = ({ models, sides }: Data) =>
  models.flatMap((model, row) => sides.map((side) => ({ model, side, arm: side.arms[row] })));

/** Accuracy and F1 of each model under two protocols, as in AgenticSimLLM: figures 8 and 9. */
export const pairedEnsembleFigure: Figure<Data> = {
  id: 'paired-ensemble',
  title: 'Each model under two protocols',
  paper: 'AgenticSimLLM: figures 8, 9',
  group: 'performance',
  needs: [],
  data(sources) {
    const groups = groupsOf(sources);
    const pair = widest(groups);
    if (pair === null) {
      return {
        absent:
          'No two models were tried under the same two protocols. An experiment with two arms for each of several models pairs them.',
      };
    }
    return dataOf(sources.report, pair, groups);
  },
  finding({ models, sides, better }) {
    const ahead = sides.map(({ arms }) => better.filter((arm, row) => arm !== null && arm === arms[row]?.arm).length);
    const [first = 0, second = 0] = ahead;
    if (first + second === 0) return null;
    const [more, less] = first >= second ? ([0, 1] as const) : ([1, 0] as const);
    const reverse = ahead[less] ?? 0;
    const sentence = `${ahead[more]} of ${models.length} models are right more often under ${shownName(sides[more].words)} than under ${shownName(sides[less].words)}, ${reverse === 0 ? 'none' : reverse} less often.`;
    return { sentence, rule: betterRule };
  },
  caption(data) {
    const points = data.sides.flatMap(({ arms }) => arms.map(({ accuracy }) => accuracy));
    const left = data.leftOut.length === 0 ? '' : ` Not drawn: ${data.leftOut.map(shownName).join('; ')}.`;
    const correlations = data.sides.map(correlationWords).join('; ');
    return `${quantity(data.models.length, 'model')}, ${countWords(points, data.level, { noun: 'finished trial' })} Correlation of accuracy with F1, ${percent(data.level)} interval by Fisher's transformation: ${correlations}. Arms over the same cases are no independent draws.${left}${fewWords(points)}`;
  },
  height: (data) => dotRowsHeight(drawn(data)),
  option: (data, paint, size) => dotRows(drawn(data), paint, size),
  table(data) {
    return {
      columns: [
        { name: 'model', as: 'text' },
        { name: 'protocol', as: 'text' },
        { name: 'arm', as: 'text' },
        ...pointColumns('accuracy of all finished'),
        ...pointColumns(data.f1Name),
        { name: 'correlation of accuracy with F1 under the protocol', as: 'number' },
        { name: 'correlation, low', as: 'number' },
        { name: 'correlation, high', as: 'number' },
        { name: 'correlation, arms', as: 'count' },
      ],
      rows: rows(data).map(({ model, side: { words, correlation }, arm }) => [
        model,
        words,
        arm?.arm ?? null,
        ...pointCells(arm?.accuracy ?? null),
        ...pointCells(arm?.f1 ?? null),
        correlation.value,
        correlation.low,
        correlation.high,
        correlation.arms,
      ]),
    };
  },
  behind(data, { seriesId, dataIndex }) {
    const found = dotAt(drawn(data), seriesId);
    const arm = found === null ? undefined : data.sides[found.place === 0 ? 0 : 1].arms[dataIndex];
    const point = found?.points[dataIndex] ?? null;
    if (arm === undefined || point === null) return null;
    return countedTrials(found?.id.startsWith('f1') ? 'decided' : 'all', arm.arm, point);
  },
  behindRow(data, row) {
    const arm = rows(data)[row]?.arm;
    return arm === undefined || arm.accuracy === null ? null : countedTrials('all', arm.arm, arm.accuracy);
  },
};
