import { tieGroups } from './tieGroups.ts';
import { requireWeights, type Weights } from './weights.ts';

/**
 * Spearman's rank correlation of two columns of numbers, -1 to 1: Pearson's correlation of their ranks, where equal
 * values all get the mean of the ranks that they share. Null where one of the columns has no two different values,
 * and so for fewer than two items.
 *
 * Source: C. Spearman, The Proof and Measurement of Association between Two Things, American Journal of Psychology
 * 15 (1904), 72-101; M. G. Kendall, The Treatment of Ties in Ranking Problems, Biometrika 33 (1945), 239-251.
 * `x`, `y`: of one length, finite; `weights`: see `Weights`; else RangeError.
 * Prepared for many weights of the same columns: sorts once, then takes time in proportion to the items.
 * Example: x [1, 2, 3], y [5, 5, 7] have ranks [1, 2, 3] and [1.5, 1.5, 3]: 1.5 / sqrt(2 * 1.5) = 0.8660.
 */
export function prepareSpearmanCorrelation(x: ArrayLike<number>, y: ArrayLike<number>): (weights: Weights) => number | null {
  if (x.length !== y.length) throw new RangeError(`there are ${x.length} values in one column and ${y.length} in the other`);
  const ranksOfX = prepareRanks(x);
  const ranksOfY = prepareRanks(y);
  return (weights) => {
    requireWeights(weights, x.length);
    const first = ranksOfX(weights);
    const second = ranksOfY(weights);
    let xx = 0;
    let yy = 0;
    let xy = 0;
    for (let index = 0; index < first.length; index++) {
      const weight = weights[index] ?? 0;
      const a = first[index] ?? 0;
      const b = second[index] ?? 0;
      xx += weight * a * a;
      yy += weight * b * b;
      xy += weight * a * b;
    }
    // Only rounding goes beyond the bounds.
    return xx === 0 || yy === 0 ? null : Math.max(-1, Math.min(1, xy / Math.sqrt(xx) / Math.sqrt(yy)));
  };
}

/** Twice the distance of each rank from the mean rank: whole numbers, so that equal ranks leave exactly 0. The same array each time. */
function prepareRanks(values: ArrayLike<number>): (weights: Weights) => Float64Array {
  const { order, ends } = tieGroups(values);
  const ranks = new Float64Array(order.length);
  return (weights) => {
    let n = 0;
    for (const index of order) n += weights[index] ?? 0;
    let below = 0;
    let place = 0;
    for (const end of ends) {
      let size = 0;
      for (let member = place; member < end; member++) size += weights[order[member] ?? 0] ?? 0;
      // The rank is below + (size + 1) / 2 and the mean of all ranks (n + 1) / 2.
      for (; place < end; place++) ranks[order[place] ?? 0] = 2 * below + size - n;
      below += size;
    }
    return ranks;
  };
}
