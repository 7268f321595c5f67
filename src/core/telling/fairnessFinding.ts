// Whether groups fare differently, one line for each difference, the largest first.
import type { ArmStatistics, StatsReport } from '../../shared/outputs.ts';
import { count, quantity } from '../../shared/sizes.ts';
import type { GroupStatistics, Measure } from '../../shared/statistics.ts';
import { plainAmong } from '../../shared/trialLine.ts';
import { groupName, titleIn } from '../cases/columnNames.ts';
import { barePoints, percent, pointsOf } from '../figures/shares.ts';
import { holm } from '../statistics/adjustedPValues.ts';
import { toCome } from '../statistics/measures/intervalsToCome.ts';
import { chanceText } from '../statistics/measures/shownComparisons.ts';
import { measureNamed } from './cells.ts';
import { type FairnessPart, familyText, groupCalibration, mostLeftOut } from './groupCalibration.ts';

/** The differences that are judged, with the rate of a group that each is of and what that is over. */
export const judged = [
  { name: 'demographic_parity_difference', rate: 'selection_rate', over: 'decided', title: 'selection rate' },
  {
    ...{ name: 'true_positive_rate_difference', rate: 'true_positive_rate', over: 'truly-positive' },
    title: 'true-positive rate',
  },
  {
    ...{ name: 'false_positive_rate_difference', rate: 'false_positive_rate', over: 'truly-negative' },
    title: 'false-positive rate',
  },
] as const;
type Judged = (typeof judged)[number];

/** What a rate is called in a sentence: `share refused`. */
const titleOf = ({ of, positive }: Pick<Difference, 'of' | 'positive'>): string =>
  of.rate === 'selection_rate' && positive !== null ? `share ${positive}` : of.title;

/** A smaller difference is 0 as it is written. */
const smallest = 0.0005;

export interface Difference {
  readonly column: string;
  readonly arm: string;
  /** Of two columns together. */
  readonly isPair: boolean;
  readonly of: Judged;
  readonly positive: string | null;
  readonly measure: Measure;
  readonly groups: readonly GroupStatistics[];
  /** Too few cases for this difference. */
  readonly few: readonly string[];
  /** The largest difference, where this is that of the two groups that differ most clearly and that one can be chance. */
  readonly largest?: Difference;
}

type Named = Pick<StatsReport, 'column_titles' | 'positive'>;
type GroupedArm = Pick<ArmStatistics, 'arm' | 'base_arm' | 'groups' | 'intersections' | 'fairness'>;

function differencesOf(
  { arm, groups, intersections = [], fairness = [] }: GroupedArm,
  { column_titles: titles, positive }: Named,
) {
  return fairness.flatMap(({ attribute, left_out: everywhere, too_few: lacking = [], measures }) =>
    judged.flatMap((of): Difference[] => {
      const isMeant = (each: { name: string; over: string }) => each.name === of.name && each.over === 'decided';
      const measure = measures.find(isMeant);
      const own = [...groups, ...intersections].filter((group) => group.attribute === attribute);
      if (measure === undefined || own.length < 2) return [];
      return [
        {
          ...{ column: titleIn(titles, attribute), arm, of, positive, measure },
          isPair: !groups.some((group) => group.attribute === attribute),
          groups: own,
          few: [...new Set([...everywhere, ...lacking.filter(isMeant).flatMap((each) => each.groups)])],
        },
      ];
    }),
  );
}

export interface Judgement {
  readonly difference: Difference;
  readonly isShown: boolean;
  /** After Holm's correction; null without a test. */
  readonly p: number | null;
}

/** `adjusted p at most 0.018` where no deal of the groups was as far apart: with more deals it would be smaller. */
export const adjustedText = (
  { difference: { measure }, p }: Pick<Judgement, 'difference' | 'p'>,
  resamples: number,
  title = 'adjusted p',
): string =>
  `${title} ${measure.p != null && measure.p * (1 + resamples) < 1.5 && p !== null && p >= 0.001 ? 'at most ' : ''}${chanceText(p)}`;

export const isDrawn = ({ measure }: Difference) => measure.value !== null && measure.low !== null && measure.high !== null;
export const size = ({ measure }: Difference) => measure.value ?? -1;
export const rangeText = ({ low, high }: Pick<Measure, 'low' | 'high'>) => `${barePoints(low ?? 0)} to ${barePoints(high ?? 1)}`;

const rateIn = (group: GroupStatistics, { rate, over }: Judged) => measureNamed(group, rate, { over });

/** The rates of all groups that have one, with their intervals. */
export const ratesIn = ({ of, groups, few }: Difference) =>
  groups.flatMap((group) => {
    const {
      value: rate = null,
      n = 0,
      cases = 0,
      low = null,
      high = null,
    } = few.includes(group.value) ? {} : (rateIn(group, of) ?? {});
    return rate === null ? [] : [{ value: group.value, group: groupName(group.value), n, cases, rate, low, high }];
  });

