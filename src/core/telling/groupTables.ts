// How groups fared, in words and tables.
import { isImported } from '../../shared/imported.ts';
import type { StatsReport } from '../../shared/outputs.ts';
import { count } from '../../shared/sizes.ts';
import { plainAmong } from '../../shared/trialLine.ts';
import { titleIn } from '../cases/columnNames.ts';
import { percent, points, pointsOf } from '../figures/shares.ts';
import { toCome } from '../statistics/measures/intervalsToCome.ts';
import { cautionLines, estimateOf, type Piece, table } from './cells.ts';

type Fairness = NonNullable<StatsReport['arms'][number]['fairness']>[number];

const differences: Readonly<Record<string, string>> = {
  demographic_parity_difference: 'demographic parity',
  equalized_odds_difference: 'equalised odds',
  failure_rate_difference: 'failure rate',
};

/** Groups with too few cases for a difference, each with what leaves it out: nothing for those that have too few for all. */
export function tooFew({ left_out: everywhere, too_few: lacking = [] }: Fairness): { group: string; why: string }[] {
  const groups = new Set([...everywhere, ...lacking.flatMap((each) => each.groups)]);
  return [...groups].map((group) => {
    const shown = group === '' ? '(none)' : group;
    if (everywhere.includes(group)) return { group: shown, why: '' };
    const names = lacking.flatMap(({ name, groups: few }) => (few.includes(group) ? [differences[name] ?? name] : []));
    return { group: shown, why: ` (${[...new Set(names)].join(', ')})` };
  });
}

