import { percent } from '../../../core/figures/shares.ts';
import type { ArmStatistics } from '../../../shared/outputs.ts';
import type { GroupStatistics } from '../../../shared/statistics.ts';
import { dotBehind, type NamedRow } from '../estimates/dotFigure.ts';
import { type DotPanel, type DotRows, dotAt, dotRows, dotRowsHeight } from '../estimates/dotRows.ts';
import { type Point, plainArms, pointCells, pointColumns, pointOf } from '../estimates/points.ts';
import { fewCases, shownName } from '../kit/axes.ts';
import { quantityIs } from '../kit/counts.ts';
import type { Figure, TrialsBehind } from '../kit/figure.ts';

/** Values of an attribute that are drawn: beyond these the marks of a row are no longer told apart. */
const mostValues = 8;

interface Group {
  readonly value: string;
  /** By measure, then by arm. */
  readonly points: readonly (readonly (Point | null)[])[];
}

interface Attribute {
  readonly name: string;
  /** Those that are drawn, the most frequent ones, in the order of their names. */
  readonly groups: readonly Group[];
  /** In the table alone. */
  readonly others: readonly Group[];
}

interface Data {
  readonly rows: readonly NamedRow[];
  readonly attributes: readonly Attribute[];
  readonly labels: readonly string[];
  readonly positive: string | null;
  readonly level: number;
}

const measures = [
  { id: 'accuracy', name: 'accuracy of all', measure: 'accuracy', over: 'all' },
  { id: 'false-positives', name: 'false positives', measure: 'false_positive_rate', over: 'truly-negative' },
  { id: 'false-negatives', name: 'false negatives', measure: 'false_negative_rate', over: 'truly-positive' },
] as const;

const measuresOf = (positive: string | null) => (positive === null ? measures.slice(0, 1) : measures);
const valueWords = (attribute: string, value: string) => `${attribute}: ${value === '' ? 'not given' : value}`;

function attributeOf(name: string, arms: readonly ArmStatistics[], positive: string | null): Attribute {
  const of = (arm: ArmStatistics) => arm.groups.filter(({ attribute }) => attribute === name);
  const all = arms.flatMap(of);
  const trials = (value: string) => all.filter((group) => group.value === value).reduce((sum, { n }) => sum + n, 0);
  const values = [...new Set(all.map(({ value }) => value))].toSorted((one, other) => trials(other) - trials(one));
  const pointIn = (group: GroupStatistics | undefined, { measure, over }: (typeof measures)[number]) =>
    group === undefined ? null : pointOf(group, measure, over, measure === 'accuracy' ? null : positive);
  const groupOf = (value: string): Group => ({
    value,
    points: measuresOf(positive).map((measure) =>
      arms.map((arm) =>
        pointIn(
          of(arm).find((group) => group.value === value),
          measure,
        ),
      ),
    ),
  });
  return {
    name,
    groups: values.slice(0, mostValues).toSorted().map(groupOf),
    others: values.slice(mostValues).map(groupOf),
  };
}

/** Groups of the attributes before one: no two groups have the same mark. */
const before = (attributes: readonly Attribute[], place: number) =>
  attributes.slice(0, place).reduce((sum, { groups }) => sum + groups.length, 0);

const drawn = ({ rows, attributes, positive }: Data): DotRows => ({
  names: rows.map(({ name }) => name),
  columns: measuresOf(positive).length,
  panels: attributes.flatMap(({ name, groups }, attribute) =>
    measuresOf(positive).map(
      (measure, place): DotPanel => ({
        id: `${measure.id}-of-${attribute}`,
        title: measure.name,
        scale: 'share',
        series: groups.map(({ value, points }, group) => ({
          id: `${measure.id}/${attribute}/${group}`,
          name: shownName(valueWords(name, value)),
          place: before(attributes, attribute) + group,
          points: points[place] ?? [],
        })),
      }),
    ),
  ),
});

