// What may be said of a pair of arms, or of an arm and a baseline, and which pairs come first.
import { rightWords } from '../../shared/decidedBy.ts';
import type { StatsReport } from '../../shared/outputs.ts';
import { count, proportion, quantity } from '../../shared/sizes.ts';
import type { Comparison } from '../../shared/statistics.ts';
import { plainAmong } from '../../shared/trialLine.ts';
import { barePoints, percent, points, pointsOf } from '../figures/shares.ts';
import { foundDifference, neededCases } from '../statistics/measures/casesNeeded.ts';
import { isStated } from '../statistics/measures/finding.ts';
import { toCome } from '../statistics/measures/intervalsToCome.ts';
import { isDecidedPair } from '../statistics/measures/primaryText.ts';
import {
  amongManyText,
  chanceText,
  disagreementOf,
  isReplicated,
  rounding,
  testText,
} from '../statistics/measures/shownComparisons.ts';
import { capitalized } from '../text/visible.ts';
import type { FindingText } from './calibrationTables.ts';

export const nothingKnown = 'The two have no tried case with a known truth in common.';

/** Of intervals next to which there is no test. */
export const untestedText =
  'No p-value goes with the intervals of these measures: one that excludes 0 is a hint that the two differ, and no claim.';

/** `12` for 12 points, in either direction. */
const bare = (change: number) => barePoints(Math.abs(change));

const unshown = 'it is not shown whether the two differ';

interface Verdict {
  readonly said: string;
  /** Of a difference that is not shown, what was seen, how many cases would show it, and what such a comparison could have shown. */
  readonly more: string | null;
}

/**
 * What may be said of a comparison; without an adjusted p-value only what was seen.
 * @param by who decided what the labels are @param areNamed whether a sentence before this one has the two and their counts
 */
export function pairVerdict(comparison: Comparison, isPart = false, by?: string, areNamed = false): Verdict {
  const { is, are } = rightWords({ decided_by: by });
  const { a, b, difference, paired_cases: cases, smallest_detectable_difference: least } = comparison;
  const { value, low, high, level } = difference;
  const over = quantity(cases, 'case');
  if (value === null || cases === 0) return { said: nothingKnown, more: null };
  if (isPart || comparison.mcnemar.p_adjusted === null) {
    const more =
      value === 0
        ? `${a} and ${b} ${are} equally often`
        : `${value > 0 ? a : b} ${is} ${pointsOf(value)} more often than ${value > 0 ? b : a}`;
    const ends = value < 0 ? [high, low].map((end) => end && -end) : [low, high];
    const [from, to] = ends;
    const range = from == null || to == null ? '' : ` (${percent(level)} interval ${points(from)} to ${points(to)} points)`;
    const seen = `Over ${cases === 1 ? '1 case' : `these ${over}`} ${more}${range}`;
    if (difference.why_null === toCome) return { said: `${seen}; whether chance explains that is being computed.`, more: null };
    const { p } = comparison.mcnemar;
    const doubt =
      p !== null && isUnconfirmed(comparison)
        ? `; but the exact test${isPart ? '' : ', which decides,'} does not rule out chance (p ${chanceText(p)})`
        : isPart || leavesOutNone(comparison)
          ? ''
          : `; ${unshown}`;
    return { said: `${seen}${doubt}.`, more: isPart ? null : 'Significance needs an adjusted p-value.' };
  }
  if (isStated(comparison)) {
    const [better, worse, from, to] = value > 0 ? [a, b, low, high] : [b, a, high, low];
    const ends = from === null || to === null ? '' : `, ${percent(level)} interval from ${bare(from)} to ${bare(to)}`;
    const said = `${better} ${is} in ${bare(value)} more of 100 cases than ${worse} (over ${over}${ends}, ${testText(comparison)}): chance does not explain it.`;
    return { said, more: null };
  }
  const interval =
    low === null || high === null
      ? ''
      : `, ${percent(level)} interval ${points(low)} to ${points(high)} (${testText(comparison)})`;
  const disagreement = disagreementOf(comparison);
  const needed = neededCases(comparison, { decided_by: by });
  const said = areNamed
    ? 'This does not show whether they differ.'
    : `${cases === 1 ? 'One case does' : `These ${over} do`} not show whether ${a} and ${b} differ.`;
  // The reason first: the interval after it can seem to say that there is a difference.
  const why = disagreement === null ? '' : `${disagreement}: `;
  const seen =
    value === 0 ? `both ${a} and ${b} ${are} equally often` : `the difference, ${a} less ${b}, is ${points(value)} points`;
  const more = [
    capitalized(`${why}${seen}${interval}.`),
    needed === null ? [] : `To be found four times in five, a difference ${needed}.`,
    least === null ? [] : `In a comparison of this size ${foundDifference(least)}.`,
  ];
  return { said, more: more.flat().join(' ') };
}