/** The same as a text. */
export function tooFewText(fairness: Fairness): string {
  const told = tooFew(fairness).map(({ group, why }) => `${group}${why}`);
  return told.length === 0 ? 'none' : told.join('; ');
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

/** A range of numbers of trials where there are many. */
const sizesText = (sizes: readonly number[]) =>
  sizes.length > 4
    ? `${count(Math.min(...sizes))} to ${count(Math.max(...sizes))} in ${sizes.length} groups`
    : new Intl.ListFormat('en-GB').format(sizes.map(count));

/** Differences in a sentence. */
const mostNamed = 4;

/** Equalised odds are over both: each has the cases of one truth. */
const errorRates = ['true_positive_rate', 'false_positive_rate'];

/** A smaller difference is 0 as it is written. */
const smallest = 0.0005;

const intervalText = (level: number, low: number, high: number) =>
  `${percent(level)} interval ${points(low).slice(1)} to ${points(high).slice(1)}`;

/** Whether groups fare differently: where that is shown of selection and of errors, where not of selection, and where nothing can be said. */
export function fairnessFinding({ arms, positive, column_titles: titles }: StatsReport): string[] {
  const differ: string[] = [];
  const alike: string[] = [];
  const unknown = new Map<string, string[]>();
  const errors: string[] = [];
  const alikeErrors: string[] = [];
  const unknownErrors = new Map<string | null, string[]>();
  const plain = plainAmong(arms);
  for (const { arm, groups, intersections = [], fairness = [] } of plain) {
    for (const { attribute, left_out: everywhere, too_few: lacking = [], measures } of fairness) {
      const isMeant = (each: { name: string; over: string }) =>
        each.name === 'demographic_parity_difference' && each.over === 'decided';
      const found = measures.find(isMeant);
      if (found === undefined || found.why_null === toCome) continue;
      const title = titleIn(titles, attribute);
      const where = `${title} in ${arm}`;
      const odds = measures.find(({ name, over }) => name === 'equalized_odds_difference' && over === 'decided');
      const { value, low, high, level } = found;
      if (odds !== undefined && odds.value !== null && odds.low !== null && odds.high !== null) {
        const n = `n = ${count(odds.n)}`;
        if (odds.low < smallest) alikeErrors.push(`${where} (${percent(odds.level)} interval 0 to ${pointsOf(odds.high)}, ${n})`);
        else errors.push(`${where} by up to ${pointsOf(odds.value)} (${intervalText(odds.level, odds.low, odds.high)}, ${n})`);
      } else if (odds !== undefined && value !== null && odds.why_null !== toCome) {
        const rarer = [...groups, ...intersections]
          .filter((group) => group.attribute === attribute)
          .map(({ measures: own }) => Math.min(...errorRates.map((name) => own.find((each) => each.name === name)?.n ?? 0)));
        const words = `${where} (n of the rarer truth: ${sizesText(rarer)})`;
        unknownErrors.set(odds.why_null, [...(unknownErrors.get(odds.why_null) ?? []), words]);
      }
      if (value === null || low === null || high === null) {
        const why = `${title} (${found.why_null})`;
        unknown.set(why, [...(unknown.get(why) ?? []), arm]);
        continue;
      }
      const few = [...everywhere, ...lacking.filter(isMeant).flatMap((each) => each.groups)];
      const rates = [...groups, ...intersections]
        .filter((group) => group.attribute === attribute && !few.includes(group.value))
        .flatMap((group) => {
          const rate = group.measures.find((each) => each.name === 'selection_rate' && each.over === 'decided');
          return rate === undefined ? [] : [{ group: group.value || '(none)', n: rate.n, rate: rate.value ?? 0 }];
        })
        .toSorted((one, other) => other.rate - one.rate);
      const n = `n = ${sizesText(rates.map((each) => each.n))}`;
      if (low < smallest) alike.push(`${where} (${percent(level)} interval 0 to ${pointsOf(high)}, ${n})`);
      else {
        const between = `${rates[0]?.group} and ${rates.at(-1)?.group}`;
        const own = `n = ${count(rates[0]?.n ?? 0)} and ${count(rates.at(-1)?.n ?? 0)}`;
        const among = rates.length > 2 ? `; the furthest apart of ${rates.length} groups` : '';
        differ.push(`between ${between} by ${pointsOf(value)} (${where}; ${intervalText(level, low, high)}, ${own}${among})`);
      }
    }
  }
  const sentence = (words: string, some: readonly string[]) => {
    const more = some.length > mostNamed ? `; and ${some.length - mostNamed} more` : '';
    return some.length === 0 ? [] : [`${words} ${some.slice(0, mostNamed).join('; ')}${more}.`];
  };
  const judged = differ.length + alike.length + errors.length + alikeErrors.length;
  const each = `These ${judged} comparisons of groups were not corrected for their number.`;
  return [
    ...sentence(`Selection rate (verdicts for ${positive}) differs`, differ),
    ...sentence('True- or false-positive rate differs between groups of', errors),
    ...(differ.length + errors.length === 0 || judged === 1 ? [] : [each]),
    ...sentence('No difference in selection rate can be shown between groups of', alike),
    ...sentence('No difference in true- or false-positive rate can be shown between groups of', alikeErrors),
    ...[...unknownErrors].flatMap(([why, some]) =>
      sentence(`True- and false-positive rates cannot be compared (${why}) between groups of`, some),
    ),
    ...sentence(
      'Selection rates, and so true- and false-positive rates, cannot be compared between groups of',
      [...unknown].map(([why, some]) => (some.length === plain.length ? why : `${why} in ${some.join(', ')}`)),
    ),
  ];
}

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

/** Differences between groups in the order of their columns: name, what it is over, heading. */
export const groupDifferences = [
  ['demographic_parity_difference', 'decided', 'demographic parity'],
  ['demographic_parity_difference', 'finished', 'demographic parity, failures as not selected'],
  ['equalized_odds_difference', 'decided', 'equalised odds'],
  ['equalized_odds_difference', 'finished', 'equalised odds, failures as not selected'],
  ['failure_rate_difference', 'finished', 'failure rate'],
] as const;

/** How far groups are apart, over the decided and with failures as not selected. */
export function fairnessTable({ arms, column_titles: titles }: StatsReport): Piece[] {
  const rows = arms.flatMap(({ arm, fairness = [] }) =>
    fairness.map(({ attribute, measures, ...few }) => [
      arm,
      titleIn(titles, attribute),
      ...groupDifferences.map(([name, over]) =>
        estimateOf(measures.find((measure) => measure.name === name && measure.over === over)),
      ),
      tooFewText({ attribute, measures, ...few }),
    ]),
  );
  if (rows.length === 0) return [];
  const header = ['arm', 'column', ...groupDifferences.map(([, , title]) => title), 'too few to say'];
  return [
    '',
    'Largest differences between groups (0 is equal; above 0 on average also where groups are equal). Too few to say: groups with under 10 cases in a denominator:',
    table(header, rows),
    ...cautionLines(arms.flatMap(({ fairness = [] }) => fairness.flatMap(({ measures }) => measures))),
  ];
}

/** Why a table of groups has no rates of a label. */
export const withoutPositive =
  'Selection and error rates, and differences between groups, are left out: they need one of two labels for each case, or a positive label that the data set names.';

export function groupsTable({ arms, positive, column_titles: titles, changes }: StatsReport): Piece[] {
  const rates = groupRates.filter(([name, over]) =>
    arms.some(({ groups }) => groups.some(({ measures }) => measures.some((each) => each.name === name && each.over === over))),
  );
  const rows = arms.flatMap(({ arm, groups, intersections = [] }) =>
    [...groups, ...intersections].map(({ attribute, value, n, decided, measures }) => [
      arm,
      `${titleIn(titles, attribute)} ${value === '' ? '(none)' : value}`,
      count(n),
      count(decided),
      ...rates.map(([name, over]) => estimateOf(measures.find((measure) => measure.name === name && measure.over === over))),
    ]),
  );
  if (rows.length === 0) return [];
  const header = ['arm', 'group', 'n', 'decided', ...rates.map(([, , title]) => title)];
  const measures = arms.flatMap(({ groups }) => groups.flatMap((group) => group.measures));
  const cause = causeTexts({ changes, arms });
  return [
    ...['', 'By group:', table(header, rows)],
    ...(positive === null ? [withoutPositive] : []),
    ...(cause === null ? [] : [cause.limit, { advice: cause.advice }]),
    ...cautionLines(measures),
  ];
}
