// Compares arms and baselines in pairs, over the cases that both have.
import type { Standing } from '../../../shared/api/compared.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import { readOnce } from '../../../shared/remembered.ts';
import type { Comparison, Resampling } from '../../../shared/statistics.ts';
import { benjaminiHochberg } from '../adjustedPValues.ts';
import { commonCases } from '../commonCases.ts';
import { pairedVariance, smallestDetectable, type Tried } from '../pairedVariance.ts';
import { signFlipTest } from '../signFlipTest.ts';
import { wilcoxonSignedRank } from '../wilcoxonSignedRank.ts';
import { decidedRightly } from './accuracyMeasures.ts';
import { lossReader } from './beliefMeasures.ts';
import { type Estimate, missingEstimate } from './estimates.ts';
import { type Difference, pairedDifferences, type Quality, qualitiesOf } from './pairedDifferences.ts';
import { casedTrials, type MeasuredTrial } from './trials.ts';

/** With which a smallest detectable difference is found. */
export const power = 0.8;
const noPair = 'no case with a known truth that both have tried';

/** An arm or a baseline by what it did on each case with a known truth. */
export interface Contender {
  readonly name: string;
  readonly baseline: boolean;
  /** Predicts by lot: its pairs are shown, but nothing is concluded from them. */
  readonly drawn?: boolean;
  readonly cases: readonly string[];
  /** The finished trials of each case, a failure as not right. */
  readonly tried: readonly Tried[];
  /** Mean Brier loss of the case's decided trials with a belief, 0-1; NaN where it has none. */
  readonly loss: Float64Array;
  /** What it can be compared in; made at each call, since it holds all trials. */
  qualities(): readonly Quality[];
}

/** What an arm or a baseline did. @param read its finished trials, asked for again for each comparison */
export const contender = (
  name: string,
  baseline: boolean,
  read: () => readonly MeasuredTrial[],
  terms: { readonly labels: readonly string[]; readonly multiLabel: boolean },
): Contender => ({ name, baseline, ...triedCases(read(), terms), qualities: () => qualitiesOf(read(), terms) });

function triedCases(
  trials: readonly MeasuredTrial[],
  { labels, multiLabel }: Parameters<typeof contender>[3],
): Pick<Contender, 'cases' | 'tried' | 'loss'> {
  const lossOf = lossReader(labels, multiLabel);
  const { cases, caseOf } = casedTrials(trials);
  const sums = () => new Float64Array(cases.length);
  const [known, times, right, losses, loss] = [sums(), sums(), sums(), sums(), sums()];
  const add = (to: Float64Array, index: number, value: number) => {
    const place = caseOf[index] ?? 0;
    to[place] = (to[place] ?? 0) + value;
  };
  trials.forEach((trial, index) => {
    const lost = lossOf(trial);
    add(times, index, 1);
    add(right, index, decidedRightly(trial) === true ? 1 : 0);
    if (trial.truth !== null) add(known, index, 1);
    if (lost === null) return;
    add(losses, index, 1);
    add(loss, index, lost);
  });
  const places = [...cases.keys()].filter((place) => known[place] !== 0);
  const mean = (sum: Float64Array, of: Float64Array, place: number) => (sum[place] ?? 0) / (of[place] ?? 0);
  // One object for all cases that went alike: most were tried once.
  const alike = new Map<number, Tried>();
  const tried = places.map((place) => {
    const mine = { right: mean(right, times, place), times: times[place] ?? 0 };
    const key = 2 * mine.times + mine.right;
    const found = alike.get(key) ?? mine;
    alike.set(key, found);
    return found;
  });
  return {
    cases: places.map((place) => cases[place] ?? ''),
    tried,
    loss: Float64Array.from(places, (place) => mean(loss, losses, place)),
  };
}

const untried: Tried = { right: 0, times: 0 };

type Pair = Readonly<ReturnType<typeof pairOf>>;

function pairOf(a: Contender, b: Contender) {
  const { first, second } = commonCases(a.cases, b.cases);
  // One object for all cases that went alike.
  const both = readOnce((one: Tried) => readOnce((other: Tried) => ({ a: one, b: other })));
  const loss = (of: Contender, place: number | undefined) => of.loss[place ?? -1] ?? Number.NaN;
  return {
    cases: Array.from(first, (place) => a.cases[place] ?? ''),
    tried: Array.from(first, (place, index) => both(a.tried[place] ?? untried)(b.tried[second[index] ?? -1] ?? untried)),
    /** How much larger the loss of b is, of the cases on which both have one. */
    losses: Array.from(first, (place, index) => loss(b, second[index]) - loss(a, place)).filter((each) => !Number.isNaN(each)),
  };
}

function standingOf({ a: { right }, b }: Pair['tried'][number]): Standing {
  if (right !== b.right) return right > b.right ? 'a_only' : 'b_only';
  if (right === 1) return 'both_right';
  return right === 0 ? 'both_wrong' : 'equally';
}