/** Why a Brier interval and Wilcoxon's test of the same losses seem to differ; null where they agree or losses are not tested. */
export function ranksText(comparisons: readonly Comparison[]): string | null {
  const differing = comparisons.flatMap(({ a, b, differences, wilcoxon }) => {
    const brier = differences.find(({ name }) => name === 'brier');
    if (wilcoxon?.of !== 'brier' || brier === undefined || brier.low === null || brier.high === null) return [];
    // Less is better.
    const better = brier.high < 0 ? 'a' : brier.low > 0 ? 'b' : null;
    const ranked = wilcoxon.p <= 1 - brier.level + rounding ? wilcoxon.favours : null;
    return better === ranked ? [] : [`${a} against ${b} (p ${chanceText(wilcoxon.p)})`];
  });
  const [only, ...others] = differing;
  if (only === undefined) return null;
  const where = others.length === 0 ? only : `${count(differing.length)} pairs`;
  return `The interval of the difference in Brier score and Wilcoxon’s test of the same losses do not agree for ${where}: the interval is of the mean, in which large losses weigh most; the test is of ranks, in which their size counts little.`;
}

/** `5 fewer`, `12 more`: of 100 cases. */
const moreOrFewer = (change: number) => `${bare(change)} ${change < 0 ? 'fewer' : 'more'}`;

const isSmall = (p: number | null, { difference }: Comparison) => p !== null && p <= 1 - difference.level + rounding;
const leavesOutNone = ({ difference: { low, high } }: Comparison) => (low ?? 0) > 0 || (high ?? 0) < 0;
const isUnconfirmed = (pair: Comparison) => leavesOutNone(pair) && !isSmall(pair.mcnemar.p, pair);

/** That a difference is not shown, and why where its range or its test speaks for one. */
function plainDoubt(pair: Comparison): string {
  const { value } = pair.difference;
  if (leavesOutNone(pair)) return `${amongManyText(pair, 'range')}, so ${unshown}`;
  if (isSmall(pair.mcnemar.p_adjusted, pair))
    return `the test speaks for a difference (${testText(pair)}), but this range does not, so ${unshown}`;
  return value === 0 ? unshown : `this can be chance (${testText(pair)}), so ${unshown}`;
}

/** `Of 24 cases, only court is right in 4 and only panel in 0; both are right in 10 and neither in 10`; where some were tried several times, who is right more often. */
function countsText(
  { a, b, paired_cases: cases, differences, mcnemar: { a_only: ofA, b_only: ofB } }: Comparison,
  replicated: boolean,
  by?: string,
): string {
  const { is, are } = rightWords({ decided_by: by });
  const accuracy = differences.find(({ name, over }) => name === 'accuracy' && over === 'all')?.a;
  const rest = cases - ofA - ofB;
  if (replicated || accuracy == null)
    return `Of ${quantity(cases, 'case')}, ${a} ${is} more often in ${count(ofA)}, ${b} in ${count(ofB)}, and both equally often in ${count(rest)}`;
  const both = Math.round(accuracy * cases) - ofA;
  return `Of ${quantity(cases, 'case')}, only ${a} ${is} in ${count(ofA)} and only ${b} in ${count(ofB)}; both ${are} in ${count(both)} and neither in ${count(rest - both)}`;
}

/** `Of the 64 cases that both have, court is right in 48 and alone in 49: 1.6 fewer of 100`; where some were tried several times, without the counts. */
function plainlySeen(pair: Comparison, replicated: boolean, by?: string): string {
  const { a, b, paired_cases: cases, difference, differences } = pair;
  const { is, are } = rightWords({ decided_by: by });
  const apart = moreOrFewer(difference.value ?? 0);
  const isEqual = difference.value === 0;
  const of = differences.find(({ name, over }) => name === 'accuracy' && over === 'all');
  if (replicated || of?.a == null || of.b === null)
    return `${countsText(pair, replicated, by)}; on average, ${isEqual ? `${a} and ${b} ${are} equally often` : `${a} ${is} in ${apart} of 100 than ${b}`}`;
  const [ofA, ofB] = [of.a, of.b].map((share) => count(Math.round(share * cases)));
  return `Of the ${count(cases)} cases that both have, ${a} ${is} in ${ofA} and ${b} in ${ofB}${isEqual ? '' : `: ${apart} of 100`}`;
}

