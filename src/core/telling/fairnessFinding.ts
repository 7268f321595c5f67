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
  readonly where: string;
  readonly of: Judged;
  readonly measure: Measure;
  readonly groups: readonly GroupStatistics[];
  /** Too few cases for this difference. */
  readonly few: readonly string[];
}

function differencesOf(
  { arm, groups, intersections = [], fairness = [] }: ArmStatistics,
  titles: StatsReport['column_titles'],
  several: boolean,
) {
  return fairness.flatMap(({ attribute, left_out: everywhere, too_few: lacking = [], measures }) =>
    judged.flatMap((of): Difference[] => {
      const isMeant = (each: { name: string; over: string }) => each.name === of.name && each.over === 'decided';
      const measure = measures.find(isMeant);
      if (measure === undefined || measure.why_null === toCome) return [];
      const title = titleIn(titles, attribute);
      return [
        {
          ...{ where: several ? `${title} in ${arm}` : title, of, measure },
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

/** The fewest trials that each group has for a rate. */
function fewestText({ of, groups }: Difference): string {
  const fewest = groups.map(({ measures }) =>
    Math.min(...of.rates.map(([name, over]) => measures.find((each) => each.name === name && each.over === over)?.n ?? 0)),
  );
  return groups.length > 4
    ? `n = ${count(Math.min(...fewest))} to ${count(Math.max(...fewest))} in ${groups.length} groups`
    : `n = ${new Intl.ListFormat('en-GB').format(fewest.map(count))}`;
}

/** A difference that is not shown, behind the name of its column. */
function unshownText(difference: Difference): string {
  const { of, measure } = difference;
  if (!isDrawn(difference))
    return `${of.title} cannot be compared (${measure.why_null ?? 'no interval'}; ${fewestText(difference)})`;
  const corrected = (measure.low ?? 0) >= smallest ? '; chance is not ruled out after correction' : '';
  return `${of.title} ${pointsOf(measure.value ?? 0)} (${rangeText(measure)}${corrected})`;
}

/**
 * Whether groups fare differently in selection and in errors: each difference that is beyond chance, the largest first, then the others
 * by column. Beyond chance: its interval leaves out 0, and so does the test of equality after Holm's correction over all of them.
 */
export function fairnessFinding({ arms, positive, column_titles: titles, resampling }: StatsReport): FairnessPart[] {
  const plain = plainAmong(arms);
  const all = plain.flatMap((arm) => differencesOf(arm, titles, plain.length > 1));
  const adjusted = holm(all.map(({ measure }) => measure.p ?? null));
  const family = adjusted.filter((p) => p !== null).length;
  const judgedOnes = all.map((difference, place) => {
    const p = adjusted[place] ?? null;
    return { difference, p, isShown: p !== null && p <= 0.05 && (difference.measure.low ?? 0) >= smallest };
  });
  const bySize = judgedOnes.toSorted((one, other) => size(other.difference) - size(one.difference));
  const shown = bySize.flatMap(({ difference, p, isShown }) => {
    const { where, measure } = difference;
    const interval = `${percent(measure.level)} interval ${rangeText(measure)}`;
    return isShown
      ? [`${where}: ${endsText(difference)}: ${pointsOf(size(difference))} apart (${interval}; adjusted p ${chance(p)})`]
      : [];
  });
  const unshown = Map.groupBy(
    bySize.filter(({ isShown }) => !isShown),
    ({ difference }) => difference.where,
  );
  const number = family === 1 ? '1 comparison of groups' : `all ${count(family)} comparisons of groups`;
  // The smallest p that so many deals can give.
  const tooFew = family / (1 + resampling.resamples) > 0.05;
  return [
    {
      heading: `Differences between groups that chance does not explain, corrected for ${number} (selection rate: verdicts for ${positive}), the largest first:`,
      lines: shown,
    },
    {
      heading: `No difference between groups is shown (corrected for ${number}; in brackets ${percent(all[0]?.measure.level ?? 0.95)} intervals in points, before correction):`,
      lines: [...unshown].map(([where, some]) => `${where}: ${some.map(({ difference }) => unshownText(difference)).join('; ')}`),
    },
    {
      heading: 'So many comparisons can show a difference only with more resamples than these.',
      lines: [],
    },
  ].filter(({ lines }, place) => lines.length > 0 || (place === 2 && tooFew));
}

/** The same as lines of text. */
export const fairnessLines = (report: StatsReport): string[] =>
  fairnessFinding(report).flatMap(({ heading, lines }) => [heading, ...lines.map((line) => `  ${line}.`)]);
