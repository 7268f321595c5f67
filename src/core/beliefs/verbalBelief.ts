import type { Belief } from '../../shared/domain.ts';

/** What a model said about its certainty, as a distribution over the candidate labels. */
export interface VerbalBelief {
  /** Null where nothing usable was stated. */
  readonly belief: Belief | null;
  /** P(prediction) as stated, 0-1; null where nothing usable was stated. */
  readonly confidence: number | null;
  /** Whether the prediction is not among the belief's most likely labels. The prediction is kept anyway. */
  readonly inconsistent: boolean;
}

function requirePrediction(labels: readonly string[], prediction: string): void {
  if (new Set(labels).size !== labels.length) throw new RangeError('the labels are not distinct');
  if (!labels.includes(prediction)) throw new RangeError(`the prediction "${prediction}" is not a label`);
}

export function isInconsistent(belief: Belief, prediction: string): boolean {
  const own = belief[prediction] ?? 0;
  return Object.values(belief).some((probability) => probability > own);
}

/**
 * One prediction with a confidence, on exactly two labels: P(prediction) = confidence, the other label
 * gets the rest. Under one half the prediction is not the more likely label and the record is flagged;
 * at one half it still is one of two. No confidence, no belief.
 *
 * `confidence`: 0-1 or null. Throws RangeError on any other number, on other than two distinct labels
 * and on a prediction that is not one of them. With more labels one number says nothing about how the
 * rest is spread: see `distributionBelief`.
 */
export function pairBelief(labels: readonly string[], prediction: string, confidence: number | null): VerbalBelief {
  if (labels.length !== 2) throw new RangeError(`a pair belief needs two labels, not ${labels.length}`);
  requirePrediction(labels, prediction);
  if (confidence === null) return { belief: null, confidence: null, inconsistent: false };
  if (!(confidence >= 0 && confidence <= 1)) throw new RangeError(`confidence ${confidence} is not within 0-1`);
  const belief: Belief = Object.fromEntries(labels.map((label) => [label, label === prediction ? confidence : 1 - confidence]));
  return { belief, confidence, inconsistent: isInconsistent(belief, prediction) };
}

const isDistribution = (labels: readonly string[], stated: Readonly<Record<string, number>>, sum: number): boolean =>
  labels.every((label) => Object.hasOwn(stated, label)) &&
  Object.entries(stated).every(([label, number]) => labels.includes(label) && number >= 0) &&
  Number.isFinite(sum) &&
  sum > 0;

/**
 * A stated distribution, in percent or in parts of one: each number divided by the sum of all, so that
 * the scale does not matter. Numbers that are no distribution (one negative, all zero, a label missing
 * or unknown) are no belief, never completed or spread: they come from a model, so that nothing is thrown
 * for them.
 *
 * Throws RangeError on labels that are not distinct and on a prediction that is not one of them.
 */
export function distributionBelief(
  labels: readonly string[],
  prediction: string,
  stated: Readonly<Record<string, number>>,
): VerbalBelief {
  requirePrediction(labels, prediction);
  const sum = Object.values(stated).reduce((all, number) => all + number, 0);
  if (!isDistribution(labels, stated, sum)) return { belief: null, confidence: null, inconsistent: false };
  const belief: Belief = Object.fromEntries(labels.map((label) => [label, (stated[label] ?? 0) / sum]));
  return { belief, confidence: belief[prediction] ?? 0, inconsistent: isInconsistent(belief, prediction) };
}
