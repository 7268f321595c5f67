import { groupName, titleIn } from '../../../core/cases/columnNames.ts';
import { percent } from '../../../core/figures/shares.ts';
import { fewestInGroup } from '../../../core/statistics/measures/fairness.ts';
import { withoutPositive } from '../../../core/telling/groupTables.ts';
import { rightWords } from '../../../shared/decidedBy.ts';
import type { ArmStatistics, StatsReport } from '../../../shared/outputs.ts';
import { quantityRange } from '../../ui/quantity.ts';
import { shownName } from '../kit/axes.ts';
import { quantityIs } from '../kit/counts.ts';
import { type DotPanel, dotRows } from '../kit/dotRows.ts';
import type { TrialsBehind } from '../kit/figure.ts';
import { figure, share, table, text } from '../kit/plot.ts';
import { accuracyOf, type Point, plainArms, pointColumns, pointOf } from '../kit/points.ts';

/** Values of an attribute that are drawn: with more the marks of a row cannot be distinguished. */
const mostValues = 8;

interface Group {
  readonly attribute: string;
  readonly value: string;
  /** Of the attribute. */
  readonly title: string;
  /** The value as it is read. */
  readonly shown: string;
  /** One of those of its attribute that differ most from the others; the rest are only in the table. */
  readonly isDrawn: boolean;
}

const measures = [
  { id: 'accuracy', name: (report: StatsReport) => `${rightWords(report).accuracy} of all`, measure: 'accuracy', over: 'all' },
  { id: 'false-positives', name: () => 'false positives', measure: 'false_positive_rate', over: 'truly-negative' },
  { id: 'false-negatives', name: () => 'false negatives', measure: 'false_negative_rate', over: 'truly-positive' },
] as const;
type Rate = (typeof measures)[number];

/** Too few cases to draw, or none. */
const isFew = (point: Point | null) => (point?.cases ?? 0) < fewestInGroup;

/** The n of the marks of a panel, in one word: `, n = 18–37`. */
function countsText(counts: readonly number[]): string {
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return counts.length === 0 ? '' : `, n\u00a0=\u00a0${[...new Set([least, most])].join('–')}`;
}

/** How far a group is from the others in any rate of any arm; 0 where it has too few cases to say. */
function distances(groups: readonly Group[], arms: readonly ArmStatistics[], rates: readonly Rate[], report: StatsReport) {
  const found = new Map(groups.map(({ value }) => [value, 0]));
  for (const arm of arms) {
    for (const rate of rates) {
      const known = groups.flatMap((group) => {
        const point = rateOf(arm, group, rate, report);
        return point === null || isFew(point) ? [] : [{ value: group.value, share: point.value }];
      });
      const mean = known.reduce((sum, { share: each }) => sum + each, 0) / known.length;
      for (const { value, share: own } of known) found.set(value, Math.max(found.get(value) ?? 0, Math.abs(own - mean)));
    }
  }
  return found;
}

/** Values of each attribute: those drawn in the order of their names, then those that are nearer to the others. */
function groupsOf(arms: readonly ArmStatistics[], attribute: string, rates: readonly Rate[], report: StatsReport): Group[] {
  const all = arms.flatMap(({ groups }) => groups.filter((group) => group.attribute === attribute));
  const trials = (value: string) => all.reduce((sum, group) => sum + (group.value === value ? group.n : 0), 0);
  const title = titleIn(report.column_titles, attribute);
  const groups = [...new Set(all.map(({ value }) => value))].map((value) => ({
    ...{ attribute, value, title, isDrawn: true },
    shown: groupName(value),
  }));
  if (groups.length > mostValues) {
    const far = distances(groups, arms, rates, report);
    groups.sort(
      (one, other) => (far.get(other.value) ?? 0) - (far.get(one.value) ?? 0) || trials(other.value) - trials(one.value),
    );
  }
  const drawn = groups.slice(0, mostValues).toSorted((one, other) => (one.value < other.value ? -1 : 1));
  return [...drawn, ...groups.slice(mostValues).map((group) => ({ ...group, isDrawn: false }))];
}

function rateOf(arm: ArmStatistics, { attribute, value }: Group, { id, measure, over }: Rate, report: StatsReport): Point | null {
  const found = arm.groups.find((group) => group.attribute === attribute && group.value === value);
  const point =
    found === undefined ? null : pointOf({ measures: found.measures }, measure, over, id === 'accuracy' ? null : report.positive);
  if (point === null) return null;
  const groups = { [attribute]: [value] };
  const truths = report.labels.filter((label) => (label === report.positive) === (id === 'false-negatives'));
  const part: TrialsBehind =
    id === 'accuracy'
      ? { status: 'done', subset: { groups, known: ['truth'] } }
      : { outcome: 'decided', subset: { groups, truths } };
  return { ...point, behind: { arm: arm.arm, ...part, counts: { n: point.n, of: 'trials' } } };
}

