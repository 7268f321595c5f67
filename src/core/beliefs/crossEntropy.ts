import { paired } from './probabilities.ts';
import { smoothed } from './smoothing.ts';

/**
 * Cross-entropy, in nats: H(P, Q) = -sum p ln q, of both distributions smoothed as `klDivergence` does, so that
 * H(P, Q) = H(P) + D(P || Q) holds for the smoothed ones.
 *
 * Source: appendix 7.A of "SocraSynth and EVINCE".
 * Range: 0 (both certain of the same class, up to the smoothing) to about 20.7 = -ln 1e-9. Not symmetric. Throws
 * RangeError on different numbers of classes.
 */
export function crossEntropy(first: readonly number[], second: readonly number[]): number {
  return paired(smoothed(first), smoothed(second)).reduce((sum, [p, q]) => sum - p * Math.log(q), 0);
}
