/**
 * Shannon entropy of a distribution, in nats: H(P) = -sum p ln p, with 0 ln 0 = 0.
 *
 * Source: C. E. Shannon, A Mathematical Theory of Communication (1948); table 7.4 of "SocraSynth and EVINCE".
 * Range: 0 (one class is certain) to ln n (all n classes are equally likely).
 *
 * @param probabilities each 0-1, sum 1. Example: a half and two quarters have 1.5 ln 2.
 */
export function entropy(probabilities: readonly number[]): number {
  // Shares of one class can add up to a little more than 1.
  return Math.max(
    0,
    probabilities.reduce((sum, p) => (p > 0 ? sum - p * Math.log(p) : sum), 0),
  );
}
