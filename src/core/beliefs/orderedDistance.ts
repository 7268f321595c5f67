import { paired } from './probabilities.ts';

/**
 * Wasserstein distance of classes on a line in the order given, the first and the last 1 apart and neighbours
 * 1 / (n - 1): the sum of the differences of the distribution functions, |F_P - F_Q| / (n - 1). 0 with one class.
 *
 * Source: S. S. Vallender, Calculation of the Wasserstein Distance between Probability Distributions on the Line
 * (1974); appendix 7.A.2 of "SocraSynth and EVINCE" names this form.
 * Range: 0 (equal) to 1 (all mass at opposite ends). Symmetric. Throws RangeError on different numbers of classes.
 */
export function orderedDistance(first: readonly number[], second: readonly number[]): number {
  let ahead = 0;
  let moved = 0;
  for (const [p, q] of paired(first, second).slice(0, -1)) {
    ahead += p - q;
    moved += Math.abs(ahead);
  }
  return first.length < 2 ? 0 : Math.min(1, moved / (first.length - 1));
}
