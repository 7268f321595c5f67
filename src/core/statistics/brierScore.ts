import { type BelievedCase, distributionOver, placeOfTruth } from './distribution.ts';

/**
 * Brier loss of one belief, 0-1: half of the sum over the labels of (P(label) - [label is true])². 0 is a certain right belief.
 * With two labels it is (P(positive) - y)², the usual binary score; the Brier score is its mean over cases, lower is better.
 *
 * Source: G. W. Brier, Verification of Forecasts Expressed in Terms of Probability, Monthly Weather Review 78 (1950), 1-3, who adds
 * up and does not halve; scikit-learn's `brier_score_loss` with `scale_by_half`. Probabilities are not rescaled.
 * Throws RangeError on a belief that is no distribution over `labels` and on a truth that is not one of them.
 * Example: {A: 0.7, B: 0.3} with truth A: (0.3² + 0.3²) / 2 = 0.09.
 */
export function brierLoss({ belief, truth }: BelievedCase, labels: readonly string[]): number {
  const right = placeOfTruth(labels, truth);
  const sum = distributionOver(labels, belief).reduce(
    (total, probability, place) => total + (probability - (place === right ? 1 : 0)) ** 2,
    0,
  );
  return sum / 2;
}
