import { rightWords } from '../../../shared/decidedBy.ts';
import type { BaselineStatistics, StatsReport } from '../../../shared/outputs.ts';
import type { Comparison, Finding, Measure } from '../../../shared/statistics.ts';
import { ofText } from '../../figures/measureScale.ts';
import { barePoints, percent, points } from '../../figures/shares.ts';
import type { BestArm } from './bestArm.ts';
import { foundDifference, neededCases } from './casesNeeded.ts';
import { amongManyText, mirrored, rounding, testText } from './shownComparisons.ts';

/** An arm or a baseline with its accuracy over all. */
export interface Ranked {
  readonly name: string;
  readonly accuracy: Measure;
  /** The answer that it always gives; null or absent: it does not give one answer only. */
  readonly always?: string | null;
}

type Labelled = Pick<StatsReport, 'decided_by'>;

export interface FindingMaterial {
  readonly arms: readonly Ranked[];
  readonly baselines: readonly Ranked[];
  readonly comparisons: readonly Comparison[];
  readonly unreported: number;
  /** Whether there are further arms that are one of these with something changed or exchanged. */
  readonly hasVaried: boolean;
  /** The best of several arms, corrected for its choice; null where there is none. */
  readonly chosen: BestArm | null;
  readonly labelled: Labelled;
  /** Most frequent true label of the cases tried, of those with one label; null where there is none. */
  readonly commonest: NonNullable<Finding['commonest']> | null;
}

/** The one answer that the baseline `majority` always gives; null for other baselines, and where its cases have no one known label. */
export function oneAnswer({ arm, confusion }: Pick<BaselineStatistics, 'arm' | 'confusion'>): string | null {
  const [answer, ...others] = new Set(confusion.map(({ prediction }) => prediction));
  const isMajority = arm === 'majority' || arm.startsWith('majority (');
  return isMajority && others.length === 0 ? (answer ?? null) : null;
}

/** Under so many cases, how small a difference could have been seen is said with the finding. */
const fewCases = 100;
/** @param replicated whether some case was tried several times by one arm */
const findingRule = (replicated: boolean): string =>
  'An arm beats a baseline where the interval of the paired difference of their accuracies, over all cases that both have and with a failure counted as not correct, lies above 0, or the arm is ahead by as much in every case, so that there is no interval, ' +
  `and the p-value of ${replicated ? 'the exact permutation test of signs' : "McNemar's exact test"}, adjusted over all pairs of the experiment (that of the primary comparison over the tests decided beforehand), is at most one less the interval's level. A baseline that is drawn by lot does not count. ` +
  'It is shown to be worse where the interval lies below 0, with the same p-value. ' +
  'If no arm is shown to beat every baseline, the finding says so first; otherwise it names the arms that do, with the difference nearest to 0, and those of which it is not shown. ' +
  'The best arm is the most accurate of those with a tried case, where these have the same cases; elsewhere none is called the best, and the finding says which is ahead over the cases that two have. The best of several looks better than it is, since it was chosen on the same cases; ' +
  'the corrected accuracy is less by the advantage that the best arm of a resample has on the drawn cases over the others, and the lower end of its interval is by the bootstrap of the maximum. ' +
  'If this cannot be decided (no known truth, no finished trial, no baseline, no intervals), it gives the reason instead; ' +
  'without a baseline, it says how often the most frequent true label alone would be right. ' +
  `With fewer than ${fewCases} cases, it also says which difference would be found four times in five.`;

const value = ({ accuracy }: Ranked) => accuracy.value ?? -1;
const best = (ranked: readonly Ranked[]): Ranked | undefined => ranked.toSorted((one, other) => value(other) - value(one))[0];

/** Whether all arms have as many cases, and every two as many in common. */
export function haveSameCases(
  arms: readonly { readonly name: string; readonly cases: number }[],
  comparisons: readonly Pick<Comparison, 'a' | 'b' | 'paired_cases'>[],
): boolean {
  const names = new Set(arms.map(({ name }) => name));
  const most = Math.max(0, ...arms.map(({ cases }) => cases));
  const pairs = comparisons.filter(({ a, b }) => names.has(a) && names.has(b));
  return arms.every(({ cases }) => cases === most) && pairs.every(({ paired_cases: both }) => both >= most);
}

/** Whether a is shown to be right more often than b: by the interval and by the adjusted exact test. */
export function beats({ difference: { low, level }, mcnemar: { a_only, p_adjusted }, paired_cases: cases }: Comparison): boolean {
  // Ahead by as much in every case: no resample differs, so there is no interval.
  const isAbove = low === null ? a_only === cases : low > 0;
  return isAbove && p_adjusted !== null && p_adjusted <= 1 - level + rounding;
}

