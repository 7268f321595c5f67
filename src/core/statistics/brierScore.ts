import { type BelievedCase, distributionOver, placeOfTruth } from './distribution.ts';
import { weightedMean } from './weightedMean.ts';
import type { Weights } from './weights.ts';

/**
 * Which of the two Brier scores in use: `sum` adds the squared differences of all labels and is 0-2, as Brier wrote
 * it; `half` is half of that and 0-1. With two labels `half` is (P(positive) - y)², the usual binary one.
 */
export type BrierScale = 'sum' | 'half';

/**
 * Squared distance of one belief from the truth: sum over the labels of (P(label) - [label is true])², or half of it.
 * 0 is a certain right belief. Throws RangeError on a belief that is no distribution over `labels` and on a truth that is
 * not one of them.
 */
export function brierLoss({ belief, truth }: BelievedCase, labels: readonly string[], scale: BrierScale): number {
  const right = placeOfTruth(labels, truth);
  const sum = distributionOver(labels, belief).reduce(
    (total, probability, place) => total + (probability - (place === right ? 1 : 0)) ** 2,
    0,
  );
  return scale === 'half' ? sum / 2 : sum;
}

/**
 * Brier score: mean of `brierLoss` over the cases; lower is better; null without cases.
 *
 * Source: G. W. Brier, Verification of Forecasts Expressed in Terms of Probability, Monthly Weather Review 78 (1950), 1-3.
 * scikit-learn's `brier_score_loss` with `scale_by_half` true or false; its default is half for two labels and the
 * sum for more, so that the two are not comparable: here the caller says which. Probabilities are taken as they stand.
 * Example: {A: 0.7, B: 0.3} with truth A: 0.3² + 0.3² = 0.18 as sum, 0.09 as half.
 */
export function brierScore(
  cases: readonly BelievedCase[],
  labels: readonly string[],
  scale: BrierScale,
  weights?: Weights,
): number | null {
  return weightedMean(
    cases.map((each) => brierLoss(each, labels, scale)),
    weights,
  );
}