/** The same of a tested pair in words that need no statistics. @param by who decided what the labels are @param replicated whether some case was tried several times */
export function plainVerdict(comparison: Comparison, by?: string, replicated = false): string {
  const { is, are } = rightWords({ decided_by: by });
  const { a, b, difference, paired_cases: cases } = comparison;
  const { value, low, high } = difference;
  if (value === null || cases === 0) return nothingKnown;
  if (cases === 1) {
    const seen =
      value === 0 ? `${a} and ${b} ${are} equally often` : `${value > 0 ? a : b} ${is} more often than ${value > 0 ? b : a}`;
    return `In the only case that both have, ${seen}; one case does not show whether the two differ.`;
  }
  const seen = plainlySeen(comparison, replicated, by);
  const found = `chance does not explain it (${testText(comparison)})`;
  if (low === null || high === null) return `${seen}; ${isStated(comparison) ? found : 'what chance did to that is not known'}.`;
  const ends = `${moreOrFewer(low)} to ${moreOrFewer(high)}`;
  // Cases that are all alike say nothing of others.
  const range = low === high ? '' : `, probably ${value === 0 ? `${a} in ${ends} of 100` : ends} in many such cases`;
  if (isUnconfirmed(comparison))
    return `${seen}; but the exact test does not rule out chance (${testText(comparison)}), so ${unshown} (with few cases a range such as this one, ${ends}, is too narrow).`;
  return `${seen}${range}; ${isStated(comparison) ? found : plainDoubt(comparison)}.`;
}

/** Pairs of arms that all have a sentence; of more than these the first three have one. */
const fewPairs = 6;
export const mostPairs = 3;

const accuracyOf = ({ arms, baselines }: Pick<StatsReport, 'arms' | 'baselines'>) => {
  const byName = new Map([...arms, ...baselines].map(({ arm, accuracy_all }) => [arm, accuracy_all.value ?? -1]));
  return (name: string) => byName.get(name) ?? -1;
};

/**
 * The tested pairs that have a sentence: those of the best arm with the other arms, the pair with most cases first, of as many cases that
 * with the most accurate arm, then that with the smallest p-value, and apart from them the best arm with the best baseline. The primary comparison is not among them: it has a
 * separate place. Nothing is concluded from which pairs have one.
 */
export function pairsInWords(
  report: Pick<StatsReport, 'arms' | 'baselines' | 'comparisons' | 'finding' | 'damage' | 'primary'>,
): {
  readonly arms: readonly Comparison[];
  /** Tested pairs of arms without a sentence. */
  readonly more: number;
  readonly baseline: Comparison | null;
} {
  const { comparisons, finding, damage, primary } = report;
  const tested = (damage === undefined ? comparisons : []).filter(
    (pair) => pair.in_family && pair.paired_cases > 0 && !(primary && isDecidedPair(primary, pair)),
  );
  const accuracy = accuracyOf(report);
  const best =
    finding.best?.arm ?? plainAmong(report.arms).toSorted((one, other) => accuracy(other.arm) - accuracy(one.arm))[0]?.arm;
  const rival = ({ a, b }: Comparison) => (a === best ? b : b === best ? a : null);
  const rank = (pair: Comparison) => accuracy(rival(pair) ?? '');
  const ofArms = tested
    .filter(({ baseline }) => !baseline)
    .toSorted(
      (one, other) =>
        Number(rival(other) !== null) - Number(rival(one) !== null) ||
        other.paired_cases - one.paired_cases ||
        rank(other) - rank(one) ||
        (one.mcnemar.p ?? 2) - (other.mcnemar.p ?? 2),
    );
  const withBaselines = tested
    .filter(({ a, baseline }) => baseline && a === best)
    .toSorted((one, other) => rank(other) - rank(one));
  const inWords = ofArms.length > fewPairs ? ofArms.slice(0, mostPairs) : ofArms;
  return {
    arms: inWords,
    more: ofArms.length - inWords.length,
    baseline: withBaselines[0] ?? null,
  };
}

