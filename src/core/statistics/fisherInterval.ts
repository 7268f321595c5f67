import { normalQuantile } from './normalQuantile.ts';
import type { Interval } from './wilson.ts';

/** Pairs below which the transformed correlation has no variance. */
const fewestPairs = 4;

/**
 * Interval of a Pearson correlation by Fisher's transformation: tanh(artanh r ± z / sqrt(n - 3)), with z the normal
 * quantile of (1 + level)/2. It takes the pairs as independent draws of a bivariate normal population.
 *
 * Source: R. A. Fisher, On the "Probable Error" of a Coefficient of Correlation Deduced from a Small Sample, Metron 1 (1921),
 * 3-32; the values of scipy's `pearsonr(x, y).confidence_interval(level)`. Null below 4 pairs, and for a correlation of -1 or
 * 1, whose interval would be a point and claim certainty. `correlation` -1 to 1, `pairs` a whole number from 0, `level` 0-1
 * exclusive, else RangeError. Example: 0.6 over 28 pairs: artanh 0.6931 ± 1.96 / 5 gives 0.2913 to 0.7960.
 */
export function fisherInterval(correlation: number, pairs: number, level = 0.95): Interval | null {
  if (!(correlation >= -1 && correlation <= 1)) throw new RangeError(`${correlation} is no correlation from -1 to 1`);
  if (!(Number.isSafeInteger(pairs) && pairs >= 0)) throw new RangeError(`${pairs} is no number of pairs`);
  if (!(level > 0 && level < 1)) throw new RangeError(`level ${level} is not between 0 and 1`);
  if (pairs < fewestPairs || Math.abs(correlation) === 1) return null;
  const middle = Math.atanh(correlation);
  const half = -normalQuantile((1 - level) / 2) / Math.sqrt(pairs - 3);
  return { low: Math.tanh(middle - half), high: Math.tanh(middle + half), level };
}