/**
 * The two of several groups that are farthest apart in standard errors, as the test measures them: a small group widens the interval of
 * the largest difference, which is of all pairs at once. Their own interval is from those of the two rates (G. Y. Zou and A. Donner,
 * Statistics in Medicine 27 (2008), 1693-1702). Null where that includes 0, or there is none.
 */
function clearest(difference: Difference): Difference | null {
  const rates = ratesIn(difference).toSorted((one, other) => one.rate - other.rate);
  const pairs = rates.flatMap((low, place) => rates.slice(place + 1).map((high) => ({ low, high })));
  const apart = ({ low, high }: (typeof pairs)[number]) => (high.rate - low.rate) / Math.sqrt(1 / low.cases + 1 / high.cases);
  const [pair] = pairs.toSorted((one, other) => apart(other) - apart(one));
  if (pair === undefined || pairs.length === 1) return null;
  const { low, high } = pair;
  if (low.low === null || low.high === null || high.low === null || high.high === null) return null;
  const value = high.rate - low.rate;
  const measure = {
    ...difference.measure,
    value,
    low: value - Math.hypot(high.rate - high.low, low.high - low.rate),
    high: value + Math.hypot(high.high - high.rate, low.rate - low.low),
  };
  if (measure.low < smallest) return null;
  const groups = difference.groups.filter(({ value: name }) => [low.value, high.value, ...difference.few].includes(name));
  return { ...difference, measure, groups, largest: difference };
}

/** `n = 46`; with replicates `11 cases, 22 trials`, since it is cases that have to be enough. */
export const sizeText = ({ n, cases }: Pick<Measure, 'n' | 'cases'>): string =>
  cases < n ? `${quantity(cases, 'case')}, ${count(n)} trials` : `n = ${count(n)}`;

/** The groups with the lowest and the highest rate, in the order of the groups, among all that have one; null where fewer than two have. */
export function endsOf(difference: Difference) {
  const rates = ratesIn(difference);
  const sorted = rates.toSorted((one, other) => one.rate - other.rate);
  const [first, second] = rates.filter((each) => each === sorted[0] || each === sorted.at(-1));
  return first === undefined || second === undefined ? null : { first, second, among: rates.length };
}

export function leftOutText({ of, groups, few }: Difference): string {
  const named = few.slice(0, mostLeftOut).map((value) => {
    const group = groups.find((each) => each.value === value);
    return `${groupName(value)} (${sizeText((group && rateIn(group, of)) ?? { n: 0, cases: 0 })})`;
  });
  const more = few.length > mostLeftOut ? ` and ${count(few.length - mostLeftOut)} more` : '';
  return few.length === 0 ? '' : `, left out as too small: ${named.join(', ')}${more}`;
}

/**
 * The two ends of a difference, in the order of the groups: `selection rate 48% for sex = m (n = 46) and 99% for sex = f (n = 58)`.
 * @param isMissed 1 less the rate
 */
export function endsText(difference: Difference, title = `${titleOf(difference)} `, isMissed = false): string {
  const ends = endsOf(difference);
  if (ends === null) return titleOf(difference);
  const { first, second, among: all } = ends;
  const column = difference.isPair ? '' : `${difference.column} = `;
  const end = ({ group, rate, ...size }: typeof first) =>
    `${percent(isMissed ? 1 - rate : rate)} for ${column}${group} (${sizeText(size)})`;
  const inOrder = first.rate < second.rate !== isMissed ? 'the lowest and the highest' : 'the highest and the lowest';
  const among = all > 2 ? `, ${inOrder} of ${all} groups` : '';
  return `${title}${end(first)} and ${end(second)}${among}${leftOutText(difference)}`;
}

/** The first few, and how many more there are. */
const fewOf = (texts: readonly string[], noun: string, by: string): string =>
  [
    ...texts.slice(0, mostLeftOut),
    ...(texts.length > mostLeftOut ? [quantity(texts.length - mostLeftOut, `more ${noun}`)] : []),
  ].join(by);

/** `selection rate oak (n = 14), plane (5 cases, 10 trials)`. */
function sizesText({ of, positive, groups }: Difference): string {
  const sizes = groups.map((group) => `${groupName(group.value)} (${sizeText(rateIn(group, of) ?? { n: 0, cases: 0 })})`);
  return `${titleOf({ of, positive })} ${fewOf(sizes, 'group', ', ')}`;
}

