// Results of groups, in words and tables.
import { retitled } from '../../shared/decidedBy.ts';
import { isImported } from '../../shared/imported.ts';
import type { StatsReport } from '../../shared/outputs.ts';
import { count, quantity } from '../../shared/sizes.ts';
import type { Measure } from '../../shared/statistics.ts';
import { groupName, titleIn } from '../cases/columnNames.ts';
import { roundedNote } from '../figures/shares.ts';
import { fewestInGroup } from '../statistics/measures/fairness.ts';
import { type Column, cautionLines, columnsOf, estimate, measureNamed, ofArms, type Piece, pointsOfRates } from './cells.ts';
import { recordedName } from './groupFindings.ts';

type Fairness = NonNullable<StatsReport['arms'][number]['fairness']>[number];

const differences: Readonly<Record<string, string>> = {
  demographic_parity_difference: 'demographic parity',
  equalized_odds_difference: 'equalised odds',
  true_positive_rate_difference: 'true-positive rate',
  false_positive_rate_difference: 'false-positive rate',
  failure_rate_difference: 'failure rate',
};

/** Groups with too few cases for a difference, each with what leaves it out: nothing for those that have too few for all. */
export function tooFew(
  { attribute, left_out: everywhere, too_few: lacking = [] }: Fairness,
  titles: StatsReport['column_titles'],
): { group: string; why: string }[] {
  const groups = new Set([...everywhere, ...lacking.flatMap((each) => each.groups)]);
  return [...groups].map((group) => {
    const shown = `${titleIn(titles, attribute)} ${groupName(group)}`;
    if (everywhere.includes(group)) return { group: shown, why: '' };
    const names = lacking.flatMap(({ name, groups: few }) => (few.includes(group) ? [differences[name] ?? name] : []));
    return { group: shown, why: ` (${[...new Set(names)].join(', ')})` };
  });
}

export function tooFewText(fairness: Fairness, titles: StatsReport['column_titles']): string {
  const groups = tooFew(fairness, titles).map(({ group, why }) => `${group}${why}`);
  return groups.length === 0 ? 'none' : groups.join('; ');
}

/** Where no attribute was exchanged: what rates by group cannot show, and how to find it out. */
export const causeTexts = ({
  changes = [],
  arms,
}: {
  readonly changes?: StatsReport['changes'];
  readonly arms: readonly { readonly protocol: string }[];
}): { limit: string; advice: string } | null => {
  if (changes.some(({ kind }) => kind === 'attribute')) return null;
  return arms.every(isImported)
    ? {
        limit: 'Shares by group do not show what the attribute causes.',
        advice: 'That can only be tried where Assize asks the models itself: imported predictions stay as they are.',
      }
    : {
        limit: 'Shares by group do not show what the attribute causes: it was exchanged in no trial of this experiment.',
        advice:
          'To try what an attribute causes, exchange it: “Try with changes… › Attribute to swap” on the screen of the experiment, or assize vary --change attribute=COLUMN.',
      };
};

/** Rates of a group in the order of their columns: name, what it is over, heading. */
export const groupRates = [
  ['accuracy', 'all', 'accuracy of all'],
  ['selection_rate', 'decided', 'selection rate'],
  ['selection_rate', 'finished', 'failures as not selected'],
  ['true_positive_rate', 'truly-positive', 'true-positive rate'],
  ['false_positive_rate', 'truly-negative', 'false-positive rate'],
  ['false_negative_rate', 'truly-positive', 'false-negative rate'],
  ['positive_predictive_value', 'selected', 'predictive value'],
  ['failure_rate', 'finished', 'failure rate'],
] as const;

/** How many trials of a group have the positive label in the data set, as `3 of 8` or `18 of 40 (20 cases)`; null where no rate needs that label. */
export function positiveIn(measures: readonly Measure[]): string | null {
  const among = (wanted: string) => measures.find(({ over }) => over === wanted);
  const [positive, negative] = [among('finished-truly-positive'), among('finished-truly-negative')];
  if (positive === undefined || negative === undefined) return null;
  const all = { n: positive.n + negative.n, cases: positive.cases + negative.cases };
  return `${count(positive.n)} of ${ratedText(all)}`;
}

/** Of the column of these counts. */
export const positiveTitle = ({ positive, decided_by: by }: Pick<StatsReport, 'positive' | 'decided_by'>): string =>
  by === undefined ? `true label is ${positive}` : `${positive} by ${by}`;

/** What a rate is over: with replicates also of how many cases, which is what has to be enough. */
export const ratedText = ({ n, cases }: Pick<Measure, 'n' | 'cases'>): string =>
  cases < n ? `${count(n)} (${quantity(cases, 'case')})` : count(n);

