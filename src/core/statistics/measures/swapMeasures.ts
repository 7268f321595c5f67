import type { Belief } from '../../../shared/domain.ts';
import type { Measure, Resampling, SwapStatistics } from '../../../shared/statistics.ts';
import type { Swap } from '../../../shared/swaps.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { percent } from '../../figures/shares.ts';
import { sideOf } from '../../figures/speakers.ts';
import { isCorrect } from '../accuracy.ts';
import type { CaseTerms } from './armMeasures.ts';
import { estimates } from './estimates.ts';
import { type PlannedMeasure, plannedEffect, plannedMean, plannedRatio, plannedShare, signsOf } from './planned.ts';
import { chanceText, rounding } from './shownComparisons.ts';
import { type CasedTrials, casedTrials, type MeasuredTrial } from './trials.ts';

/** A finished trial as pairs are made of it. */
export type PairedTrial = MeasuredTrial & Pick<TrialLine, 'replicate' | 'trial'>;

/** A trial and its twin: the same case, replicate and seed, with something exchanged. */
export interface SwapPair<Trial extends PairedTrial = PairedTrial> {
  readonly case: string;
  readonly replicate: number;
  readonly base: Trial;
  readonly swapped: Trial;
}

const placeOf = ({ case: id, replicate }: Pick<PairedTrial, 'case' | 'replicate'>) => JSON.stringify([id, replicate]);

/** The pairs of which both trials are finished, in the order of the base's. */
export function swapPairs<Trial extends PairedTrial>(base: readonly Trial[], swapped: readonly Trial[]): SwapPair<Trial>[] {
  const twins = new Map(swapped.map((trial) => [placeOf(trial), trial]));
  return base.flatMap((trial) => {
    const twin = twins.get(placeOf(trial));
    return twin === undefined ? [] : [{ case: trial.case, replicate: trial.replicate, base: trial, swapped: twin }];
  });
}

const hasVerdict = ({ outcome, prediction }: MeasuredTrial) => outcome === 'decided' && prediction !== null;

/** Whether the two verdicts differ; null where one of them is none. */
export function isFlipped({ base, swapped }: SwapPair): boolean | null {
  if (!hasVerdict(base) || !hasVerdict(swapped) || base.prediction === null || swapped.prediction === null) return null;
  return !isCorrect(base.prediction, swapped.prediction);
}

const noPair = 'no pair of decided trials';

function isWonBy({ prediction, path }: MeasuredTrial, roleOf: (roles: readonly string[]) => string | null | undefined) {
  const pleading = path?.pleading ?? null;
  if (pleading === null || typeof prediction !== 'string') return null;
  const role = roleOf(Object.keys(pleading.claims));
  if (role === null || role === undefined || !Object.values(pleading.claims).includes(prediction)) return null;
  return pleading.claims[role] === prediction;
}

/** Share of the trials of whole pairs that a role won: it argued for either label as often as for the other, or came last as often as first. */
function plannedWins(name: string, pairs: CasedTrials<SwapPair>, wonIn: (trial: PairedTrial) => boolean | null): PlannedMeasure {
  const winsOf = (pair: SwapPair): number | null => {
    const won = isFlipped(pair) === null ? null : [wonIn(pair.base), wonIn(pair.swapped)];
    return won === null || won.includes(null) ? null : won.filter((each) => each === true).length;
  };
  const planned = plannedRatio(
    { name, over: 'pair-trials' },
    pairs,
    (pair) => {
      const sum = winsOf(pair);
      return sum === null ? null : { sum, count: 2 };
    },
    { isShare: false, none: 'no pair of trials that were both decided for the label of a side' },
  );
  return { ...planned, ...signsOf(pairs, (pair) => (winsOf(pair) ?? 1) - 1) };
}