/** Columns whose groups cannot be compared, each once for all arms and rates, with how large each group is; arms only where that differs. */
function lackingLines(differences: readonly Difference[]): string[] {
  const alike = Map.groupBy(differences, ({ column, measure }) => JSON.stringify([column, measure.why_null ?? 'no interval']));
  return [...alike].map(([key, some]) => {
    const [column, why]: [string, string] = JSON.parse(key);
    const byArm = [...Map.groupBy(some, ({ arm }) => arm)].map(([arm, own]) => ({ arm, sizes: own.map(sizesText).join('; ') }));
    const bySizes = Map.groupBy(byArm, ({ sizes }) => sizes);
    const listed = [...bySizes].map(([sizes, arms]) =>
      bySizes.size === 1
        ? sizes
        : `${fewOf(
            arms.map(({ arm }) => arm),
            'arm',
            ', ',
          )}: ${sizes}`,
    );
    return `${column}: ${why} (${fewOf(listed, 'kind', ' | ')})`;
  });
}

/** By how much a rate is higher in one group than in another; of more than two groups the highest and the lowest. */
function apartText(difference: Difference): string {
  const ends = endsOf(difference);
  const apart = size(difference);
  if (ends === null || apart < smallest) return 'the same';
  const [low, high] = ends.first.rate < ends.second.rate ? [ends.first, ends.second] : [ends.second, ends.first];
  const end = ({ group, rate, ...size }: typeof low) => `${group} (${percent(rate)}, ${sizeText(size)})`;
  const among = ends.among > 2 ? `, the highest and the lowest of ${ends.among} groups` : '';
  return `${pointsOf(apart)} higher for ${end(high)} than for ${end(low)}${among}${leftOutText(difference)}`;
}

/** A difference that is not shown, after the name of its column: `selection rate 5 points higher for m (50%, n = 46) than for f (45%, n = 58), interval 0 to 15 (adjusted p 0.734)`. */
function unshownText(
  judgement: Judgement,
  { resampling: { resamples }, part }: Pick<StatsReport, 'resampling' | 'part'>,
): string {
  const { difference, p } = judgement;
  const { measure } = difference;
  const before = part === undefined && (measure.low ?? 0) >= smallest ? 'chance is not ruled out after correction, ' : '';
  const after = part === undefined && p !== null && p <= 0.05 ? ', but the interval reaches 0' : '';
  const test = p === null ? 'there is no test of it' : `${before}${adjustedText(judgement, resamples)}${after}`;
  return `${titleOf(difference)} ${apartText(difference)}, interval ${rangeText(measure)} (${test})`;
}

/** What the largest difference is, after that of the two groups that differ most clearly; empty where there is no other. */
export function largestText({ largest, measure }: Difference): string {
  if (largest === undefined) return '';
  const range = rangeText(largest.measure);
  return size(largest) - (measure.value ?? 0) < smallest
    ? `; this interval is of the two groups, that over all pairs of groups at once is ${range}`
    : `; these two of ${ratesIn(largest).length} groups differ most clearly, and the largest difference can be chance: ${apartText(largest)}, interval ${range} over all pairs at once`;
}

/** Whether intervals of some arm are still missing: what is corrected for is not known before all are there. */
export const areToCome = (arms: readonly ArmStatistics[]): boolean =>
  plainAmong(arms).some(({ fairness = [] }) =>
    fairness.some(({ measures }) => measures.some(({ why_null: why }) => why === toCome)),
  );

/** Every difference with whether it is beyond chance; single columns first, in each the largest difference first. */
export function judgedIn({
  arms,
  part,
  ...named
}: { arms: readonly GroupedArm[] } & Named & Pick<StatsReport, 'part'>): Judgement[] {
  const all = plainAmong(arms).flatMap((arm) => differencesOf(arm, named));
  const adjusted = holm(all.map(({ measure }) => measure.p ?? null));
  return all
    .map((difference, index) => {
      const p = adjusted[index] ?? null;
      // A part shows nothing.
      if (part !== undefined || p === null || p > 0.05) return { difference, p, isShown: false };
      const isApart = (difference.measure.low ?? 0) >= smallest;
      const clear = isApart ? null : clearest(difference);
      return { difference: clear ?? difference, p, isShown: isApart || clear !== null };
    })
    .toSorted(
      ({ difference: one }, { difference: other }) => Number(one.isPair) - Number(other.isPair) || size(other) - size(one),
    );
}

/** How many differences are tested, and of what. */
export function familyOf(judgements: readonly Judgement[]): { family: number; said: string } {
  const all = judgements.map(({ difference }) => difference);
  const numberOf = (named: (difference: Difference) => string) => new Set(all.map(named)).size;
  const family = judgements.filter(({ p }) => p !== null).length;
  const columns = all.some(({ isPair }) => isPair) ? 'columns or pairs of columns' : 'columns';
  const said = familyText(
    [family, 'comparison of groups', 'comparisons of groups'],
    [
      [numberOf(({ of }) => of.title), 'rate', 'rates'],
      [numberOf(({ column }) => column), 'column', columns],
      [numberOf(({ arm }) => arm), 'arm', 'arms'],
    ],
  );
  return { family, said };
}

