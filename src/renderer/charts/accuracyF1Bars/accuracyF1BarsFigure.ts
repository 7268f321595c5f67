import type { ArmStatistics, StatsReport } from '../../../shared/outputs.ts';
import { countedTrials } from '../estimates/countedTrials.ts';
import { dotBehind, dotTable, type NamedRow, type PointColumn } from '../estimates/dotFigure.ts';
import { type DotRows, dotRows, dotRowsHeight } from '../estimates/dotRows.ts';
import { countWords, fewWords, plainArms, pointOf } from '../estimates/points.ts';
import { shownName } from '../kit/axes.ts';
import type { Figure } from '../kit/figure.ts';

interface Data {
  /** Arms, those of a model together and the best model first; baselines after them. */
  readonly rows: readonly NamedRow[];
  readonly columns: readonly PointColumn[];
  /** The baseline with the highest accuracy. */
  readonly baseline: { readonly name: string; readonly value: number } | null;
  readonly level: number;
}

type Counted = Pick<ArmStatistics, 'arm' | 'measures' | 'models'>;

const accuracyOf = (arm: Counted) => pointOf(arm, 'accuracy', 'all')?.value ?? -1;

/** Arms of the same models stand together; models and arms by accuracy, the best first. */
function byModel(arms: readonly ArmStatistics[]): ArmStatistics[] {
  const sorted = arms.toSorted((one, other) => accuracyOf(other) - accuracyOf(one));
  return [...Map.groupBy(sorted, ({ models }) => JSON.stringify(models.toSorted())).values()].flat();
}

/** Accuracy of all, then F1 of the decided: of both labels where one of two is positive, and the mean over the labels. */
function columnsOf(arms: readonly Counted[], { labels, positive }: StatsReport): PointColumn[] {
  const column = (
    id: string,
    name: string,
    ...of: Parameters<typeof pointOf> extends [unknown, ...infer Rest] ? Rest : never
  ) => ({
    id,
    name,
    points: arms.map((arm) => pointOf(arm, ...of)),
  });
  const signed = positive === null || labels.length !== 2 ? [] : [positive, ...labels.filter((label) => label !== positive)];
  return [
    column('accuracy', 'accuracy of all finished', 'accuracy', 'all'),
    ...signed.map((label, place) =>
      column(place === 0 ? 'f1-positive' : 'f1-negative', `F1 of ${shownName(label)}`, 'f1', 'decided', label),
    ),
    column('macro-f1', 'macro-F1', 'macro_f1', 'decided'),
  ];
}

const drawn = ({ rows, columns, baseline }: Data): DotRows => ({
  names: rows.map(({ name }) => name),
  panels: [
    {
      id: 'estimates',
      scale: 'share',
      series: columns.map((each, place) => ({ ...each, place })),
      lines: baseline === null ? [] : [{ value: baseline.value, name: `accuracy of ${baseline.name}` }],
    },
  ],
});

/** Accuracy and F1 by model and protocol, as in AgenticSimLLM: figures 2-5 and Debate-Feedback: tables 2, 3. */
export const accuracyF1BarsFigure: Figure<Data> = {
  id: 'accuracy-f1-bars',
  title: 'Accuracy and F1 by model and protocol',
  paper: 'AgenticSimLLM: figures 2-5; Debate-Feedback: tables 2, 3',
  group: 'performance',
  needs: [],
  data({ report }) {
    const arms = byModel(plainArms(report).filter((arm) => accuracyOf(arm) >= 0));
    if (arms.length === 0) {
      return { absent: 'No finished trial has a case whose truth is known. A data set with a label column has accuracy and F1.' };
    }
    const best = report.baselines.toSorted((one, other) => accuracyOf(other) - accuracyOf(one))[0];
    return {
      rows: [
        ...arms.map(({ arm }) => ({ name: arm, trials: { arm } })),
        ...report.baselines.map(({ arm }) => ({ name: `baseline: ${arm}`, trials: null })),
      ],
      columns: columnsOf([...arms, ...report.baselines], report),
      baseline: best === undefined || accuracyOf(best) < 0 ? null : { name: best.arm, value: accuracyOf(best) },
      level: report.interval.level,
    };
  },
  caption({ rows, columns, baseline, level }) {
    const [accuracy] = columns;
    const points = (accuracy?.points ?? []).filter((_point, row) => rows[row]?.trials !== null);
    const line = baseline === null ? '' : ` Dotted: accuracy of the best baseline, ${shownName(baseline.name)}.`;
    return `${countWords(points, level, { noun: 'finished trial' })} A failed trial counts as not correct in the accuracy; F1 is of decided trials alone.${line}${fewWords(points)}`;
  },
  height: (data) => dotRowsHeight(drawn(data)),
  option: (data, paint, size) => dotRows(drawn(data), paint, size),
  table: ({ rows, columns }) =>
    dotTable(
      rows.map(({ name }) => name),
      columns,
    ),
  behind: (data, mark) =>
    dotBehind(drawn(data), data.rows, mark, (id, row, point) =>
      countedTrials(id === 'accuracy' ? 'all' : 'decided', data.rows[row]?.name ?? '', point),
    ),
  behindRow({ rows, columns }, row) {
    const point = columns[0]?.points[row] ?? null;
    const { name = '', trials = null } = rows[row] ?? {};
    return trials === null || point === null ? null : countedTrials('all', name, point);
  },
};
