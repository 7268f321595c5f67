/**
 * How much better probabilities are than giving every case the base rate: 1 - B / B_0, where B is the mean Brier loss and B_0 that
 * of stating for each label the share of these cases that it is the truth of, 1/2 sum of o (1 - o). 1 is best, 0 no better, below 0
 * worse. The base rate is that of the same cases, computed again in each resample.
 *
 * Source: G. W. Brier and R. A. Allen, Verification of Weather Forecasts, Compendium of Meteorology, 1951, 841-848. Null where all
 * cases have the same truth. Example: P(YES) 0.8, 0.4 with the truths YES, NO: 1 - 0.1 / 0.25 = 0.6.
 * @param sums the sum of the Brier losses, then for each label of how many cases it is the truth
 */
export function brierSkill(sums: ArrayLike<number>): number | null {
  let [n, squares] = [0, 0];
  for (let label = 1; label < sums.length; label++) {
    const count = sums[label] as number;
    n += count;
    squares += count * count;
  }
  const base = (n - squares / n) / 2;
  return n === 0 || base <= 1e-9 * n ? null : 1 - (sums[0] as number) / base;
}