/**
 * Whether groups fare differently in selection and in errors: each difference that is beyond chance, the largest first, then the others
 * by column. Beyond chance: its interval leaves out 0, and so does the test of equality after Holm's correction over all of them.
 * Of pairs of columns only what is beyond chance is named.
 */
export function fairnessFinding({ arms, positive, column_titles: titles, resampling, part }: StatsReport): FairnessPart[] {
  const { resamples } = resampling;
  if (areToCome(arms)) return [{ heading: 'Whether groups differ is shown once all arms are computed.', lines: [] }];
  const plain = plainAmong(arms);
  const judgedOnes = judgedIn({ arms, column_titles: titles, positive, part });
  const { family, said: number } = familyOf(judgedOnes);
  const place = ({ column, arm }: Difference) => (plain.length > 1 ? `${column}, ${arm}` : column);
  const shown = judgedOnes.flatMap((judgement) => {
    const { difference, isShown } = judgement;
    const { measure } = difference;
    const interval = `${percent(measure.level)} interval ${rangeText(measure)}`;
    const missed = difference.of.over === 'truly-positive' ? `, so missed: ${endsText(difference, '', true)}` : '';
    return isShown
      ? [
          `${place(difference)}: ${endsText(difference)}${missed}: ${pointsOf(size(difference))} apart (${interval}; ${adjustedText(judgement, resamples)})${largestText(difference)}`,
        ]
      : [];
  });
  const others = judgedOnes.filter(({ difference, isShown }) => !isShown && !difference.isPair);
  const unshown = Map.groupBy(
    others.filter(({ difference }) => isDrawn(difference)),
    ({ difference }) => place(difference),
  );
  const pairs = judgedOnes.filter(({ difference, isShown }) => difference.isPair && isDrawn(difference) && !isShown).length;
  const calibration = groupCalibration({ arms, positive, column_titles: titles, part });
  // The smallest p that so many deals can give.
  const tooFew = family / (1 + resamples) > 0.05;
  const rates = `; share ${positive} is the selection rate, true-positive rate the share of this verdict among those whose label it is, false-positive rate among the others`;
  const parts: FairnessPart[] = [
    {
      heading: `Differences between groups that chance does not explain, corrected for ${number}, the largest first, pairs of columns last`,
      lines: shown,
    },
    {
      fold: 'How far groups are apart in each rate',
      heading: `${part === undefined ? 'No difference between groups is shown' : 'How far groups are apart in this part'}, corrected for ${number}; the ${percent(judgedOnes[0]?.difference.measure.level ?? 0.95)} intervals are in points, before correction, the p after it`,
      lines: [
        ...[...unshown].map(
          ([where, some]) => `${where}: ${some.map((each) => unshownText(each, { resampling, part })).join('; ')}`,
        ),
        ...(pairs === 0 ? [] : [`${count(pairs)} further ${pairs === 1 ? 'comparison' : 'comparisons'} of pairs of columns`]),
      ],
    },
    {
      heading: 'Groups that cannot be compared',
      lines: lackingLines(others.flatMap(({ difference }) => (isDrawn(difference) ? [] : [difference]))),
    },
  ];
  return [
    ...parts
      .filter(({ lines }) => lines.length > 0)
      .map(({ heading, ...each }, place) => ({ ...each, heading: `${heading}${place === 0 ? rates : ''}:` })),
    ...(tooFew
      ? [{ heading: 'With this many comparisons, these resamples cannot show a difference: use more.', lines: [] }]
      : []),
    ...(calibration === null ? [] : [calibration]),
  ];
}

/** Said in place of differences where the data set names no groups. */
export const noGroupsText = 'No groups were named, so no group was compared.';

export const hasNoGroups = ({ arms, labels }: Pick<StatsReport, 'arms' | 'labels'>): boolean =>
  labels.length > 0 && arms.some(({ n }) => n > 0) && arms.every(({ groups }) => groups.length === 0);

/** That a difference can be chance, and why where its interval leaves out 0. */
export function canBeChance({ measure }: Difference, family: number): string {
  if ((measure.low ?? 0) < smallest) return 'this can be chance';
  return family > 1
    ? `this can be chance: of ${count(family)} comparisons of groups, some ranges leave out 0 by chance alone, and corrected for all of them this one is not beyond it`
    : 'this can be chance: the test of it does not rule it out';
}