export const isStated = (comparison: Comparison): boolean => beats(comparison) || beats(mirrored(comparison));

/** The interval of the best arm: from below that of its choice, and never above its own, which is all of it from above. */
function bestWith({ accuracy: { low, high } }: Ranked, chosen: BestArm): NonNullable<Finding['best']> {
  if (chosen.low === null || low === null || high === null) return { ...chosen, low: null, high: null };
  return { ...chosen, low: Math.min(chosen.low, low), high };
}

function inWords(ranked: Ranked, chosen: BestArm | null = null): string {
  const { name, accuracy, always = null } = ranked;
  const seen = `${always === null ? '' : `always ${always}; `}${percent(accuracy.value ?? 0)} of ${ofText(accuracy)}`;
  if (chosen === null || chosen.arm !== name || chosen.corrected === null) return `${name} (${seen})`;
  const { low, high, level } = bestWith(ranked, chosen);
  const range = (least: number) => `${percent(least)} to ${percent(high ?? 1)}`;
  const [shown, own] = [range(low ?? 0), range(accuracy.low ?? 0)];
  const isSame = percent(chosen.corrected) === percent(accuracy.value ?? 0);
  const corrected = `${isSame ? 'also when' : percent(chosen.corrected)} corrected for being the best of ${chosen.of} arms`;
  if (low === null) return `${name} (${seen}; ${corrected})`;
  return `${name} (${seen}, ${percent(level)} interval ${own}; ${corrected}${shown === own ? '' : `, interval ${shown}`})`;
}

/** The cases of a difference, where its arm or its baseline has others too: with the accuracy of that one on these alone. */
function onSameCases(pair: Comparison, arm: Ranked, baseline: Ranked): string {
  const hasOthers = ({ accuracy }: Ranked) => accuracy.cases > pair.paired_cases;
  if (!hasOthers(arm) && !hasOthers(baseline)) return '';
  const both = pair.differences.find(({ name, over }) => name === 'accuracy' && over === 'all');
  const onThese = [...(hasOthers(arm) ? [[arm.name, both?.a]] : []), ...(hasOthers(baseline) ? [[baseline.name, both?.b]] : [])];
  const shares = onThese.flatMap(([name, share]) => (typeof share === 'number' ? [`${name} has ${percent(share)}`] : []));
  const there = shares.length === 0 ? '' : `, where ${shares.join(' and ')}`;
  return ` on the ${pair.paired_cases === 1 ? 'one case' : `${pair.paired_cases} cases`} that both have${there}`;
}

function differenceInWords({ difference: { value: difference, low, high, level } }: Comparison): string {
  const interval = low === null || high === null ? '' : `, ${percent(level)} interval ${points(low)} to ${points(high)}`;
  return `${points(difference ?? 0)} points${interval}`;
}

/** The pair that speaks least for the arm: the lowest end of an interval. */
const nearest = (pairs: readonly Comparison[]): Comparison | undefined =>
  pairs.toSorted((one, other) => (one.difference.low ?? -2) - (other.difference.low ?? -2))[0];

/** How little the pairs of the reported arm with the fewest cases could have shown. */
function fewness(comparisons: readonly Comparison[], reported: readonly Ranked[], labelled: Labelled): string {
  const fewest = Math.min(...reported.map(({ accuracy }) => accuracy.cases));
  if (fewest >= fewCases) return '';
  const names = reported.flatMap(({ name, accuracy }) => (accuracy.cases === fewest ? name : []));
  const pairs = comparisons.filter(({ a, b }) => names.includes(a) || names.includes(b));
  const seen = pairs.flatMap(({ smallest_detectable_difference: least }) => least ?? []);
  const whose = names.length === reported.length ? '' : ` of ${names.join(', ')}`;
  const cases = `${fewest} ${fewest === 1 ? 'case' : 'cases'}${whose} ${fewest === 1 ? 'is' : 'are'} few`;
  if (pairs.length === 0) return ` ${cases}.`;
  // One that was found was seen.
  const found = pairs.some(({ difference: { low, high } }) => (low !== null && low > 0) || (high !== null && high < 0));
  const [only, ...others] = pairs;
  const unshown = only !== undefined && others.length === 0 && !isStated(only) ? only : null;
  if (seen.length === 0 && found) return ` ${cases}.`;
  if (seen.length === 0) {
    const needed = unshown === null ? null : neededCases(unshown, labelled);
    return ` ${cases}: ${needed === null ? 'hardly any difference could be seen' : `to be found four times in five, a difference ${needed}`}.`;
  }
  const isCorrected = pairs.some(({ detectable_at: at, difference: { level } }) => at < 1 - level - rounding);
  return ` ${cases}: ${isCorrected ? 'corrected for all pairs, ' : ''}${foundDifference(Math.min(...seen), unshown, Math.max(...seen))}.`;
}