function winMeasures(swap: Swap, pairs: CasedTrials<SwapPair>): PlannedMeasure[] {
  // If no side argued for a label, none has won.
  if (pairs.trials.every(({ base }) => (base.path?.pleading ?? null) === null)) return [];
  switch (swap) {
    case 'sides':
      return [
        plannedWins('won_by_prosecution', pairs, (trial) =>
          isWonBy(trial, (roles) => roles.find((role) => sideOf(role) === 'prosecution')),
        ),
      ];
    case 'order':
      return [plannedWins('won_by_last_speaker', pairs, (trial) => isWonBy(trial, () => trial.path?.pleading?.last))];
    case 'labels':
      return [];
  }
}

/** Differences towards the positive label: of verdicts and of what was believed, swapped less base. */
function directionMeasures(pairs: CasedTrials<SwapPair>, positive: string): PlannedMeasure[] {
  const isPositive = ({ prediction }: PairedTrial) => (prediction === positive ? 1 : 0);
  const probability = (belief: Belief | null) => belief?.[positive] ?? null;
  const change = (pair: SwapPair) => (isFlipped(pair) === null ? null : isPositive(pair.swapped) - isPositive(pair.base));
  return [
    plannedEffect({ name: 'positive_change', label: positive, over: 'pairs' }, pairs, change, noPair),
    plannedMean(
      { name: 'probability_change', label: positive, over: 'believed-pairs' },
      pairs,
      (pair) => {
        const [before, after] = [probability(pair.base.belief), probability(pair.swapped.belief)];
        return isFlipped(pair) === null || before === null || after === null ? null : after - before;
      },
      'no pair of decided trials with beliefs',
    ),
  ];
}

/** The flips by where they lead from and to, the most frequent first. */
function beliefChanges(pairs: readonly SwapPair[]): SwapStatistics['moves'] {
  const words = ({ prediction }: PairedTrial) => (typeof prediction === 'string' ? prediction : JSON.stringify(prediction));
  const counts = new Map<string, SwapStatistics['moves'][number]>();
  for (const pair of pairs) {
    if (isFlipped(pair) !== true) continue;
    const [from, to] = [words(pair.base), words(pair.swapped)];
    const key = JSON.stringify([from, to]);
    counts.set(key, { from, to, n: (counts.get(key)?.n ?? 0) + 1 });
  }
  return [...counts.values()].toSorted((one, other) => other.n - one.n);
}

export interface ReplicatePairs {
  readonly case: string;
  readonly pairs: number;
  readonly flips: number;
}

const verdictKey = ({ prediction }: MeasuredTrial) =>
  JSON.stringify(prediction === null || typeof prediction === 'string' ? prediction : [...new Set(prediction)].toSorted());

const pairsAmong = (count: number) => (count * (count - 1)) / 2;

/** The pairs of decided replicates of each case that has any: nothing is exchanged in them but the seeds. They are counted, not made. */
export function replicatePairs(trials: readonly PairedTrial[]): ReplicatePairs[] {
  return [...Map.groupBy(trials.filter(hasVerdict), (trial) => trial.case)].flatMap(([id, mine]) => {
    const pairs = pairsAmong(mine.length);
    const alike = [...Map.groupBy(mine, verdictKey).values()].reduce((sum, { length }) => sum + pairsAmong(length), 0);
    return pairs === 0 ? [] : [{ case: id, pairs, flips: pairs - alike }];
  });
}

/** The same within each of two arms, of the cases that both decided twice: what differs between the two by chance, if they decide alike. */
export function replicatePairsOfBoth(one: readonly PairedTrial[], other: readonly PairedTrial[]): ReplicatePairs[] {
  const others = new Map(replicatePairs(other).map((each) => [each.case, each]));
  return replicatePairs(one).flatMap((mine) => {
    const theirs = others.get(mine.case);
    return theirs === undefined ? [] : [{ ...mine, pairs: mine.pairs + theirs.pairs, flips: mine.flips + theirs.flips }];
  });
}

