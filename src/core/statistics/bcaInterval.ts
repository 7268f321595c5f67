import { normalCdf } from './normalCdf.ts';
import { normalQuantile } from './normalQuantile.ts';
import { quantile } from './quantile.ts';

/** Why there is no BCa interval: see `bcaInterval`. */
export type NoBca =
  /** Resamples are all alike, or leaving a case out never changes the statistic. */
  | 'no-variance'
  /** All resamples are on one side of the observed value. */
  | 'one-sided'
  /** The statistic is undefined once a certain case is left out. */
  | 'undefined-without-a-case'
  /** The acceleration is so large that the interval's ends would turn around. */
  | 'unstable';

/** Replicates nearer to the value than this share of their range are equal to it: they differ by rounding alone. */
const tie = 1e-10;

/** Numbers that spread by less than this share of their size differ by rounding alone. */
const rounding = 1e-12;

/**
 * The bias-corrected and accelerated bootstrap interval (BCa): the percentiles a1, a2 of the replicates, with
 *   a1 = F(z0 + (z0 + z) / (1 - a (z0 + z))), z the normal quantile of (1 - level) / 2, a2 the same with -z;
 *   z0 = normal quantile of (replicates below the value + half of those equal to it) / replicates;
 *   a  = sum d^3 / (6 (sum d^2)^1.5), d the mean of the jackknife values minus each of them.
 *
 * Source: B. Efron, Better Bootstrap Confidence Intervals, JASA 82 (1987), 171-185; T. J. DiCiccio and B. Efron,
 * Bootstrap Confidence Intervals, Statistical Science 11 (1996), 189-228. Ties and quantiles as in scipy.stats.bootstrap,
 * except that replicates equal up to rounding count as ties here.
 *
 * @param value the statistic over all cases
 * @param sorted its replicates over resamples, ascending, at least one
 * @param jackknife its values without each case in turn, NaN where it is undefined
 * @returns gives the interval at a confidence level, 0-1 exclusive
 */
export function bcaInterval(
  value: number,
  sorted: Float64Array,
  jackknife: Float64Array,
): ((level: number) => { readonly low: number; readonly high: number } | 'unstable') | Exclude<NoBca, 'unstable'> {
  const lowest = sorted[0] ?? Number.NaN;
  const highest = sorted.at(-1) ?? Number.NaN;
  const range = highest - lowest;
  if (range <= rounding * Math.max(Math.abs(lowest), Math.abs(highest))) return 'no-variance';
  let below = 0;
  let equal = 0;
  for (const replicate of sorted) {
    if (Math.abs(replicate - value) <= tie * range) equal++;
    else if (replicate < value) below++;
  }
  const share = (below + equal / 2) / sorted.length;
  if (share <= 0 || share >= 1) return 'one-sided';
  const a = acceleration(jackknife);
  if (typeof a === 'string') return a;
  const bias = normalQuantile(share);
  return (level) => {
    const z = normalQuantile((1 - level) / 2);
    const ends = [bias + z, bias - z];
    if (ends.some((end) => 1 - a * end <= 0)) return 'unstable';
    const [low = Number.NaN, high = Number.NaN] = ends.map((end) => quantile(sorted, normalCdf(bias + end / (1 - a * end))));
    return { low, high };
  };
}

function acceleration(values: Float64Array): number | Exclude<NoBca, 'unstable'> {
  let sum = 0;
  let largest = 0;
  for (const value of values) {
    sum += value;
    largest = Math.max(largest, Math.abs(value));
  }
  const mean = sum / values.length;
  if (Number.isNaN(sum)) return 'undefined-without-a-case';
  let squares = 0;
  let cubes = 0;
  for (const value of values) {
    const difference = mean - value;
    squares += difference ** 2;
    cubes += difference ** 3;
  }
  if (Math.sqrt(squares / values.length) <= rounding * largest) return 'no-variance';
  return cubes / (6 * squares ** 1.5);
}