/** How two contenders compare on each case that both have, in the order of the first's; `mostly`: who is right in most trials where the other is wrong in most. */
export function caseStandings(a: Contender, b: Contender): { case: string; standing: Standing; mostly: 'a' | 'b' | null }[] {
  const { cases, tried } = pairOf(a, b);
  return cases.map((id, place) => {
    const both = tried[place] ?? { a: untried, b: untried };
    const [one, other] = [both.a.right - 0.5, both.b.right - 0.5];
    return { case: id, standing: standingOf(both), mostly: one * other >= 0 ? null : one > 0 ? 'a' : 'b' };
  });
}

/** Each arm with each baseline, then the arms among themselves: with any conclusion, nothing is left out. */
function pairsOf(contenders: readonly Contender[]): (readonly [Contender, Contender])[] {
  const arms = contenders.filter(({ baseline }) => !baseline);
  const baselines = contenders.filter(({ baseline }) => baseline);
  return [
    ...arms.flatMap((arm) => baselines.map((baseline) => [arm, baseline] as const)),
    ...arms.flatMap((arm, place) => arms.slice(place + 1).map((other) => [arm, other] as const)),
  ];
}

const estimateOf = ({ name: _name, over: _over, cases: _cases, a: _a, b: _b, ...estimate }: Difference): Estimate => estimate;

function discordant({ tried }: Pair) {
  return {
    a_only: tried.filter(({ a, b }) => a.right > b.right).length,
    b_only: tried.filter(({ a, b }) => b.right > a.right).length,
  };
}

/** What the rank statistics are over: losses where both stated beliefs, else how often each case was right, else nothing. */
function ranked({ losses, tried }: Pair) {
  if (losses.length > 0) return { of: 'brier' as const, better: losses };
  const severalTimes = tried.some(({ a, b }) => !Number.isInteger(a.right) || !Number.isInteger(b.right));
  return severalTimes ? { of: 'correctness' as const, better: tried.map(({ a, b }) => a.right - b.right) } : null;
}

type RankTest = Omit<NonNullable<Comparison['wilcoxon']>, 'p_adjusted'>;

function rankTest(pair: Pair): RankTest | null {
  const values = ranked(pair);
  if (values === null) return null;
  const { of, better } = values;
  const test = wilcoxonSignedRank(better);
  if (test === null) return null;
  const { n, statistic, method, p, positive, negative } = test;
  const favours = positive === negative ? null : positive > negative ? 'a' : 'b';
  return { of, cases: better.length, n, statistic, method, p, favours };
}

/** The p-value of the difference: McNemar's exact test, or with replicates the permutation test that it is a case of. */
function pOf({ tried }: Pair): number | null {
  if (tried.length === 0) return null;
  const counts = new Set<number>();
  for (const { a, b } of tried) counts.add(a.times).add(b.times);
  const unit = [...counts].reduce(leastCommonMultiple, 1);
  return signFlipTest(tried.map(({ a, b }) => Math.round((a.right - b.right) * unit))).p;
}

/** The same of two contenders, with the cases that a reader can check it by: null where they have no case in common. */
export function exactChance(a: Contender, b: Contender) {
  const pair = pairOf(a, b);
  const exact_p = pOf(pair);
  return exact_p === null ? null : { exact_p, discordant: discordant(pair) };
}

/** Beyond it differences are rounded to its parts, which moves no p-value that is read. */
const finest = 10_000;

function leastCommonMultiple(one: number, other: number): number {
  let [larger, smaller] = [one, other];
  while (smaller > 0) [larger, smaller] = [smaller, larger % smaller];
  return Math.min(finest, (one / larger) * other);
}

/** The level at which a pair is tested among the others of the family: Benjamini and Hochberg's, of one rejection more than there is without it. */
function testedAt(adjusted: readonly (number | null)[], own: number | null, alpha: number): number {
  const tests = adjusted.filter((p) => p !== null).length;
  const rejected = adjusted.filter((p) => p !== null && p <= alpha).length;
  return tests === 0 || own === null ? alpha : (alpha * Math.min(tests, rejected + (own <= alpha ? 0 : 1))) / tests;
}

interface DecidedPair {
  readonly pair: readonly (Contender | undefined)[];
  readonly family: number;
}

type Family = StatsReport['family'];