/** What to say where the interval of an arm lies above the share of a baseline that it does not beat: it looks like a contradiction. */
function seemsAbove({ accuracy: { low, high } }: Ranked, baseline: Ranked): string {
  if (low === null || high === null || low <= value(baseline)) return '';
  return `. The interval of the arm alone, ${percent(low)} to ${percent(high)}, lies above the share of the baseline; but that share is an estimate too, so the difference case by case decides`;
}

/** What the exact test says where the interval leaves out 0 and no difference can be stated; empty elsewhere. */
function doubtText(pair: Comparison): string {
  const { difference, mcnemar } = pair;
  if (((difference.low ?? 0) <= 0 && (difference.high ?? 0) >= 0) || mcnemar.p_adjusted === null || isStated(pair)) return '';
  const isSmall = pair.primary !== true && mcnemar.p !== null && mcnemar.p <= 1 - difference.level + rounding;
  const why = isSmall ? amongManyText(pair, 'interval') : `but the exact test does not rule out chance (${testText(pair)})`;
  return `, ${why}, so it is not shown whether the two differ`;
}

/** A pair that misses a baseline: the best one's, else the worst for the arm. @param isShared whether others are equally good */
function shortfall(missed: readonly Comparison[], bestArm: Ranked, bestBaseline: Ranked, isShared: boolean): string {
  const pair = missed.find(({ b }) => b === bestBaseline.name) ?? nearest(missed);
  if (pair === undefined) return '';
  const unproved = doubtText(pair);
  const where = onSameCases(pair, bestArm, bestBaseline);
  if (pair.b !== bestBaseline.name)
    return `; ${isShared ? `${pair.a} ` : ''}against ${pair.b} ${differenceInWords(pair)}${unproved}`;
  return `: ${isShared ? `${pair.a} less ${pair.b} ` : ''}${differenceInWords(pair)}${where}${unproved === '' ? seemsAbove(bestArm, bestBaseline) : unproved}`;
}

const mostWorse = 3;
/** Arms that are all named where there are no more. */
const fewArms = 6;

/** Which arms are shown to be worse than a baseline, the worst first, each with the baselines; null where none is. */
export function worseText(comparisons: readonly Comparison[], labelled: Labelled): string | null {
  const { is } = rightWords(labelled);
  const lost = testedPairs(comparisons)
    .filter((pair) => beats(mirrored(pair)))
    .toSorted((one, other) => (one.difference.value ?? 0) - (other.difference.value ?? 0));
  const byArm = [...Map.groupBy(lost, ({ a }) => a)];
  if (byArm.length === 0) return null;
  const texts = byArm.slice(0, mostWorse).map(([arm, pairs]) => {
    const fewer = pairs.map((pair, place) => {
      const size = barePoints(Math.abs(pair.difference.value ?? 0));
      return `in ${size} fewer${place === 0 ? ' of 100 cases' : ''} than ${pair.b} (${testText(pair)})`;
    });
    return `${arm} ${is} ${fewer.join(', ')}`;
  });
  const more = byArm.length - texts.length;
  return `${byArm.length === 1 ? 'One arm is' : `${byArm.length} arms are`} shown to be worse than a baseline: ${texts.join('; ')}${more === 0 ? '' : `; ${more} more: see “Exploratory comparisons”`}.`;
}

/** The one answer of each baseline that always gives it, by name. */
type Always = ReadonlyMap<string, string | null>;

/** Both on the cases that both have: `is right in 33 of 60 cases, majority, always not solved, in 37: −6.7 points, 95% interval …`. */
function countsInWords(pair: Comparison, { accuracy }: Ranked, labelled: Labelled, always: Always): string {
  const both = pair.differences.find(({ name, over }) => name === 'accuracy' && over === 'all');
  const answer = always.get(pair.b) ?? null;
  const named = `${pair.b}${answer === null ? '' : `, always ${answer},`}`;
  if (typeof both?.a !== 'number' || typeof both.b !== 'number') return `against ${named} ${differenceInWords(pair)}`;
  // With replicates a case can be right in a part of its trials.
  const isOnce = accuracy.n === accuracy.cases;
  const [a, b] = [both.a, both.b].map((each) => (isOnce ? `${Math.round(each * both.cases)}` : percent(each)));
  const cases = both.cases === 1 ? 'case' : 'cases';
  return `${rightWords(labelled).is} in ${a} of ${both.cases} ${cases}, ${named} in ${b}: ${differenceInWords(pair)}`;
}

