// Whether groups fare differently, one line for each difference, the largest first.
import type { ArmStatistics, StatsReport } from '../../shared/outputs.ts';
import { count } from '../../shared/sizes.ts';
import type { GroupStatistics, Measure } from '../../shared/statistics.ts';
import { plainAmong } from '../../shared/trialLine.ts';
import { titleIn } from '../cases/columnNames.ts';
import { percent, points, pointsOf } from '../figures/shares.ts';
import { holm } from '../statistics/holm.ts';
import { toCome } from '../statistics/measures/intervalsToCome.ts';
import { chance } from './cells.ts';

/** A heading with the lines that it is over. */
export interface FairnessPart {
  readonly heading: string;
  readonly lines: readonly string[];
}

/** The differences that are judged, with the rates of a group that each is of. */
const judged = [
  { name: 'demographic_parity_difference', title: 'selection rate', rates: [['selection_rate', 'decided', 'selection rate']] },
  {
    name: 'equalized_odds_difference',
    title: 'true- or false-positive rate',
    rates: [
      ['true_positive_rate', 'truly-positive', 'true-positive rate'],
      ['false_positive_rate', 'truly-negative', 'false-positive rate'],
    ],
  },
] as const;
type Judged = (typeof judged)[number];

/** A smaller difference is 0 as it is written. */
const smallest = 0.0005;

interface Difference {
  readonly column: string;
  readonly arm: string;
  /** Of two columns together. */
  readonly isPair: boolean;
  readonly of: Judged;
  readonly measure: Measure;
  readonly groups: readonly GroupStatistics[];
  /** Too few cases for this difference. */
  readonly few: readonly string[];
}

function differencesOf({ arm, groups, intersections = [], fairness = [] }: ArmStatistics, titles: StatsReport['column_titles']) {
  return fairness.flatMap(({ attribute, left_out: everywhere, too_few: lacking = [], measures }) =>
    judged.flatMap((of): Difference[] => {
      const isMeant = (each: { name: string; over: string }) => each.name === of.name && each.over === 'decided';
      const measure = measures.find(isMeant);
      if (measure === undefined || measure.why_null === toCome) return [];
      return [
        {
          ...{ column: titleIn(titles, attribute), arm, of, measure },
          isPair: !groups.some((group) => group.attribute === attribute),
          groups: [...groups, ...intersections].filter((group) => group.attribute === attribute),
          few: [...everywhere, ...lacking.filter(isMeant).flatMap((each) => each.groups)],
        },
      ];
    }),
  );
}

const isDrawn = ({ measure }: Difference) => measure.value !== null && measure.low !== null && measure.high !== null;
const size = ({ measure }: Difference) => measure.value ?? -1;
const bare = (share: number) => points(share).replace('+', '');
const rangeText = ({ low, high }: Measure) => `${bare(low ?? 0)} to ${bare(high ?? 1)}`;

/** The rate in which the groups are furthest apart, with its two ends: `selection rate 48% for A (n = 46), 99% for B (n = 58)`. */
function endsText({ of, groups, few }: Difference): string {
  const [furthest] = of.rates
    .map(([name, over, title]) => {
      const rates = groups
        .filter(({ value }) => !few.includes(value))
        .flatMap(({ value, measures }) => {
          const found = measures.find((each) => each.name === name && each.over === over);
          return found?.value == null ? [] : [{ group: value || '(none)', n: found.n, rate: found.value }];
        })
        .toSorted((one, other) => one.rate - other.rate);
      return { title, rates, apart: (rates.at(-1)?.rate ?? 0) - (rates[0]?.rate ?? 0) };
    })
    .toSorted((one, other) => other.apart - one.apart);
  const { title = of.title, rates = [] } = furthest ?? {};
  const [lowest, highest] = [rates[0], rates.at(-1)];
  if (lowest === undefined || highest === undefined) return title;
  const end = ({ group, n, rate }: typeof lowest) => `${percent(rate)} for ${group} (n = ${count(n)})`;
  const among = rates.length > 2 ? `, the lowest and highest of ${rates.length} groups` : '';
  return `${title} ${end(lowest)} and ${end(highest)}${among}`;
}