/** Counted from the tests themselves, so that the size that is stated is always the one that p-values are adjusted by. */
function familyOf(
  contenders: readonly Contender[],
  tests: readonly (readonly [pair: readonly [Contender, Contender], test: { readonly p: number | null }])[],
  isDecided: boolean,
): Family {
  const arms = contenders.filter(({ baseline }) => !baseline).length;
  const baselines = contenders.filter(({ baseline, drawn }) => baseline && drawn !== true).length;
  const byLot = contenders.filter(({ drawn }) => drawn === true).map(({ name }) => name);
  const lot = byLot.length === 0 ? '' : `; ${byLot.join(', ')} is drawn by lot and not among them`;
  const made = tests.filter(([, { p }]) => p !== null);
  const untried = tests.length - made.length;
  const withBaseline = made.filter(([[, b]]) => b.baseline).length;
  const of = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
  const parts = `${withBaseline} of an arm with a baseline (${of(arms, 'arm')}, ${of(baselines, 'baseline')}), ${made.length - withBaseline} of two arms`;
  const none = untried === 0 ? '' : `; ${of(untried, 'pair')} without a common case ${untried === 1 ? 'is' : 'are'} not tested`;
  return {
    arms,
    baselines,
    tests: made.length,
    text: `${of(made.length, 'test')}: ${parts}${isDecided ? '; the primary comparison is not among them and has no adjusted p' : ''}${lot}${none}`,
  };
}

/**
 * Compares pairs over the cases that both have: difference of accuracy with its bootstrap interval, McNemar's exact test, the same of every
 * measure that both have, the signed-rank test of the Brier losses, and the smallest difference that could be seen. The p-values of each test are
 * adjusted over the pairs of all contenders but those with one that is drawn by lot, reported or not: to report fewer arms makes no p-value
 * smaller.
 * @param isReported whether the pairs of an arm are in the result
 * @param decided the pair whose accuracy was compared beforehand, and the tests that were: it is tested with these alone
 *
 * With several replicates the p-value is that of the permutation test of signs, of which McNemar's exact test is the case of
 * one trial each.
 */
export function comparisonsOf(
  contenders: readonly Contender[],
  resampling: Resampling,
  isReported: (name: string) => boolean = () => true,
  decided: DecidedPair | null = null,
): { comparisons: Comparison[]; family: Family } {
  const pairs = pairsOf(contenders);
  const reported = pairs.filter(([a, b]) => isReported(a.name) && (b.baseline || isReported(b.name)));
  // What two did case by case is held for one pair at a time, and before the measures are planned.
  const tests = new Map(
    pairs.map((pair) => {
      const paired = pairOf(...pair);
      const [, b] = pair;
      return [
        pair,
        {
          ...discordant(paired),
          cases: paired.cases.length,
          p: pOf(paired),
          wilcoxon: rankTest(paired),
          leastAt: smallestDetectable(paired.tried),
          variance: pairedVariance(paired.tried, { b: b.baseline }),
        },
      ] as const;
    }),
  );
  const found = pairedDifferences(reported, (each) => each.qualities(), resampling, noPair);
  const isDecided = (pair: readonly Contender[]) => decided !== null && pair.every((each) => decided.pair.includes(each));
  const isInFamily = (pair: readonly [Contender, Contender]) => pair[1].drawn !== true && !isDecided(pair);
  const family = [...tests].filter(([pair]) => isInFamily(pair));
  const adjusted = benjaminiHochberg(family.map(([, { p }]) => p));
  const adjustedRanks = benjaminiHochberg(family.map(([, { wilcoxon }]) => wilcoxon?.p ?? null));
  const places = new Map(family.map(([pair], place) => [pair, place]));
  const comparisons = reported.flatMap((pair, place): Comparison[] => {
    const test = tests.get(pair);
    if (test === undefined) return [];
    const { a_only, b_only, p, wilcoxon, cases, leastAt, variance } = test;
    const differences = found[place] ?? [];
    const accuracy = differences.find(({ name }) => name === 'accuracy');
    const inFamily = places.get(pair) ?? -1;
    const ownFamily = isDecided(pair) ? decided?.family : undefined;
    const p_adjusted = ownFamily === undefined || p === null ? (adjusted[inFamily] ?? null) : Math.min(1, p * ownFamily);
    const alpha =
      ownFamily === undefined ? testedAt(adjusted, p_adjusted, 1 - resampling.level) : (1 - resampling.level) / ownFamily;
    const [a, b] = pair;
    return [
      {
        a: a.name,
        b: b.name,
        baseline: b.baseline,
        paired_cases: cases,
        in_family: isInFamily(pair),
        ...(ownFamily === undefined ? {} : { primary: true as const }),
        difference: accuracy === undefined ? missingEstimate(resampling.level, noPair) : estimateOf(accuracy),
        differences,
        mcnemar: { a_only, b_only, p, p_adjusted },
        wilcoxon: wilcoxon === null ? null : { ...wilcoxon, p_adjusted: adjustedRanks[inFamily] ?? null },
        cliffs_delta: null,
        smallest_detectable_difference: leastAt({ alpha, power }),
        detectable_at: alpha,
        variance,
      },
    ];
  });
  return { comparisons, family: familyOf(contenders, family, pairs.some(isDecided)) };
}