/** The arms not shown to beat every baseline, each with the pair that is nearest to it; none that is shown to be worse. */
export function unshownPairs(comparisons: readonly Comparison[], arms: readonly string[]) {
  const tested = testedPairs(comparisons).filter(({ paired_cases }) => paired_cases > 0);
  return arms.flatMap((arm) => {
    const mine = tested.filter((pair) => pair.a === arm && !beats(pair));
    const pair = nearest(mine);
    return pair === undefined || mine.some((each) => beats(mirrored(each))) ? [] : [pair];
  });
}

/** The same in words; null where all beat every baseline, or the others are worse. */
function unshownText(
  comparisons: readonly Comparison[],
  arms: readonly Ranked[],
  labelled: Labelled,
  always: Always,
): string | null {
  const missed = arms.flatMap((arm) => unshownPairs(comparisons, [arm.name]).map((pair) => ({ arm, pair })));
  if (missed.length === 0) return null;
  const named = missed
    .slice(0, missed.length > fewArms ? mostWorse : fewArms)
    .map(({ arm, pair }) => `${arm.name} (${countsInWords(pair, arm, labelled, always)})`);
  const more = missed.length - named.length;
  return `Not shown to beat every baseline: ${named.join('; ')}${more === 0 ? '' : `; ${more} more: see “Exploratory comparisons”`}.`;
}

function constantAnswer({ arms, commonest }: FindingMaterial): string {
  if (commonest === null) return '';
  const share = commonest.cases / commonest.of;
  const than = arms.every((arm) => value(arm) < share) ? ', more often than any arm was' : '';
  return ` Always answering ${JSON.stringify(commonest.label)} would be right in ${commonest.of === 1 ? 'the one case tried' : `${percent(share)} of the ${commonest.of} cases tried`}${than}.`;
}

/** The best arm with its accuracy; where others are equally good, none is called the best. */
function bestInWords({ arms, unreported, hasVaried, chosen, labelled }: FindingMaterial, bestArm: Ranked): string {
  const equal = arms.filter((arm) => value(arm) === value(bestArm));
  const others = equal.filter((arm) => arm !== bestArm);
  const [second] = others;
  if (second === undefined) {
    const title = arms.length + unreported === 1 ? `The only ${hasVaried ? 'unchanged ' : ''}arm` : 'The best arm';
    return `${title} is ${inWords(bestArm, chosen)}`;
  }
  if (equal.some(({ accuracy }) => accuracy.n !== bestArm.accuracy.n)) {
    const [first, ...rest] = equal.slice(0, mostWorse).map((arm) => inWords(arm));
    const more = equal.length > mostWorse ? `${equal.length - mostWorse} more arms` : rest.pop();
    return `${[first, ...rest].join(', ')} and ${more} ${rightWords(labelled).are} equally often, each of its trials`;
  }
  const shares = inWords(bestArm, equal.length === arms.length ? null : chosen).slice(bestArm.name.length);
  const more = others.length === 1 ? second.name : `${others.length} more arms`;
  return `${bestArm.name} and ${more} ${rightWords(labelled).are} equally often${shares}`;
}

/** Who is ahead over shared cases; null where all arms have the same, so that one can be the best. */
function aheadText({ arms, comparisons }: FindingMaterial): string | null {
  const tried = arms.flatMap(({ name, accuracy: { cases } }) => (cases > 0 ? [{ name, cases }] : []));
  if (haveSameCases(tried, comparisons)) return null;
  const ahead = comparisons
    .filter((pair) => !pair.baseline && isStated(pair))
    .map((pair) => (beats(pair) ? pair : mirrored(pair)))
    .map(
      (pair) =>
        `${pair.a} of ${pair.b} by ${barePoints(pair.difference.value ?? 0)} points (${pair.paired_cases} cases, ${testText(pair)})`,
    );
  const more = ahead.length - mostWorse;
  const said = [...ahead.slice(0, mostWorse), ...(more > 0 ? [`${more} more: see “Exploratory comparisons”`] : [])].join('; ');
  return `The arms do not have the same cases, so none is called the best; over the cases that two have, ${said === '' ? 'none is shown to be ahead' : `these are ahead: ${said}`}.`;
}

