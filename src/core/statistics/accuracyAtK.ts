import type { BelievedCase } from './distribution.ts';
import { rankOfTruth } from './rankOfTruth.ts';
import { weightedMean } from './weightedMean.ts';
import type { Weights } from './weights.ts';

/** 1 where the true label is among the k most likely ones, else 0. Throws as `accuracyAtK` does. */
export function hitAtK(believed: BelievedCase, labels: readonly string[], k: number): 0 | 1 {
  if (!(Number.isSafeInteger(k) && k >= 1)) throw new RangeError(`k is a whole number from 1, not ${k}`);
  return rankOfTruth(believed, labels) <= k ? 1 : 0;
}

/**
 * Accuracy at k: share of cases whose true label is among the k most likely ones, 0-1; null without cases.
 * With k from the number of labels on it is 1 whatever was believed.
 *
 * Ties are pessimistic, see `rankOfTruth`: a label counts only if it is among the k most likely however equal ones
 * are ordered. scikit-learn's `top_k_accuracy_score` takes the later of two equal labels for the likelier one, so
 * its number depends on the order of the labels; without ties the two agree. Accuracy at 1 is about beliefs, not about
 * predictions: the two differ where a prediction broke a tie or was not the belief's most likely label.
 * `k`: a whole number from 1, else RangeError; also thrown for what `rankOfTruth` and `weightedMean` refuse.
 * Example: true labels of rank 1, 2 and 4 give 2/3 at k = 2.
 */
export function accuracyAtK(
  cases: readonly BelievedCase[],
  labels: readonly string[],
  k: number,
  weights?: Weights,
): number | null {
  return weightedMean(
    cases.map((each) => hitAtK(each, labels, k)),
    weights,
  );
}
