import type { ArmStatistics, StatsReport } from '../../../shared/outputs.ts';
import { speakingArms } from '../estimates/conditions.ts';
import { countedTrials } from '../estimates/countedTrials.ts';
import { dotBehind, dotTable, type NamedRow, type PointColumn } from '../estimates/dotFigure.ts';
import { type DotPanel, type DotRows, dotRows, dotRowsHeight } from '../estimates/dotRows.ts';
import { betterOf, betterRule, comparisonOf, differenceWords } from '../estimates/pairs.ts';
import { countWords, fewWords, plainArms, pointOf } from '../estimates/points.ts';
import { shownName } from '../kit/axes.ts';
import { quantityIs } from '../kit/counts.ts';
import type { Figure } from '../kit/figure.ts';

/** An arm of several models beside the best arm of one of them alone. */
interface Pair {
  readonly arm: string;
  readonly single: string;
  readonly difference: string | null;
  readonly better: string | null;
}

interface Data {
  /** Arms of several models, each followed by its stronger single model, then the others. */
  readonly rows: readonly NamedRow[];
  readonly columns: readonly PointColumn[];
  readonly pairs: readonly Pair[];
  readonly level: number;
}

const measures = [
  { id: 'accuracy-at-1', name: 'true label first', measure: 'accuracy_at_1', over: 'believed', as: 'share' },
  { id: 'accuracy-at-3', name: 'true label among the first three', measure: 'accuracy_at_3', over: 'believed', as: 'share' },
  { id: 'reciprocal-rank', name: 'mean reciprocal rank', measure: 'mean_reciprocal_rank', over: 'believed', as: 'number' },
  { id: 'macro-f1', name: 'macro-F1', measure: 'macro_f1', over: 'decided', as: 'share' },
  { id: 'brier', name: 'Brier score, lower is better', measure: 'brier', over: 'believed', as: 'number' },
] as const;

const accuracyOf = (arm: ArmStatistics) => pointOf(arm, 'accuracy', 'all')?.value ?? -1;

/** The arm of a single one of these models whose accuracy is the highest, with or without beliefs. */
const strongerSingle = (arms: readonly ArmStatistics[], { models }: ArmStatistics): ArmStatistics | undefined =>
  arms
    .filter((other) => other.models.length === 1 && models.includes(other.models[0] ?? '') && accuracyOf(other) >= 0)
    .toSorted((one, other) => accuracyOf(other) - accuracyOf(one))[0];

function pairsIn(report: StatsReport, arms: readonly ArmStatistics[], believing: readonly ArmStatistics[]): Pair[] {
  return believing
    .filter(({ models }) => models.length > 1)
    .flatMap((arm) => {
      const single = strongerSingle(arms, arm);
      if (single === undefined) return [];
      const comparison = comparisonOf(report, arm.arm, single.arm);
      return [
        {
          arm: arm.arm,
          single: single.arm,
          difference: comparison === null ? null : differenceWords(comparison),
          better: betterOf(report, arm.arm, single.arm),
        },
      ];
    });
}

const drawn = ({ rows, columns }: Data): DotRows => ({
  names: rows.map(({ name }) => name),
  columns: 2,
  legend: false,
  panels: columns.map(
    (column): DotPanel => ({
      id: `${column.id}-panel`,
      title: column.name,
      scale: column.as ?? 'share',
      series: [{ ...column, place: 0 }],
    }),
  ),
});

/** Where the true label ranks, and how good the distributions are: pairs beside their stronger single model. */
export const rankingMeasuresFigure: Figure<Data> = {
  id: 'ranking-measures',
  title: 'Rank of the true label and quality of the beliefs',
  paper: 'EVINCE: table 7.1',
  group: 'performance',
  needs: [],
  data({ view, report }) {
    const all = speakingArms(view, plainArms(report));
    const arms = all.filter((arm) => pointOf(arm, 'brier', 'believed') !== null);
    if (arms.length === 0) {
      return {
        absent:
          'No decided trial of known truth has a distribution over the labels. Protocols that ask for one, or `belief` with token probabilities or samples, record it.',
      };
    }
    const pairs = pairsIn(report, all, arms);
    const first = pairs.flatMap(({ arm, single }) => [arm, single]);
    const order = [...new Set([...first, ...arms.map(({ arm }) => arm)])];
    const sorted = order.flatMap((name) => arms.filter(({ arm }) => arm === name));
    return {
      rows: sorted.map(({ arm }) => ({ name: arm, trials: { arm, outcome: 'decided' } })),
      columns: measures
        .map(({ id, name, measure, over, as }) => ({ id, name, as, points: sorted.map((arm) => pointOf(arm, measure, over)) }))
        .filter(({ points }) => points.some((point) => point !== null)),
      pairs,
      level: report.interval.level,
    };
  },
  finding({ pairs }) {
    const ahead = pairs.filter(({ arm, better }) => better === arm);
    const [only] = ahead;
    if (only === undefined) return null;
    const rule = `A pair's stronger single model is the most accurate arm of one of its models alone. ${betterRule}`;
    return {
      sentence:
        pairs.length === 1
          ? `${shownName(only.arm)} is right more often than its stronger single model, ${shownName(only.single)}.`
          : `${ahead.length} of ${pairs.length} arms of several models are right more often than their stronger single model: ${ahead.map(({ arm }) => shownName(arm)).join(', ')}.`,
      rule,
    };
  },
  caption({ columns, pairs, level }) {
    const points = columns.flatMap((column) => column.points);
    const compared = pairs
      .slice(0, 3)
      .map(({ arm, single, difference }) => {
        const size = difference === null ? 'the report has no comparison' : `accuracy ${difference}`;
        return ` ${shownName(arm)} against its stronger single model ${shownName(single)}: ${size}.`;
      })
      .join('');
    const more = pairs.length > 3 ? ` ${quantityIs(pairs.length - 3, 'further pair')} in the table.` : '';
    const none = pairs.length === 0 ? ' No arm of several models stands beside an arm of one of them alone.' : '';
    return `${countWords(points, level, { noun: 'decided trial' })}${compared}${more}${none}${fewWords(points)}`;
  },
  height: (data) => dotRowsHeight(drawn(data)),
  option: (data, paint, size) => dotRows(drawn(data), paint, size),
  table({ rows, columns, pairs }) {
    const { columns: named, rows: cells } = dotTable(
      rows.map(({ name }) => name),
      columns,
    );
    const pairOf = (name: string) => pairs.find(({ arm }) => arm === name);
    return {
      columns: [
        ...named,
        { name: 'stronger single model', as: 'text' },
        { name: 'difference of accuracy', as: 'text' },
        { name: 'shown to be right more often', as: 'text' },
      ],
      rows: cells.map((row, place) => {
        const pair = pairOf(rows[place]?.name ?? '');
        return [...row, pair?.single ?? null, pair?.difference ?? null, pair === undefined ? null : (pair.better ?? 'neither')];
      }),
    };
  },
  behind: (data, mark) =>
    dotBehind(drawn(data), data.rows, mark, (id, row, point) =>
      countedTrials(measures.find((measure) => measure.id === id)?.over ?? 'believed', data.rows[row]?.name ?? '', point),
    ),
  behindRow({ rows, columns }, row) {
    const point = columns.find(({ id }) => id === 'brier')?.points[row] ?? null;
    return point === null ? null : countedTrials('believed', rows[row]?.name ?? '', point);
  },
};
