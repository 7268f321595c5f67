import { detectableDifference } from './mcnemarPower.ts';
import { normalQuantile } from './normalQuantile.ts';

/** What one of two did on a case: the share of its trials that are right, and how many these are. */
export interface Tried {
  readonly right: number;
  readonly times: number;
}

/**
 * Splits the variance s² of d = (share right of a) - (share right of b) over cases into replicate and case:
 *   replicates = mean over cases of p_a (1 - p_a) / (r_a - 1) + p_b (1 - p_b) / (r_b - 1), which is unbiased for the part
 *   that comes from the r trials of a case, and cases = s² - replicates, at least 0.
 * A side that is fixed, as a baseline, has no replicate part. Null where a side was tried once on some case: then the two
 * cannot be separated. Source: the one-way random-effects analysis of variance, S. R. Searle, G. Casella and C. E.
 * McCulloch, Variance Components, 1992, section 3.6. Example: a right in 1 and 2 of 2, b fixed and wrong on the first and
 * right on the second: d = 1/2, 0, s² = 1/8; replicates = (1/4 + 0) / 2 = 1/8, so that cases = 0.
 */
export function pairedVariance(pairs: readonly { readonly a: Tried; readonly b: Tried }[], fixed: { readonly b: boolean }) {
  if (pairs.length < 2) return null;
  const within = ({ right, times }: Tried) => (right * (1 - right)) / (times - 1);
  if (pairs.some(({ a, b }) => a.times < 2 || (!fixed.b && b.times < 2))) return null;
  const replicates = pairs.reduce((sum, { a, b }) => sum + within(a) + (fixed.b ? 0 : within(b)), 0) / pairs.length;
  // Only more cases make the first smaller; k times as many replicates divide the second by k.
  return { cases: Math.max(0, varianceOf(pairs) - replicates), replicates };
}

function varianceOf(pairs: readonly { readonly a: Tried; readonly b: Tried }[]): number {
  const mean = pairs.reduce((sum, { a, b }) => sum + a.right - b.right, 0) / pairs.length;
  return pairs.reduce((sum, { a, b }) => sum + (a.right - b.right - mean) ** 2, 0) / (pairs.length - 1);
}

/** What was found before, by design: the exact power takes time, and many pairs are alike. */
const known = new Map<string, number | null>();
const mostKnown = 10_000;

/**
 * The smallest difference that the test at level `alpha` finds with probability `power` in an experiment like this one. One trial
 * on each case: by the exact power of McNemar's test at the share of discordant cases that was seen. With replicates:
 * (z(1 - alpha/2) + z(power)) sqrt(s² / n), s² the variance of the differences that was seen (see `pairedVariance`), if at least as
 * many cases differ as an exact test of their directions needs to reject: of fewer, s² says too little. Null where there is none.
 */
export function smallestDetectable(
  pairs: readonly { readonly a: Tried; readonly b: Tried }[],
): (test: { readonly alpha: number; readonly power: number }) => number | null {
  const n = pairs.length;
  if (n === 0) return () => null;
  const differing = pairs.filter(({ a, b }) => a.right !== b.right).length;
  if (pairs.every(({ a, b }) => Number.isInteger(a.right) && Number.isInteger(b.right))) return leastOfSingles(n, differing);
  const error = Math.sqrt(varianceOf(pairs) / n);
  return ({ alpha, power }) => {
    if (differing < Math.log2(2 / alpha)) return null;
    const least = (normalQuantile(power) - normalQuantile(alpha / 2)) * error;
    return least > 0 && least <= 1 ? least : null;
  };
}

const leastOfSingles =
  (n: number, discordant: number): ReturnType<typeof smallestDetectable> =>
  ({ alpha, power }) => {
    const design = [n, discordant, alpha, power].join();
    const found = known.get(design);
    if (found !== undefined) return found;
    const least = detectableDifference(n, power, { discordance: discordant / n, alpha });
    if (known.size === mostKnown) known.clear();
    known.set(design, least);
    return least;
  };
