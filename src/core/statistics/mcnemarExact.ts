import { binomialCdf } from './binomialCdf.ts';

/** McNemar's exact test of two arms over the same cases. */
export interface McnemarTest {
  /** Cases that only the first arm got right, and only the second. */
  readonly onlyFirst: number;
  readonly onlySecond: number;
  /** Two-sided p-values, 0-1. */
  readonly p: number;
  readonly midP: number;
}

/**
 * McNemar's exact test: under the hypothesis that both arms are right equally often, the cases that only the first got
 * right are binomial over all n = b + c discordant ones with probability 1/2. With m = min(b, c):
 *   p    = min(1, 2 P(X <= m)): never rejects more often than its level says;
 *   midP = P(more extreme) + P(equally extreme) / 2 = p - P(X = m), and for b = c 1 - P(X = m) / 2: nearer to its level,
 *          at times slightly above.
 * Without discordant cases both are 1.
 *
 * Source: Q. McNemar, Note on the Sampling Error of the Difference between Correlated Proportions or Percentages,
 * Psychometrika 12 (1947), 153-157; M. W. Fagerland, S. Lydersen and P. Laake, The McNemar Test for Binary Matched-Pairs
 * Data, BMC Medical Research Methodology 13 (2013), 91. `onlyFirst`, `onlySecond`: whole numbers from 0, one trial a
 * case in each arm; else RangeError. Example: 1 and 5 give 2 (1 + 6) / 64 = 0.21875, and mid-p 0.125.
 */
export function mcnemarExact(onlyFirst: number, onlySecond: number): McnemarTest {
  for (const count of [onlyFirst, onlySecond]) {
    if (!(Number.isSafeInteger(count) && count >= 0))
      throw new RangeError(`${count} discordant cases: not a whole number from 0`);
  }
  const discordant = onlyFirst + onlySecond;
  const fewer = Math.min(onlyFirst, onlySecond);
  if (discordant === 0) return { onlyFirst, onlySecond, p: 1, midP: 1 };
  const upTo = binomialCdf(fewer, discordant, 0.5);
  const below = binomialCdf(fewer - 1, discordant, 0.5);
  const equal = onlyFirst === onlySecond;
  return { onlyFirst, onlySecond, p: equal ? 1 : Math.min(1, 2 * upTo), midP: equal ? (1 + below * 2) / 2 : upTo + below };
}
