import type { BaselinePrediction } from './baseline.ts';

/**
 * Accuracy to be expected of predictions drawn from the beliefs: the mean of P(truth) over the cases whose truth is
 * known, 0-1; null where there is none or a belief is missing.
 * Example: belief {NO: 0.7, YES: 0.3} throughout, truths NO, NO, YES: (0.7 + 0.7 + 0.3) / 3 = 0.5667.
 * @param truths case id -> its label
 */
export function expectedAccuracy(predictions: readonly BaselinePrediction[], truths: ReadonlyMap<string, string>): number | null {
  let sum = 0;
  let n = 0;
  for (const { case: id, belief } of predictions) {
    const truth = truths.get(id);
    if (truth === undefined) continue;
    if (belief === null) return null;
    sum += belief[truth] ?? 0;
    n += 1;
  }
  return n === 0 ? null : sum / n;
}
