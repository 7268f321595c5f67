import { paired } from './probabilities.ts';

/**
 * Jensen-Shannon divergence, in nats: (D(P || M) + D(Q || M)) / 2 with M = (P + Q) / 2; no smoothing is needed, since M
 * rules out only what both do.
 *
 * Source: J. Lin, Divergence Measures Based on the Shannon Entropy (1991); appendix 7.A of "SocraSynth and EVINCE". Its
 * table 7.4 calls the range 0 to 1, which holds with logarithms to the base 2; its table 7.2 prints 1.366, which no
 * base allows.
 * Range: 0 (equal) to ln 2 (nothing in common). Symmetric. Throws RangeError on different numbers of classes.
 */
export function jensenShannonDivergence(first: readonly number[], second: readonly number[]): number {
  const part = (p: number, middle: number) => (p > 0 ? (p * Math.log(p / middle)) / 2 : 0);
  const divergence = paired(first, second).reduce((sum, [p, q]) => {
    const middle = (p + q) / 2;
    return sum + part(p, middle) + part(q, middle);
  }, 0);
  return Math.min(Math.LN2, Math.max(0, divergence));
}
