// How good a belief is by the truth: of one case, and of many against their base rate.
import type { Belief } from '../../shared/domain.ts';
import { type BelievedCase, distributionOver, placeOfTruth } from './distribution.ts';
import { isSame } from './sameNumber.ts';

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

/**
 * How much better probabilities are than giving every case the base rate: 1 - B / B_0, where B is the mean Brier loss and B_0 that
 * of stating for each label the share of these cases that it is the truth of, 1/2 sum of o (1 - o). 1 is best, 0 no better, below 0
 * worse. The base rate is that of the same cases, computed again in each resample.
 *
 * Source: G. W. Brier and R. A. Allen, Verification of Weather Forecasts, Compendium of Meteorology, 1951, 841-848. Null where all
 * cases have the same truth. Example: P(YES) 0.8, 0.4 with the truths YES, NO: 1 - 0.1 / 0.25 = 0.6.
 * @param sums the sum of the Brier losses, then for each label of how many cases it is the truth
 */
export function brierSkill(sums: ArrayLike<number>): number | null {
  let [n, squares] = [0, 0];
  for (let label = 1; label < sums.length; label++) {
    const count = sums[label] as number;
    n += count;
    squares += count * count;
  }
  const base = (n - squares / n) / 2;
  return n === 0 || base <= 1e-9 * n ? null : 1 - (sums[0] as number) / base;
}

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

/**
 * Rank of the true label by its probability, from 1 (alone the most likely) to the number of labels.
 *
 * Equal probabilities are read pessimistically: the true label gets the last of the places that it shares, so
 * that a belief which spreads itself evenly earns nothing. This is the number of labels that are at least as likely,
 * `rankdata(-belief, method='max')` in scipy. Labels that the belief does not name have probability 0 and
 * share the last places. Equal is what `isSame` says of a label and the true one.
 * Throws RangeError on a belief that is no distribution over `labels` and on a truth that is not one of them.
 * Example: {A: 0.4, B: 0.4, C: 0.2} with truth A has rank 2.
 */
export function rankOfTruth({ belief, truth }: BelievedCase, labels: readonly string[]): number {
  const probabilities = distributionOver(labels, belief);
  const own = probabilities[placeOfTruth(labels, truth)] ?? 0;
  return probabilities.filter((probability) => probability >= own || isSame(probability, own)).length;
}

/** A case of several labels with a probability for each label by itself and the labels that are true. */
export interface BelievedSet {
  readonly belief: Belief;
  readonly truth: readonly string[];
}

/**
 * Squared distance of the labels' probabilities from the truth, each label a separate question:
 *
 *   (1 / labels) * sum over the labels of (P(label applies) - [label is true])²
 *
 * 0-1; 0 is a certain right belief. Source: the binary Brier score (scikit-learn's `brier_score_loss` with two labels, or
 * the mean squared error of indicator rows), averaged over the labels as macro averages are. Probabilities are not
 * rescaled. Example: {A: 0.9, B: 0.2, C: 0} with A and C true: (0.01 + 0.04 + 1) / 3 = 0.35.
 *
 * Throws RangeError without labels, on labels that are not distinct, on a belief that lacks a label, names a foreign one or
 * has a number outside 0-1, and on a true label that is not listed.
 */
export function labelSetBrierLoss({ belief, truth }: BelievedSet, labels: readonly string[]): number {
  if (labels.length === 0 || new Set(labels).size !== labels.length) throw new RangeError('the labels are none, or not distinct');
  const foreign = [...Object.keys(belief), ...truth].find((label) => !labels.includes(label));
  if (foreign !== undefined) throw new RangeError(`"${foreign}" is not a listed label`);
  const losses = labels.map((label) => {
    const probability = Object.hasOwn(belief, label) ? belief[label] : undefined;
    if (probability === undefined || !(probability >= 0 && probability <= 1)) {
      throw new RangeError(`${probability ?? 'nothing'} for "${label}" is no probability from 0 to 1`);
    }
    return (probability - (truth.includes(label) ? 1 : 0)) ** 2;
  });
  return losses.reduce((sum, loss) => sum + loss, 0) / labels.length;
}