const list = new Intl.ListFormat('en-GB');

/** Which of the pairs differ in protocol and in models at once; null where none does. Of arms with something changed nothing is said. */
export function modelsText(pairs: readonly Pick<Comparison, 'a' | 'b'>[], { arms }: Pick<StatsReport, 'arms'>): string | null {
  const found = pairs.flatMap(({ a, b }) => {
    const [one, other] = [a, b].map((name) => plainAmong(arms).find(({ arm }) => arm === name));
    if (one === undefined || other === undefined || one.protocol === other.protocol) return [];
    const [mine, its] = [one, other].map(({ models }) => list.format(models));
    // Where the demo model answered for both, their models made no difference.
    const isAlike = mine === '' || its === '' || mine === its || (one.standin && other.standin);
    return isAlike ? [] : [`${a} (${mine}) and ${b} (${its})`];
  });
  return found.length === 0
    ? null
    : `Arms that also have different models, which may explain the difference: ${found.join('; ')}.`;
}

const morePairsText = (more: number): string | null =>
  more === 0 ? null : `${count(more)} more ${more === 1 ? 'pair' : 'pairs'} of arms: see “Exploratory comparisons”.`;

export function pairTexts(
  report: StatsReport,
  say = (pair: Comparison) =>
    `${countsText(pair, isReplicated(report), report.decided_by)}. ${pairVerdict(pair, report.part !== undefined, report.decided_by, true).said}`,
): string[] {
  const { arms, more } = pairsInWords(report);
  const rest = morePairsText(more);
  return [...arms.map(say), ...(rest === null ? [] : [rest])];
}

/** After `pairTexts`: which pairs have different models too. */
export const pairModels = (report: StatsReport): string[] => [modelsText(pairsInWords(report).arms, report) ?? []].flat();

/** After that: more on each difference that is not shown. */
export function pairDetails(report: StatsReport): string[] {
  const more = pairsInWords(report).arms.flatMap(
    (pair) => pairVerdict(pair, report.part !== undefined, report.decided_by).more ?? [],
  );
  return [...new Set(more)];
}

/**
 * Whose probabilities fit better; nothing over a part, of the pair that was decided beforehand and of the pairs that have a sentence. A pair that was
 * decided by its Brier scores has its own words. @param isPlain in words that need no statistics
 */
export function fitTexts(report: Parameters<typeof pairsInWords>[0] & Pick<StatsReport, 'part'>, isPlain = false): FindingText[] {
  if (report.part !== undefined) return [];
  const { primary, comparisons, damage } = report;
  const isElsewhere = damage !== undefined || !primary || primary.measure === 'brier';
  const decided = isElsewhere ? [] : comparisons.filter((pair) => !pair.baseline && isDecidedPair(primary, pair));
  return [...decided, ...pairsInWords(report).arms].flatMap(({ a, b, differences, wilcoxon }) => {
    const brier = differences.find(({ name }) => name === 'brier');
    if (brier?.value == null || brier.low === null || brier.high === null) return [];
    const { value, low, high, level, cases } = brier;
    const over = cases === 1 ? 'over the only case' : `over the ${count(cases)} cases`;
    const [from, to] = value > 0 ? [low, high] : [-high, -low];
    const range = `${isPlain ? 'probably' : `${percent(level)} interval`} ${proportion(from)} to ${proportion(to)}`.replaceAll(
      '-',
      '−',
    );
    const [better, worse] = value > 0 ? [b, a] : [a, b];
    const isFound = low > 0 || high < 0;
    const ranks = wilcoxon?.of === 'brier' ? ' (that of Wilcoxon’s test of this pair is about ranks)' : '';
    const seen =
      value === 0 ? 'their Brier scores are the same' : `the Brier score of ${better} is lower by ${proportion(Math.abs(value))}`;
    const text = isFound
      ? `The probabilities of ${better} seem to fit better than those of ${worse}: ${over} for which both have them, their Brier score is lower by ${proportion(Math.abs(value))} (${range}). ${isPlain ? 'No test was made of this range' : `This interval has no p-value of its own${ranks}`}, so it is a hint and no claim.`
      : `It is not shown whose probabilities fit better, those of ${a} or of ${b}: ${over} for which both have them, ${seen} (${range}).`;
    return [{ text, isFound }];
  });
}
