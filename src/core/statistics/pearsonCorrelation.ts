import { alikePairs } from './alikePairs.ts';
import { isSame, noise } from './sameNumber.ts';
import { equalWeights, type Weights } from './weights.ts';

/** Above this a sum over many values could leave the range of numbers. */
const largest = 1e150;

/**
 * Pearson's correlation of two columns of numbers, -1 to 1:
 * sum (x - mean x)(y - mean y) / sqrt(sum (x - mean x)² sum (y - mean y)²). Null where one of the columns has no two
 * values that differ by more than rounding (`isSame`), and so for fewer than two items. With y of 0 and 1 (confidence and whether it was right) it is
 * the point-biserial correlation.
 *
 * Source: K. Pearson, Notes on Regression and Inheritance in the Case of Two Parents, Proceedings of the Royal
 * Society of London 58 (1895), 240-242; two passes with the mean's rounding taken off (T. F. Chan, G. H. Golub and R. J.
 * LeVeque, Algorithms for Computing the Sample Variance, The American Statistician 37 (1983), 242-247).
 * `x`, `y`: of one length, numbers of at most 1e150 in size; `weights`: see `Weights`; else RangeError.
 * Example: x [1, 2, 3], y [0, 0, 1]: 1 / sqrt(2 * 2/3) = 0.8660.
 */
export function pearsonCorrelation(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  weights: Weights = equalWeights(x.length),
): number | null {
  return preparePearsonCorrelation(x, y)(weights);
}

/** `pearsonCorrelation` of the same columns under many weights: looks at the numbers once. */
export function preparePearsonCorrelation(x: ArrayLike<number>, y: ArrayLike<number>): (weights: Weights) => number | null {
  if (x.length !== y.length) throw new RangeError(`there are ${x.length} values in one column and ${y.length} in the other`);
  const pairs = alikePairs(x, y);
  const first = column(pairs.x);
  const second = column(pairs.y);
  // What does not vary among all does not in a part of them.
  const varies = [first, second].every((values) => spread(values, equalWeights(values.length)) !== null);
  const [a, b] = [partsOf(first), partsOf(second)];
  return (ofItems) => {
    const weights = pairs.under(ofItems);
    if (!varies) return null;
    const quick = a === null || b === null ? null : quickCorrelation(a, b, weights);
    if (quick !== null) return quick;
    const of = spread(first, weights);
    const against = spread(second, weights);
    if (of === null || against === null) return null;
    let n = 0;
    let dx = 0;
    let dy = 0;
    let xx = 0;
    let yy = 0;
    let xy = 0;
    for (let index = 0; index < first.length; index++) {
      const weight = weights[index] ?? 0;
      // In parts of the range, so that the squares of tiny differences do not vanish.
      const a = ((first[index] ?? 0) - of.mean) / of.range;
      const b = ((second[index] ?? 0) - against.mean) / against.range;
      n += weight;
      dx += weight * a;
      dy += weight * b;
      xx += weight * a * a;
      yy += weight * b * b;
      xy += weight * a * b;
    }
    return bounded((xy - (dx * dy) / n) / Math.sqrt(xx - (dx * dx) / n) / Math.sqrt(yy - (dy * dy) / n));
  };
}

/** Only rounding goes beyond the bounds. */
const bounded = (correlation: number) => Math.max(-1, Math.min(1, correlation));

/** Share of the range that values must spread by, as their variance, so that one pass is as exact as two. */
const leastVariance = 1e-3;

/** Distances from the mean of all values in parts of their range; null where a spread of that share could be rounding. */
function partsOf(values: Float64Array): Float64Array | null {
  const all = spread(values, equalWeights(values.length));
  if (all === null) return null;
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 1);
  if (all.range * Math.sqrt(leastVariance) <= 2 * noise * largest) return null;
  return values.map((value) => (value - all.mean) / all.range);
}

/** In one pass; null where a column varies too little for that, or not at all. */
function quickCorrelation(a: Float64Array, b: Float64Array, weights: Weights): number | null {
  let n = 0;
  let sa = 0;
  let sb = 0;
  let aa = 0;
  let bb = 0;
  let ab = 0;
  for (let index = 0; index < a.length; index++) {
    const weight = weights[index] as number;
    const one = a[index] as number;
    const other = b[index] as number;
    n += weight;
    sa += weight * one;
    sb += weight * other;
    aa += weight * one * one;
    bb += weight * other * other;
    ab += weight * one * other;
  }
  const of = aa - (sa * sa) / n;
  const against = bb - (sb * sb) / n;
  if (!(of > leastVariance * n && against > leastVariance * n)) return null;
  return bounded((ab - (sa * sb) / n) / Math.sqrt(of) / Math.sqrt(against));
}

function column(values: ArrayLike<number>): Float64Array {
  const numbers = Float64Array.from(values);
  numbers.forEach((value, index) => {
    if (!(Math.abs(value) <= largest)) throw new RangeError(`value ${index} is ${value}: no number from -1e150 to 1e150`);
  });
  return numbers;
}

/** Mean and range of the values that count; null where all are the same, or there are none. */
function spread(values: Float64Array, weights: Weights): { readonly mean: number; readonly range: number } | null {
  let n = 0;
  let sum = 0;
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < values.length; index++) {
    const weight = weights[index] ?? 0;
    if (weight === 0) continue;
    const value = values[index] ?? 0;
    n += weight;
    sum += weight * value;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low < high && !isSame(low, high) ? { mean: sum / n, range: high - low } : null;
}