/** Error rates by group. What differs here is described and not tested: there is no sentence over it. */
export const groupRatesFigure = figure({
  id: 'group-rates',
  title: 'Accuracy and error rates by group',
  requires: `finished trials of known truth whose cases have groups, two of a column with ${fewestInGroup} cases or more: name the columns with groups when you import the data`,
  plot({ report }) {
    const arms = plainArms(report).filter(({ groups }) =>
      groups.some((group) => accuracyOf({ measures: group.measures }) !== null),
    );
    if (arms.length === 0) return null;
    const rates = report.positive === null ? measures.slice(0, 1) : measures;
    const attributes = [...new Set(arms.flatMap(({ groups }) => groups.map(({ attribute }) => attribute)))];
    const groups = attributes.flatMap((attribute) => groupsOf(arms, attribute, rates, report));
    // No two groups have the same mark, even of different attributes.
    const drawn = groups.filter(({ isDrawn }) => isDrawn);
    const [only] = attributes.length === 1 ? drawn : [];
    const counted = drawn.map((group) => {
      const inArms = arms.map((arm) => Math.max(0, ...rates.map((rate) => rateOf(arm, group, rate, report)?.cases ?? 0)));
      const [least, cases] = [Math.min(...inArms), Math.max(...inArms)];
      const words = shownName(only === undefined ? `${group.title} ${group.shown}` : group.shown);
      return { group, words, cases, quantity: quantityRange({ min: least, max: cases }, 'case') };
    });
    const few = counted.flatMap(({ group, words, cases }) => {
      if (cases < fewestInGroup) return [words];
      const undrawn = rates.flatMap((rate) => {
        const names = arms.filter((arm) => isFew(rateOf(arm, group, rate, report))).map(({ arm }) => arm);
        if (names.length === 0) return [];
        return [names.length === arms.length ? rate.name(report) : `${rate.name(report)} of ${names.map(shownName).join(', ')}`];
      });
      return undrawn.length === 0 ? [] : [`${words} (${undrawn.join(', ')})`];
    });
    const left = groups.length - drawn.length;
    // A rate for which every group has too few cases is only in the table.
    const shown = rates.filter((rate) => drawn.some((group) => arms.some((arm) => !isFew(rateOf(arm, group, rate, report)))));
    const panels = attributes.flatMap((attribute, place) => {
      const seen = counted.filter(({ group, cases }) => group.attribute === attribute && cases >= fewestInGroup);
      // One group has none to compare it with.
      if (seen.length < 2) return [];
      return shown.map((rate): DotPanel<ArmStatistics> => {
        const channels = seen.map(({ group }, index) => ({
          id: `${rate.id}/${place}/${index}`,
          name: shownName(only === undefined ? `${group.title}: ${group.shown}` : group.shown),
          colour: drawn.indexOf(group),
          of: (arm: ArmStatistics) => {
            const point = rateOf(arm, group, rate, report);
            return isFew(point) ? null : point;
          },
        }));
        const counts = channels.flatMap(({ of }) => arms.flatMap((arm) => of(arm)?.n ?? []));
        return { id: `${rate.id}-of-${place}`, title: `${rate.name(report)}${countsText(counts)}`, scale: 'share', channels };
      });
    });
    if (panels.length === 0) return null;
    return {
      caption: `Cases of an arm by ${only === undefined ? 'group' : shownName(only.title)}: ${counted.map(({ words, quantity }) => `${words}: ${quantity}`).join(', ')}. Lines are ${percent(report.interval.level)} intervals over cases. ${report.positive === null ? withoutPositive : `Error rates are of decided trials; “${shownName(report.positive)}” is positive.`} Groups are described here, not tested against each other.${few.length === 0 ? '' : ` Not drawn, with fewer than ${fewestInGroup} cases: ${few.join(', ')}.`}${left === 0 ? '' : ` The ${mostValues} groups of a column that differ most are drawn; ${quantityIs(left, 'other group')} only in the table.`}`,
      ...dotRows({
        rows: arms,
        name: ({ arm }) => arm,
        columns: shown.length,
        panels,
      }),
      table: table(
        groups.flatMap((group) => arms.map((arm) => ({ group, arm }))),
        [
          text('attribute', ({ group }: { group: Group; arm: ArmStatistics }) => titleIn(report.column_titles, group.attribute)),
          text('group', ({ group }) => group.value),
          text('arm', ({ arm }) => arm.arm),
          ...rates.flatMap((rate) =>
            pointColumns(rate.name(report), share, ({ group, arm }: { group: Group; arm: ArmStatistics }) =>
              rateOf(arm, group, rate, report),
            ),
          ),
        ],
        ({ group, arm }) => rateOf(arm, group, measures[0], report)?.behind ?? null,
      ),
    };
  },
});
