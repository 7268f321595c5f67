import { type TieGroups, tieGroups } from './tieGroups.ts';
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
  const ofX = tieGroups(x);
  const ofY = tieGroups(y);
  const { order } = ofX;
  const groupOfX = groupOf(ofX);
  const groupOfY = groupOf(ofY);
  // In the order of x, so that one pass goes through the groups of x as they come.
  const along = Uint32Array.from(order, (index) => groupOfY[index] ?? 0);
  const group = Uint32Array.from(order, (index) => groupOfX[index] ?? 0);
  const ranksOfX = new Float64Array(ofX.ends.length);
  const ranksOfY = new Float64Array(ofY.ends.length);
  return (weights) => {
    requireWeights(weights, order.length);
    ranksOfX.fill(0);
    ranksOfY.fill(0);
    for (let place = 0; place < order.length; place++) {
      const weight = weights[order[place] as number] as number;
      ranksOfX[group[place] as number] = (ranksOfX[group[place] as number] as number) + weight;
      ranksOfY[along[place] as number] = (ranksOfY[along[place] as number] as number) + weight;
    }
    const xx = toRanks(ranksOfX);
    const yy = toRanks(ranksOfY);
    let xy = 0;
    for (let place = 0; place < order.length; place++) {
      const weight = weights[order[place] as number] as number;
      xy += weight * (ranksOfX[group[place] as number] as number) * (ranksOfY[along[place] as number] as number);
    }
    // Only rounding goes beyond the bounds.
    return xx === 0 || yy === 0 ? null : Math.max(-1, Math.min(1, xy / Math.sqrt(xx) / Math.sqrt(yy)));
  };
}

/** The group of equal values that each value is in. */
function groupOf({ order, ends }: TieGroups): Uint32Array {
  const groups = new Uint32Array(order.length);
  let place = 0;
  ends.forEach((end, group) => {
    for (; place < end; place++) groups[order[place] ?? 0] = group;
  });
  return groups;
}

/**
 * From the sizes of groups of equal values, lowest first, twice the distance of each group's rank from the mean rank, in the same
 * array: whole numbers, so that equal ranks leave exactly 0. Returns the sum of their squares over all values.
 */
function toRanks(sizes: Float64Array): number {
  let n = 0;
  for (let group = 0; group < sizes.length; group++) n += sizes[group] as number;
  let below = 0;
  let squares = 0;
  for (let group = 0; group < sizes.length; group++) {
    const size = sizes[group] as number;
    // The rank is below + (size + 1) / 2 and the mean of all ranks (n + 1) / 2.
    const rank = 2 * below + size - n;
    sizes[group] = rank;
    squares += size * rank * rank;
    below += size;
  }
  return squares;
}