/** The trials that a rate is over. */
function narrowed({ attributes, labels, positive }: Data, seriesId: string, { n }: Point): TrialsBehind {
  const [measure, attribute, group] = seriesId.split('/');
  const of = attributes[Number(attribute)];
  const groups = { [of?.name ?? '']: [of?.groups[Number(group)]?.value ?? ''] };
  const counts = { n, of: 'trials' } as const;
  if (measure === 'accuracy') return { status: 'done', subset: { groups, known: ['truth'] }, counts };
  const truths = labels.filter((label) => (label === positive) === (measure === 'false-negatives'));
  return { outcome: 'decided', subset: { groups, truths }, counts };
}

/** Rows of the table: each value of each attribute in each arm. */
const entries = ({ rows, attributes }: Data) =>
  attributes.flatMap(({ name, groups, others }) =>
    [...groups, ...others].flatMap((group) => rows.map((row, arm) => ({ attribute: name, group, row, arm }))),
  );

/** Error rates by group. What differs here is described and not tested: there is no sentence over it. */
export const groupRatesFigure: Figure<Data> = {
  id: 'group-rates',
  title: 'Accuracy and error rates by group',
  paper: null,
  group: 'fairness',
  needs: [],
  data({ report }) {
    const arms = plainArms(report).filter(({ groups }) => groups.some((group) => pointOf(group, 'accuracy', 'all') !== null));
    if (arms.length === 0) {
      return {
        absent:
          'No finished trial of known truth has a group. Name columns under `groups` in the data set to see rates by group.',
      };
    }
    const names = [...new Set(arms.flatMap(({ groups }) => groups.map(({ attribute }) => attribute)))];
    return {
      rows: arms.map(({ arm }) => ({ name: arm, trials: { arm } })),
      attributes: names.map((name) => attributeOf(name, arms, report.positive)),
      labels: report.labels,
      positive: report.positive,
      level: report.interval.level,
    };
  },
  caption({ attributes, level }) {
    const groups = attributes.flatMap(({ name, groups: mine }) =>
      mine.map(({ value, points }) => ({
        words: shownName(valueWords(name, value)),
        cases: Math.max(0, ...points.flat().map((point) => point?.cases ?? 0)),
      })),
    );
    const counts = groups.map(({ words, cases }) => `${words}, ${cases}`).join('; ');
    const few = groups.filter(({ cases }) => cases < fewCases).map(({ words }) => words);
    const small =
      few.length === 0 ? '' : ` With fewer than ${fewCases} cases, so that one more could change the picture: ${few.join('; ')}.`;
    const left = attributes.reduce((sum, { others }) => sum + others.length, 0);
    const more = left === 0 ? '' : ` ${quantityIs(left, 'rarer group')} in the table alone.`;
    return `Cases by group: ${counts}. Lines are ${percent(level)} intervals over cases. Error rates are of decided trials. Groups are described here, not tested against each other.${small}${more}`;
  },
  height: (data) => dotRowsHeight(drawn(data)),
  option: (data, paint, size) => dotRows(drawn(data), paint, size),
  table(data) {
    return {
      columns: [
        { name: 'attribute', as: 'text' },
        { name: 'group', as: 'text' },
        { name: 'arm', as: 'text' },
        ...measuresOf(data.positive).flatMap(({ name }) => pointColumns(name)),
      ],
      rows: entries(data).map(({ attribute, group, row, arm }) => [
        attribute,
        group.value,
        row.name,
        ...group.points.flatMap((points) => pointCells(points[arm] ?? null)),
      ]),
    };
  },
  behind(data, mark) {
    const series = dotAt(drawn(data), mark.seriesId);
    return series === null ? null : dotBehind(drawn(data), data.rows, mark, (id, _row, point) => narrowed(data, id, point));
  },
  behindRow(data, row) {
    const entry = entries(data)[row];
    if (entry?.row.trials === undefined || entry.row.trials === null) return null;
    const point = entry.group.points[0]?.[entry.arm] ?? null;
    const subset = { groups: { [entry.attribute]: [entry.group.value] }, known: ['truth' as const] };
    return point === null ? null : { ...entry.row.trials, status: 'done', subset, counts: { n: point.n, of: 'trials' } };
  },
};
