import { normalQuantile } from './normalQuantile.ts';

/** A confidence interval of a proportion; both ends 0-1. */
export interface Interval {
  readonly low: number;
  readonly high: number;
  /** Confidence level, 0-1 exclusive. */
  readonly level: number;
}

/**
 * Wilson score interval of a proportion, without continuity correction:
 * (p + z²/2n ± z sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n), with p = successes/n, z the normal quantile of
 * (1 + level)/2.
 *
 * Source: E. B. Wilson, Probable Inference, the Law of Succession, and Statistical Inference, JASA 22
 * (1927), 209-212. Null for n = 0. `successes`, `n`: whole numbers, 0 <= successes <= n; `level` 0-1
 * exclusive; else RangeError. Example: 7 of 20 at 0.95 gives 0.1812 to 0.5671.
 */
export function wilson(successes: number, n: number, level = 0.95): Interval | null {
  if (!(Number.isSafeInteger(n) && Number.isSafeInteger(successes) && successes >= 0 && successes <= n)) {
    throw new RangeError(`${successes} of ${n} is no proportion of whole numbers`);
  }
  if (!(level > 0 && level < 1)) throw new RangeError(`level ${level} is not between 0 and 1`);
  // (1 + level)/2 rounds to 1 for the highest levels; its mirror image does not.
  const z = -normalQuantile((1 - level) / 2);
  if (n === 0) return null;
  const p = successes / n;
  const denominator = 1 + (z * z) / n;
  const center = (p + (z * z) / (2 * n)) / denominator;
  const half = (z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n))) / denominator;
  // At the two extremes the formula gives exactly 0 and 1; rounding does not.
  return { low: successes === 0 ? 0 : center - half, high: successes === n ? 1 : center + half, level };
}