/** A measure whose interval leaves out what no effect gives although the exact test does not rule that out: it rests on few cases. */
function withSigns(measure: Measure): Measure {
  const { low, high, level, p } = measure;
  const none = measure.over === 'pair-trials' ? 0.5 : 0;
  if (p === undefined || p <= 1 - level + rounding || low === null || high === null || (low <= none && high >= none))
    return measure;
  const left = none === 0 ? '0' : percent(none);
  return {
    ...measure,
    caution: `too narrow: it leaves out ${left}, but the exact test of signs over cases, p ${chanceText(p)}, does not rule out chance`,
  };
}

/** Pairs of trials by what differs between the two. */
export type PairStatistics = Omit<SwapStatistics, 'arm' | 'swap' | 'swapped_arm'>;

/**
 * How the verdicts of pairs differ: the share of pairs, both decided, whose verdicts differ, and which way they moved. Pairs of
 * which a trial failed are counted and are in no rate. At a temperature above 0 verdicts differ by chance too: the share of
 * differing pairs of replicates of one arm is added, if there are any.
 * @param base the finished trials of the arm that the change starts from
 * @param further measures of the pairs beside these
 * @param alike pairs of trials between which nothing but the seeds differs
 */
export function pairStatistics(
  base: readonly PairedTrial[],
  changed: readonly PairedTrial[],
  { positive, multiLabel }: Pick<CaseTerms, 'positive' | 'multiLabel'>,
  resampling: Resampling,
  further: (pairs: CasedTrials<SwapPair>) => PlannedMeasure[] = () => [],
  alike: readonly ReplicatePairs[] = replicatePairs(base),
): PairStatistics {
  const pairs = swapPairs(base, changed);
  const cased = casedTrials(pairs);
  const failed = pairs.filter(({ base: one, swapped }) => !(hasVerdict(one) && hasVerdict(swapped)));
  const planned = [
    plannedShare({ name: 'flip_rate', over: 'pairs' }, cased, isFlipped, noPair),
    ...(positive === null || multiLabel ? [] : directionMeasures(cased, positive)),
    ...further(cased),
  ];
  // Over other cases than the others, which its resamples are of.
  const byChance = plannedRatio(
    { name: 'replicate_flip_rate', over: 'replicate-pairs' },
    { ...casedTrials(alike), share: Float64Array.from(alike, (each) => 1 / each.pairs) },
    (each) => ({ sum: each.flips, count: each.pairs }),
    {
      isShare: alike.every((each) => each.pairs === 1),
      none: 'no case that the arm decided twice: without replicates it is not known how often verdicts differ by chance',
    },
  );
  return {
    pairs: pairs.length,
    failed: {
      base: failed.filter(({ swapped }) => hasVerdict(swapped)).length,
      swapped: failed.filter(({ base: one }) => hasVerdict(one)).length,
      both: failed.filter(({ base: one, swapped }) => !hasVerdict(one) && !hasVerdict(swapped)).length,
    },
    moves: beliefChanges(pairs),
    measures: [planned, [byChance]].flatMap((each) => estimates(each, resampling)).map(withSigns),
  };
}

/**
 * `pairStatistics` of each swap of each arm: a pair is a trial and the trial of the same case, replicate and seed in which
 * something was exchanged.
 * @param trialsOf the finished trials of an arm
 */
export function swapStatistics(
  swaps: readonly Pick<SwapStatistics, 'arm' | 'swap' | 'swapped_arm'>[],
  trialsOf: (arm: string) => readonly PairedTrial[],
  terms: Pick<CaseTerms, 'positive' | 'multiLabel'>,
  resampling: Resampling,
): SwapStatistics[] {
  return swaps.map((about) => {
    const wins = (pairs: CasedTrials<SwapPair>) => (terms.multiLabel ? [] : winMeasures(about.swap, pairs));
    return { ...about, ...pairStatistics(trialsOf(about.arm), trialsOf(about.swapped_arm), terms, resampling, wins) };
  });
}