/** Columns whose groups cannot be compared, each once for all arms and rates. */
function lackingLines(differences: readonly Difference[]): string[] {
  const alike = Map.groupBy(differences, ({ column, measure }) => `${column}: ${measure.why_null ?? 'no interval'}`);
  return [...alike].map(([text, some]) => {
    const fewest = some.flatMap(({ of, groups }) =>
      groups.map(({ measures }) =>
        Math.min(...of.rates.map(([name, over]) => measures.find((each) => each.name === name && each.over === over)?.n ?? 0)),
      ),
    );
    const rates = [...new Set(some.map(({ of }) => of.title))].join(', ');
    return `${text} (${rates}; n = ${count(Math.min(...fewest))} to ${count(Math.max(...fewest))} a group)`;
  });
}

/** A difference that is not shown, behind the name of its column. */
function unshownText({ of, measure }: Difference): string {
  const corrected = (measure.low ?? 0) >= smallest ? '; chance is not ruled out after correction' : '';
  return `${of.title} ${pointsOf(measure.value ?? 0)} (${rangeText(measure)}${corrected})`;
}

/**
 * Whether groups fare differently in selection and in errors: each difference that is beyond chance, the largest first, then the others
 * by column. Beyond chance: its interval leaves out 0, and so does the test of equality after Holm's correction over all of them.
 * Of pairs of columns only what is beyond chance is named.
 */
export function fairnessFinding({ arms, positive, column_titles: titles, resampling }: StatsReport): FairnessPart[] {
  const plain = plainAmong(arms);
  const all = plain.flatMap((arm) => differencesOf(arm, titles));
  const adjusted = holm(all.map(({ measure }) => measure.p ?? null));
  const family = adjusted.filter((p) => p !== null).length;
  const place = ({ column, arm }: Difference) => (plain.length > 1 ? `${column} in ${arm}` : column);
  const judgedOnes = all
    .map((difference, index) => {
      const p = adjusted[index] ?? null;
      return { difference, p, isShown: p !== null && p <= 0.05 && (difference.measure.low ?? 0) >= smallest };
    })
    .toSorted(
      ({ difference: one }, { difference: other }) => Number(one.isPair) - Number(other.isPair) || size(other) - size(one),
    );
  const shown = judgedOnes.flatMap(({ difference, p, isShown }) => {
    const { measure } = difference;
    const interval = `${percent(measure.level)} interval ${rangeText(measure)}`;
    return isShown
      ? [
          `${place(difference)}: ${endsText(difference)}: ${pointsOf(size(difference))} apart (${interval}; adjusted p ${chance(p)})`,
        ]
      : [];
  });
  const others = judgedOnes.flatMap(({ difference, isShown }) => (isShown || difference.isPair ? [] : [difference]));
  const unshown = Map.groupBy(others.filter(isDrawn), place);
  const number = family === 1 ? '1 comparison of groups' : `all ${count(family)} comparisons of groups`;
  // The smallest p that so many deals can give.
  const tooFew = family / (1 + resampling.resamples) > 0.05;
  return [
    {
      heading: `Differences between groups that chance does not explain, corrected for ${number} (selection rate: verdicts for ${positive}), the largest first, pairs of columns last:`,
      lines: shown,
    },
    {
      heading: `No difference between groups is shown (corrected for ${number}; in brackets ${percent(all[0]?.measure.level ?? 0.95)} intervals in points, before correction):`,
      lines: [...unshown].map(([where, some]) => `${where}: ${some.map(unshownText).join('; ')}`),
    },
    {
      heading: 'Groups that cannot be compared:',
      lines: lackingLines(others.filter((difference) => !isDrawn(difference))),
    },
    {
      heading: 'So many comparisons can show a difference only with more resamples than these.',
      lines: [],
    },
  ].filter(({ lines }, part) => lines.length > 0 || (part === 3 && tooFew));
}

/** The same as lines of text. */
export const fairnessLines = (report: StatsReport): string[] =>
  fairnessFinding(report).flatMap(({ heading, lines }) => [heading, ...lines.map((line) => `  ${line}.`)]);
