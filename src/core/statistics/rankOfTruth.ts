import { type BelievedCase, distributionOver, placeOfTruth } from './distribution.ts';
import { isSame } from './sameNumber.ts';

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