/** Differences between groups in the order of their columns: name, what it is over, heading. */
export const groupDifferences = [
  ['demographic_parity_difference', 'decided', 'demographic parity'],
  ['demographic_parity_difference', 'finished', 'demographic parity, failures as not selected'],
  ['equalized_odds_difference', 'decided', 'equalised odds'],
  ['equalized_odds_difference', 'finished', 'equalised odds, failures as not selected'],
  ['true_positive_rate_difference', 'decided', 'true-positive rate'],
  ['false_positive_rate_difference', 'decided', 'false-positive rate'],
  ['failure_rate_difference', 'finished', 'failure rate'],
] as const;

type Rate = readonly [name: string, over: string, title: string];

/** Of some columns those with a value: not failures where there are none, or as not selected where that changes nothing. */
export function tellingColumns<Some extends Rate>(
  columns: readonly Some[],
  rows: readonly { readonly measures: readonly Measure[] }[],
): Some[] {
  const valueIn = (row: (typeof rows)[number], [name, over]: Rate) => measureNamed(row, name, { over })?.value ?? null;
  return columns.filter((column) => {
    const [name, over, title] = column;
    const decided = columns.find((other) => other[0] === name && other[1] === 'decided');
    if (over === 'finished' && decided !== undefined)
      return rows.some((row) => ![null, valueIn(row, [name, 'decided', title])].includes(valueIn(row, column)));
    const isOfFailures = name.startsWith('failure_rate');
    return rows.some(({ measures }) =>
      measures.some(
        (each) => each.name === name && each.over === over && (isOfFailures ? (each.value ?? 0) > 0 : each.value !== null),
      ),
    );
  });
}

const isIn = (columns: readonly Rate[], { name, over }: Measure) =>
  columns.some((column) => column[0] === name && column[1] === over);

/** How far groups are apart, over the decided and with failures as not selected. */
export function fairnessTable({ arms, column_titles: titles }: StatsReport): Piece[] {
  const all = arms.flatMap(({ arm, fairness = [] }) => fairness.map((each) => ({ ...each, arm })));
  if (all.length === 0) return [];
  const columns = tellingColumns(groupDifferences, all);
  return [
    '',
    `Largest differences between groups, in points (0 is equal; above 0 on average also where groups are equal). Too few to say: groups with under ${fewestInGroup} cases in a denominator. ${roundedNote}`,
    columnsOf(all, [
      ['arm', ({ arm }) => arm],
      ['column', ({ attribute }) => titleIn(titles, attribute)],
      ...columns.map(
        ([name, over, title]): Column<(typeof all)[number]> => [
          title,
          (each) => pointsOfRates(measureNamed(each, name, { over })),
        ],
      ),
      ['too few to say', (fairness) => tooFewText(fairness, titles)],
    ]),
    ...cautionLines(ofArms(all.map(({ arm, measures }) => ({ arm, measures: measures.filter((each) => isIn(columns, each)) })))),
  ];
}

export const withoutPositive =
  'Selection and error rates, and differences between groups, are left out: they need one of two labels for each case, or a positive label that the data set names.';

export function groupsTable(report: StatsReport): Piece[] {
  const { arms, positive, decided_by, column_titles: titles, changes, recorded_labels: recorded } = report;
  const all = arms.flatMap(({ arm, groups, intersections = [] }) =>
    [...groups, ...intersections].map((each) => ({ ...each, arm })),
  );
  if (all.length === 0) return [];
  const rows = [...all, ...(recorded?.groups ?? []).map((each) => ({ ...each, arm: recordedName(report) }))];
  type Group = (typeof all)[number];
  const rates = tellingColumns(groupRates, all);
  const isLabelled = all.some(({ measures }) => positiveIn(measures) !== null);
  const columns: Column<Group>[] = [
    ['arm', ({ arm }) => arm],
    ['group', ({ attribute, value }) => `${titleIn(titles, attribute)} ${groupName(value)}`],
    ['n', ({ n }) => count(n)],
    ['decided', ({ decided }) => count(decided)],
    ...(isLabelled
      ? [[positiveTitle({ positive, decided_by }), ({ measures }) => positiveIn(measures) ?? '–'] satisfies Column<Group>]
      : []),
    ...rates.map(
      ([name, over, title]): Column<Group> => [
        retitled(title, { decided_by }),
        (group) => {
          const found = measureNamed(group, name, { over });
          return found === undefined || found.value === null ? '-' : `${estimate(found)} of ${ratedText(found)}`;
        },
      ],
    ),
  ];
  const measures = all.flatMap((group) => group.measures.filter((each) => isIn(rates, each)));
  const cause = causeTexts({ changes, arms });
  return [
    ...['', 'By group:', columnsOf(rows, columns)],
    ...(positive === null ? [withoutPositive] : []),
    ...(cause === null ? [] : [cause.limit, { advice: cause.advice }]),
    ...cautionLines(measures),
  ];
}
