import { alikePairs } from './alikePairs.ts';
import { type TieGroups, tieGroups } from './tieGroups.ts';
import type { Weights } from './weights.ts';

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
  const { under, ...different } = alikePairs(x, y);
  const { order, ends } = tieGroups(different.x);
  const ofY = tieGroups(different.y);
  const groupOfY = groupOf(ofY);
  // In the order of x, so that one pass goes through the groups of x as they come.
  const along = Uint32Array.from(order, (index) => groupOfY[index] ?? 0);
  const isLast = new Uint8Array(order.length);
  for (const end of ends) isLast[end - 1] = 1;
  const drawn = new Float64Array(order.length);
  const ranksOfY = new Float64Array(ofY.ends.length);
  return (ofItems) => {
    const weights = under(ofItems);
    ranksOfY.fill(0);
    let n = 0;
    for (let place = 0; place < order.length; place++) {
      const weight = weights[order[place] as number] as number;
      drawn[place] = weight;
      n += weight;
      ranksOfY[along[place] as number] = (ranksOfY[along[place] as number] as number) + weight;
    }
    const yy = toRanks(ranksOfY, n);
    let [below, size, ranks, xx, xy] = [0, 0, 0, 0, 0];
    for (let place = 0; place < order.length; place++) {
      const weight = drawn[place] as number;
      size += weight;
      ranks += weight * (ranksOfY[along[place] as number] as number);
      if (isLast[place] === 0) continue;
      const rank = centred(below, size, n);
      xx += size * rank * rank;
      xy += rank * ranks;
      below += size;
      size = 0;
      ranks = 0;
    }
    // Only rounding goes beyond the bounds.
    return xx === 0 || yy === 0 ? null : Math.max(-1, Math.min(1, xy / Math.sqrt(xx) / Math.sqrt(yy)));
  };
}

function groupOf({ order, ends }: TieGroups): Uint32Array {
  const groups = new Uint32Array(order.length);
  let place = 0;
  ends.forEach((end, group) => {
    for (; place < end; place++) groups[order[place] ?? 0] = group;
  });
  return groups;
}

/**
 * Twice the distance of the rank of equal values from the mean rank of n values: their rank is below + (size + 1) / 2, the mean
 * (n + 1) / 2. A whole number, so that equal ranks leave exactly 0.
 */
const centred = (below: number, size: number, n: number): number => 2 * below + size - n;

/** From the sizes of groups of equal values, lowest first, their ranks (`centred`) in the same array. Returns the sum of squares over all values. */
function toRanks(sizes: Float64Array, n: number): number {
  let below = 0;
  let squares = 0;
  for (let group = 0; group < sizes.length; group++) {
    const size = sizes[group] as number;
    const rank = centred(below, size, n);
    sizes[group] = rank;
    squares += size * rank * rank;
    below += size;
  }
  return squares;
}
