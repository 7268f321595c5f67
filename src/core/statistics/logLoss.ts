import { type BelievedCase, distributionOver, placeOfTruth } from './distribution.ts';

/** The least probability that counts: what was held impossible and is true would else cost infinitely much. */
const least = Number.EPSILON;

/**
 * Log loss of one belief, from 0: -ln P(true label), the probability at least 2.2e-16. 0 is a certain right belief; its mean over
 * cases is lower for better beliefs, and one certain error outweighs many small ones.
 *
 * Source: I. J. Good, Rational Decisions, Journal of the Royal Statistical Society B 14 (1952), 107-114; scikit-learn's
 * `log_loss`, with the same least probability. Throws RangeError as `brierLoss` does. Example: {A: 0.7, B: 0.3} with truth A: 0.3567.
 */
export function logLoss({ belief, truth }: BelievedCase, labels: readonly string[]): number {
  return -Math.log(Math.max(least, distributionOver(labels, belief)[placeOfTruth(labels, truth)] ?? 0)) + 0;
}
