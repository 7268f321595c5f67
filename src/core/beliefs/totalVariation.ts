import { paired } from './probabilities.ts';

/**
 * Wasserstein distance where any two different classes are 1 apart, which is the total variation: sum |p - q| / 2, the
 * mass that has to be moved to make one distribution of the other.
 *
 * Source: appendix 7.A of "SocraSynth and EVINCE", which leaves the ground distance open; the classes of a nominal
 * label have no order. Its tables print values up to 1.7, for which it gives no ground distance.
 * Range: 0 (equal) to 1 (nothing in common). Symmetric. Throws RangeError on different numbers of classes.
 */
export function totalVariation(first: readonly number[], second: readonly number[]): number {
  return Math.min(
    1,
    paired(first, second).reduce((sum, [p, q]) => sum + Math.abs(p - q) / 2, 0),
  );
}
