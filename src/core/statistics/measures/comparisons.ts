// Compares arms and baselines in pairs, over the cases that both have.
import type { Standing } from '../../../shared/api/compared.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import type { Comparison, Resampling } from '../../../shared/statistics.ts';
import { benjaminiHochberg } from '../benjaminiHochberg.ts';
import { commonCases } from '../commonCases.ts';
import { pairedVariance, smallestDetectable, type Tried } from '../pairedVariance.ts';
import { signFlipTest } from '../signFlipTest.ts';
import { wilcoxonSignedRank } from '../wilcoxonSignedRank.ts';
import { decidedRightly } from './accuracyMeasures.ts';
import { lossReader } from './beliefMeasures.ts';
import { type Estimate, mapped, missingEstimate, type Task } from './estimates.ts';
import { labelSetLoss } from './labelSetBeliefMeasures.ts';
import { type Difference, pairedDifferences, type Quality, qualitiesOf } from './pairedDifferences.ts';
import type { MeasuredTrial } from './trials.ts';

const power = 0.8;
const noPair = 'no case with a known truth that both have tried';

/** An arm or a baseline by what it did on each case with a known truth. */
export interface Contender {
  readonly name: string;
  readonly baseline: boolean;
  /** Predicts by lot: its pairs are shown, but nothing is concluded from them. */
  readonly drawn?: boolean;
  readonly cases: readonly string[];
  /** Share of the case's finished trials that are right, a failure as not right; one for each case. */
  readonly correct: readonly number[];
  /** Finished trials of each case. */
  readonly times: readonly number[];
  /** Mean Brier loss of the case's decided trials with a belief, 0-1; null where it has none. */
  readonly loss: readonly (number | null)[];
  /** What it can be compared in. */
  readonly qualities: readonly Quality[];
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

export function contender(
  name: string,
  baseline: boolean,
  trials: readonly MeasuredTrial[],
  terms: { labels: readonly string[]; multiLabel: boolean },
): Contender {
  const { labels, multiLabel } = terms;
  const lossOf = multiLabel ? labelSetLoss(labels) : lossReader(labels);
  const byCase = [...Map.groupBy(trials, ({ case: id }) => id)].filter(([, mine]) => mine.some(({ truth }) => truth !== null));
  return {
    name,
    baseline,
    cases: byCase.map(([id]) => id),
    correct: byCase.map(([, mine]) => mean(mine.map((trial) => (decidedRightly(trial) === true ? 1 : 0)))),
    times: byCase.map(([, mine]) => mine.length),
    loss: byCase.map(([, mine]) => {
      const losses = mine.flatMap((trial) => lossOf(trial) ?? []);
      return losses.length === 0 ? null : mean(losses);
    }),
    qualities: qualitiesOf(trials, terms),
  };
}

/** What two contenders did on the cases that both have. */
interface Pair {
  readonly a: Contender;
  readonly b: Contender;
  readonly cases: readonly string[];
  readonly correct: readonly { readonly a: number; readonly b: number }[];
  readonly tried: readonly { readonly a: Tried; readonly b: Tried }[];
  readonly losses: readonly { readonly a: number; readonly b: number }[];
}

function pairOf(a: Contender, b: Contender): Pair {
  const common = commonCases(a.cases, b.cases);
  return {
    a,
    b,
    cases: common.map(({ first }) => a.cases[first] ?? ''),
    correct: common.map(({ first, second }) => ({ a: a.correct[first] ?? 0, b: b.correct[second] ?? 0 })),
    tried: common.map(({ first, second }) => ({
      a: { right: a.correct[first] ?? 0, times: a.times[first] ?? 0 },
      b: { right: b.correct[second] ?? 0, times: b.times[second] ?? 0 },
    })),
    losses: common.flatMap(({ first, second }) => {
      const [of, against] = [a.loss[first] ?? null, b.loss[second] ?? null];
      return of === null || against === null ? [] : [{ a: of, b: against }];
    }),
  };
}

function standingOf({ a, b }: { readonly a: number; readonly b: number }): Standing {
  if (a !== b) return a > b ? 'a_only' : 'b_only';
  if (a === 1) return 'both_right';
  return a === 0 ? 'both_wrong' : 'equally';
}

/** Where two contenders stand to each other on each case that both have, in the order of the first's. */
export function caseStandings(a: Contender, b: Contender): { case: string; standing: Standing }[] {
  const { cases, correct } = pairOf(a, b);
  return cases.map((id, place) => ({ case: id, standing: standingOf(correct[place] ?? { a: 0, b: 0 }) }));
}

/** The cases on which one was right more often than the other. */
export function differingCases(a: Contender, b: Contender): { aOnly: string[]; bOnly: string[] } {
  const standings = caseStandings(a, b);
  const those = (wanted: Standing) => standings.flatMap(({ case: id, standing }) => (standing === wanted ? [id] : []));
  return { aOnly: those('a_only'), bOnly: those('b_only') };
}

/** Each arm with each baseline, then the arms among themselves: whatever is concluded, nothing is left out. */
function pairsOf(contenders: readonly Contender[]): (readonly [Contender, Contender])[] {
  const arms = contenders.filter(({ baseline }) => !baseline);
  const baselines = contenders.filter(({ baseline }) => baseline);
  return [
    ...arms.flatMap((arm) => baselines.map((baseline) => [arm, baseline] as const)),
    ...arms.flatMap((arm, place) => arms.slice(place + 1).map((other) => [arm, other] as const)),
  ];
}

const estimateOf = ({ name: _name, over: _over, cases: _cases, a: _a, b: _b, ...estimate }: Difference): Estimate => estimate;

function discordant(correct: Pair['correct']) {
  return {
    a_only: correct.filter(({ a, b }) => a > b).length,
    b_only: correct.filter(({ a, b }) => b > a).length,
  };
}

/** What the rank statistics are over: losses where both stated beliefs, else how often each case was right, else nothing. */
function ranked({ losses, correct }: Pair) {
  if (losses.length > 0) return { of: 'brier' as const, better: losses.map(({ a, b }) => ({ a: -a, b: -b })) };
  const severalTimes = correct.some(({ a, b }) => !Number.isInteger(a) || !Number.isInteger(b));
  return severalTimes ? { of: 'correctness' as const, better: correct } : null;
}

type RankTest = Omit<NonNullable<Comparison['wilcoxon']>, 'p_adjusted'>;

function rankTest(pair: Pair): RankTest | null {
  const values = ranked(pair);
  if (values === null) return null;
  const { of, better } = values;
  const test = wilcoxonSignedRank(better.map(({ a, b }) => a - b));
  if (test === null) return null;
  const { n, statistic, method, p, positive, negative } = test;
  const favours = positive === negative ? null : positive > negative ? 'a' : 'b';
  return { of, cases: better.length, n, statistic, method, p, favours };
}

/** The p-value of the difference: McNemar's exact test, or with replicates the permutation test that it is a case of. */
function pOf({ tried }: Pair): number | null {
  if (tried.length === 0) return null;
  const counts = new Set(tried.flatMap(({ a, b }) => [a.times, b.times]));
  const unit = [...counts].reduce(leastCommonMultiple, 1);
  return signFlipTest(tried.map(({ a, b }) => Math.round((a.right - b.right) * unit))).p;
}

/** Beyond it differences are rounded to its parts, which moves no p-value that is read. */
const finest = 10_000;

function leastCommonMultiple(one: number, other: number): number {
  let [larger, smaller] = [one, other];
  while (smaller > 0) [larger, smaller] = [smaller, larger % smaller];
  return Math.min(finest, (one / larger) * other);
}

/** The level at which a pair is tested beside the others of the family: Benjamini and Hochberg's, of one rejection more than there is without it. */
function testedAt(adjusted: readonly (number | null)[], own: number | null, alpha: number): number {
  const tests = adjusted.filter((p) => p !== null).length;
  const rejected = adjusted.filter((p) => p !== null && p <= alpha).length;
  return tests === 0 || own === null ? alpha : (alpha * Math.min(tests, rejected + (own <= alpha ? 0 : 1))) / tests;
}

/** A pair that was decided beforehand, and how many tests were. */
interface DecidedPair {
  readonly pair: readonly (Contender | undefined)[];
  readonly family: number;
}

/** The tests whose p-values are adjusted together. */
type Family = StatsReport['family'];

function familyOf(contenders: readonly Contender[], isDecided: boolean): Family {
  const arms = contenders.filter(({ baseline }) => !baseline).length;
  const baselines = contenders.filter(({ baseline, drawn }) => baseline && drawn !== true).length;
  const among = (arms * (arms - 1)) / 2;
  const tests = arms * baselines + among - (isDecided ? 1 : 0);
  const of = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
  return {
    arms,
    baselines,
    tests,
    text: `${of(tests, 'test')}: ${of(arms, 'arm')} with each of ${of(baselines, 'baseline')}, and ${of(among, 'pair')} of arms${isDecided ? ', without the primary comparison' : ''}`,
  };
}

/**
 * Compares pairs over the cases that both have: difference of accuracy with its bootstrap interval, McNemar's exact test,
 * the same of every measure that both have, the signed-rank test of the Brier losses, and the smallest difference that could be seen. The p-values
 * of each test are adjusted over the pairs of all contenders but those with one that is drawn by lot, whichever pairs are
 * reported: to report fewer arms makes no p-value smaller.
 * @param isReported whether the pairs of an arm are in the result
 * @param decided the pair whose accuracy was compared beforehand, and the tests that were: it is tested beside these alone
 *
 * With several replicates the p-value is that of the permutation test of signs, of which McNemar's exact test is the case of
 * one trial each.
 */
export function comparisonsOf(
  contenders: readonly Contender[],
  resampling: Resampling,
  isReported: (name: string) => boolean = () => true,
  decided: DecidedPair | null = null,
): Task<{ comparisons: Comparison[]; family: Family }> {
  const pairs = pairsOf(contenders);
  const reported = pairs.filter(([a, b]) => isReported(a.name) && (b.baseline || isReported(b.name)));
  const all = pairedDifferences(
    reported.map(([a, b]) => ({ a: a.qualities, b: b.qualities })),
    resampling,
    noPair,
  );
  return mapped(all, (found) => {
    const isDecided = (pair: readonly Contender[]) => decided !== null && pair.every((each) => decided.pair.includes(each));
    const isInFamily = (pair: readonly [Contender, Contender]) => pair[1].drawn !== true && !isDecided(pair);
    // What two did case by case is held for one pair at a time.
    const tests = new Map(
      pairs.map((pair) => {
        const paired = pairOf(...pair);
        return [pair, { ...discordant(paired.correct), p: pOf(paired), wilcoxon: rankTest(paired) }] as const;
      }),
    );
    const family = [...tests].filter(([pair]) => isInFamily(pair));
    const adjusted = benjaminiHochberg(family.map(([, { p }]) => p));
    const adjustedRanks = benjaminiHochberg(family.map(([, { wilcoxon }]) => wilcoxon?.p ?? null));
    const places = new Map(family.map(([pair], place) => [pair, place]));
    const comparisons = reported.flatMap((pair, place): Comparison[] => {
      const test = tests.get(pair);
      if (test === undefined) return [];
      const { a_only, b_only, p, wilcoxon } = test;
      const differences = found[place] ?? [];
      const accuracy = differences.find(({ name }) => name === 'accuracy');
      const inFamily = places.get(pair) ?? -1;
      const ownFamily = isDecided(pair) ? decided?.family : undefined;
      const p_adjusted = ownFamily === undefined || p === null ? (adjusted[inFamily] ?? null) : Math.min(1, p * ownFamily);
      const alpha =
        ownFamily === undefined ? testedAt(adjusted, p_adjusted, 1 - resampling.level) : (1 - resampling.level) / ownFamily;
      const { a, b, cases, tried } = pairOf(...pair);
      return [
        {
          a: a.name,
          b: b.name,
          baseline: b.baseline,
          paired_cases: cases.length,
          in_family: isInFamily(pair),
          ...(ownFamily === undefined ? {} : { primary: true as const }),
          difference: accuracy === undefined ? missingEstimate(resampling.level, noPair) : estimateOf(accuracy),
          differences,
          mcnemar: { a_only, b_only, p, p_adjusted },
          wilcoxon: wilcoxon === null ? null : { ...wilcoxon, p_adjusted: adjustedRanks[inFamily] ?? null },
          cliffs_delta: null,
          smallest_detectable_difference: smallestDetectable(tried, { alpha, power }),
          detectable_at: alpha,
          variance: pairedVariance(tried, { b: b.baseline }),
        },
      ];
    });
    return { comparisons, family: familyOf(contenders, pairs.some(isDecided)) };
  });
}
