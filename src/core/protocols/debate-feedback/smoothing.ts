import type { Belief, Case, Prediction } from '../../../shared/domain.ts';
import { appliesFrom, believedSet, isSameSet } from '../../beliefs/independentBelief.ts';
import { isInconsistent } from '../../beliefs/verbalBelief.ts';
import type { StatedBelief } from '../court.ts';

/** O_i: the opinion after a round. */
export interface Opinion {
  readonly prediction: Prediction;
  /** Its P(prediction), 0-1; null where there is no belief, and for sets of labels. */
  readonly confidence: number | null;
  readonly belief: Belief | null;
}

export interface Smoothed extends Opinion {
  /** Labels were equally likely, so that what was held before decides. */
  readonly tie: boolean;
}

/** The largest change of a probability, 0-1; all of it where one of them has no belief. */
export function movedBy({ belief: one }: Opinion, { belief: other }: Opinion): number {
  if (one === null || other === null) return 1;
  return Math.max(0, ...Object.keys(other).map((label) => Math.abs((other[label] ?? 0) - (one[label] ?? 0))));
}

type Labels = Pick<Case, 'labels' | 'multiLabel'>;

/** What sums of rounding errors can make up between two numbers that are equal. */
export const roundingNoise = 1e-12;

const isEqual = (one: number, other: number) => Math.abs(one - other) <= roundingNoise;

/** The most likely label; of several the one held before, else the one answered now, else the first. */
function leading(labels: readonly string[], belief: Belief, previous: Prediction, latest: Prediction) {
  const most = Math.max(...labels.map((label) => belief[label] ?? 0));
  const leaders = labels.filter((label) => isEqual(belief[label] ?? 0, most));
  const [first = ''] = leaders;
  const held = [previous, latest].find((label) => typeof label === 'string' && leaders.includes(label));
  return { prediction: typeof held === 'string' ? held : first, tie: leaders.length > 1 };
}

/** The labels with one half or more; one at exactly one half stays as it was. */
function leadingSet(labels: readonly string[], belief: Belief, previous: Prediction) {
  const before = Array.isArray(previous) ? previous : [];
  const isTied = (label: string) => isEqual(belief[label] ?? 0, appliesFrom);
  const prediction = labels.filter((label) => (isTied(label) ? before.includes(label) : (belief[label] ?? 0) > appliesFrom));
  return { prediction, tie: labels.some(isTied) };
}

/**
 * O_i = (1 - T) O_(i-1) + T LM(x, summary), label by label (algorithm 1 and equation 1 of the paper), with its most likely
 * label, or with several labels a case the set of those at one half or more.
 *
 * Deviations: with T = 1 O_i is the judge's answer unchanged and with T = 0 nothing changes, labels included. Where
 * one of the two has no belief no number is made up: the judge's label holds, without a belief.
 * @param weight T, 0-1
 */
export function smoothed({ labels, multiLabel }: Labels, previous: Opinion, latest: Opinion, weight: number): Smoothed {
  if (weight === 0) return { ...previous, tie: false };
  if (weight === 1) return { ...latest, tie: false };
  const [old, fresh] = [previous.belief, latest.belief];
  if (old === null || fresh === null) return { prediction: latest.prediction, confidence: null, belief: null, tie: false };
  const belief = Object.fromEntries(
    labels.map((label) => [label, (1 - weight) * (old[label] ?? 0) + weight * (fresh[label] ?? 0)]),
  );
  const { prediction, tie } = multiLabel
    ? leadingSet(labels, belief, previous.prediction)
    : leading(labels, belief, previous.prediction, latest.prediction);
  return { prediction, confidence: typeof prediction === 'string' ? (belief[prediction] ?? 0) : null, belief, tie };
}

/** Whether the belief says something else than the prediction, which is kept anyway. */
function saysOtherwise(labels: readonly string[], { prediction, belief }: Opinion): boolean {
  if (belief === null || prediction === null) return false;
  // At a tie any of the leading labels is consistent.
  if (typeof prediction === 'string') return isInconsistent(belief, prediction) && !isTiedLeader(belief, prediction);
  const undecided = labels.filter((label) => isEqual(belief[label] ?? 0, appliesFrom));
  const settledPart = (set: readonly string[]) => set.filter((label) => !undecided.includes(label));
  return !isSameSet(settledPart(prediction), settledPart(believedSet(labels, belief)));
}

function isTiedLeader(belief: Belief, prediction: string): boolean {
  return isEqual(belief[prediction] ?? 0, Math.max(...Object.values(belief)));
}

/** O_i as the record states it. */
export const opinionAsBelief = (labels: readonly string[], opinion: Opinion): StatedBelief => ({
  prediction: opinion.prediction,
  confidence: opinion.confidence,
  belief: opinion.belief,
  source: 'smoothed',
  inconsistent: saysOtherwise(labels, opinion),
});