/** The arms with the most cases. */
function withMost(arms: readonly Ranked[]): Ranked[] {
  const most = Math.max(0, ...arms.map(({ accuracy: { cases } }) => cases));
  return arms.filter(({ accuracy: { cases } }) => cases === most);
}

export const testedPairs = (comparisons: readonly Comparison[]): Comparison[] =>
  comparisons.filter(({ baseline, in_family, primary }) => baseline && (in_family || primary === true));

/** The pairs of an arm with the baselines if it beats them all, else none. */
export function wonPairs(tested: readonly Comparison[], arm: string): Comparison[] {
  const mine = tested.filter(({ a }) => a === arm);
  return mine.every(beats) ? mine : [];
}

function againstBaselines(material: FindingMaterial, bestArm: Ranked, bestBaseline: Ranked): string {
  const { arms, baselines, comparisons, chosen, labelled } = material;
  const pairs = testedPairs(comparisons);
  const ahead = aheadText(material);
  if (pairs.every(({ difference: { low, resamples } }) => low === null && resamples === null)) {
    return ahead === null
      ? `Without intervals it is unknown whether an arm beats the baselines: the best arm is ${inWords(bestArm, chosen)}, and the best baseline is ${inWords(bestBaseline)}.`
      : `Without intervals it is unknown whether an arm beats the baselines. ${ahead}`;
  }
  const winners = arms.flatMap((arm) => {
    const mine = wonPairs(pairs, arm.name);
    return mine.length > 0 ? [{ arm, mine }] : [];
  });
  const found = worseText(comparisons, labelled);
  const worse = found === null ? '' : ` ${found}`;
  const unshown = unshownText(comparisons, arms, labelled, new Map(baselines.map(({ name, always = null }) => [name, always])));
  const others = unshown === null ? '' : ` ${unshown}`;
  if (winners.length === 0 && ahead !== null)
    return `No arm is shown to beat every baseline.${worse} ${ahead}${others}${fewness(pairs, withMost(arms), labelled)}`;
  if (winners.length === 0) {
    const difference = shortfall(
      pairs.filter((pair) => pair.a === bestArm.name && !beats(pair)),
      bestArm,
      bestBaseline,
      arms.some((arm) => arm !== bestArm && value(arm) === value(bestArm)),
    );
    const named = pairs.filter(({ a, b }) => a === bestArm.name && b === bestBaseline.name);
    return `No arm is shown to beat every baseline.${worse} ${bestInWords(material, bestArm)}, and the best baseline is ${inWords(bestBaseline)}${difference}.${fewness(named.length > 0 ? named : pairs, [bestArm], labelled)}`;
  }
  const sentences = winners
    .toSorted((one, other) => value(other.arm) - value(one.arm))
    .map(({ arm, mine }) => {
      const pair = nearest(mine);
      return pair === undefined ? arm.name : `${inWords(arm, chosen)}, against ${pair.b} ${differenceInWords(pair)}`;
    });
  return `${sentences.length === 1 ? 'One arm beats' : `${sentences.length} arms beat`} every baseline: ${sentences.join('; ')}.${ahead === null ? '' : ` ${ahead}`}${others}${worse}${fewness(
    pairs,
    winners.map(({ arm }) => arm),
    labelled,
  )}`;
}

export function findingOf(material: FindingMaterial): Finding {
  const { arms, baselines, comparisons, chosen, unreported } = material;
  const tried = arms.filter(({ accuracy }) => accuracy.n > 0);
  const bestArm = best(tried);
  const bestBaseline = best(baselines.filter(({ accuracy }) => accuracy.n > 0));
  const whole = arms.length + unreported;
  const named = unreported === 0 ? '' : `This report names ${arms.length} of the ${whole} arms of the experiment. Of these: `;
  const say = (sentence: string): Finding => ({
    sentence: `${named}${sentence}`,
    rule: findingRule(arms.some(({ accuracy }) => accuracy.n > accuracy.cases)),
    ...(material.commonest === null ? {} : { commonest: material.commonest }),
    best: chosen === null || bestArm?.name !== chosen.arm ? null : bestWith(bestArm, chosen),
  });
  if (bestArm === undefined) {
    return say('No trial of a case with a known truth has ended, so nothing can be said about accuracy.');
  }
  const ahead = aheadText(material);
  if (bestBaseline === undefined) {
    return say(
      `${ahead ?? `${bestInWords({ ...material, arms: tried }, bestArm)}.`} There is no trained baseline to compare it with.${constantAnswer(material)}${fewness(comparisons, ahead === null ? [bestArm] : withMost(tried), material.labelled)}`,
    );
  }
  return say(againstBaselines(material, bestArm, bestBaseline));
}
