import { paired } from './probabilities.ts';
import { smoothed } from './smoothing.ts';

/**
 * Kullback-Leibler divergence, in nats: D(P || Q) = sum p ln(p / q), of both distributions smoothed by 1e-9 a class,
 * since one of them may rule out what the other does not.
 *
 * Source: S. Kullback, R. A. Leibler, On Information and Sufficiency (1951); appendix 7.A of "SocraSynth and EVINCE",
 * which asks for smoothing and names no number: 1e-9 is this program's own.
 * Range: 0 (equal) to about 20.7 = -ln 1e-9. Not symmetric. Throws RangeError on different numbers of classes.
 */
export function klDivergence(first: readonly number[], second: readonly number[]): number {
  const pairs = paired(smoothed(first), smoothed(second));
  return Math.max(
    0,
    pairs.reduce((sum, [p, q]) => sum + p * Math.log(p / q), 0),
  );
}
