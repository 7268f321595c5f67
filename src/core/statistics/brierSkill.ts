import { brierLoss } from './brierScore.ts';
import type { BelievedCase } from './distribution.ts';
import type { Weights } from './weights.ts';

/**
 * How much better probabilities are than giving every case the base rate: 1 - B / B_0, where B is the mean Brier loss and B_0 that
 * of stating for each label the share of these cases that it is the truth of, 1/2 sum of o (1 - o). 1 is best, 0 no better, below 0
 * worse. The base rate is that of the same cases, computed again in each resample.
 *
 * Source: G. W. Brier and R. A. Allen, Verification of Weather Forecasts, Compendium of Meteorology, 1951, 841-848. Null where all
 * cases have the same truth. Example: P(YES) 0.8, 0.4 with the truths YES, NO: 1 - 0.1 / 0.25 = 0.6.
 */
export function prepareBrierSkill(
  believed: readonly BelievedCase[],
  labels: readonly string[],
): (weights: Weights) => number | null {
  const losses = Float64Array.from(believed, (each) => brierLoss(each, labels));
  const truths = Uint16Array.from(believed, ({ truth }) => labels.indexOf(truth));
  return (weights) => {
    const counts = new Float64Array(labels.length);
    let [loss, n] = [0, 0];
    for (let place = 0; place < losses.length; place++) {
      const weight = weights[place] ?? 0;
      loss += weight * (losses[place] ?? 0);
      n += weight;
      counts[truths[place] ?? 0] = (counts[truths[place] ?? 0] ?? 0) + weight;
    }
    const base = counts.reduce((sum, count) => sum + (count / n) * (1 - count / n), 0) / 2;
    return n === 0 || base === 0 ? null : 1 - loss / n / base;
  };
}
