import { entropy } from './entropy.ts';
import { mutualInformation } from './mutualInformation.ts';

/**
 * Mutual information as a share of the larger entropy: MI / max(H(P), H(Q)), under the maximal coupling. Where both are
 * certain that is 0 / 0: 1 if they are certain of the same class, else 0.
 *
 * Source: appendix 7.A of "SocraSynth and EVINCE", which leaves 0 / 0 open.
 * Range: 0 to 1; 1 where both are equal. Symmetric. Throws RangeError on different numbers of classes.
 */
export function normalisedMutualInformation(first: readonly number[], second: readonly number[]): number {
  const information = mutualInformation(first, second);
  const most = Math.max(entropy(first), entropy(second));
  if (most > 0) return Math.min(1, information / most);
  return first.every((p, index) => p === second[index]) ? 1 : 0;
}
