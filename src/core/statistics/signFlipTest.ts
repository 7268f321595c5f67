import { mcnemarExact } from './mcnemarExact.ts';
import { normalCdf } from './normalCdf.ts';

/** Steps of the exact distribution beyond which it is approximated: some tenths of a second. */
const mostExact = 2e7;

/**
 * Permutation test of paired differences, two-sided: where the two are exchangeable on each case, each difference is as
 * likely with the other sign. p is twice the share of the 2^n sign patterns whose sum of positive differences is at most
 * the smaller of the sums that were seen, at most 1. Differences of 1, 0 and -1 make it McNemar's exact test; with
 * replicates it uses how large each difference is, and so tests the mean difference itself.
 *
 * Source: R. A. Fisher, The Design of Experiments, 1935, section 21; J. W. Pratt and J. D. Gibbons, Concepts of
 * Nonparametric Theory, 1981, chapter 4. Where the exact distribution would take too long, the sum is normal with
 * variance sum d², as the central limit theorem has it for so many cases.
 *
 * @param differences in whole numbers of a common unit, such as thirds of a trial; else RangeError
 * Example: [2, 1, 1] has sums 4 and 0, and of 8 patterns one has a sum of 0: p = 2/8.
 */
export function signFlipTest(differences: readonly number[]): { readonly p: number; readonly method: 'exact' | 'normal' } {
  const flaw = differences.find((difference) => !Number.isSafeInteger(difference));
  if (flaw !== undefined) throw new RangeError(`difference ${flaw} is no whole number of units`);
  const sizes = differences.filter((difference) => difference !== 0);
  const positive = sizes.reduce((sum, size) => sum + Math.max(0, size), 0);
  const total = sizes.reduce((sum, size) => sum + Math.abs(size), 0);
  const fewer = Math.min(positive, total - positive);
  const [first = 0] = sizes;
  if (sizes.every((size) => Math.abs(size) === Math.abs(first))) {
    const onlyFirst = sizes.filter((size) => size > 0).length;
    return { p: mcnemarExact(onlyFirst, sizes.length - onlyFirst).p, method: 'exact' };
  }
  if (sizes.length * fewer > mostExact) {
    const squares = sizes.reduce((sum, size) => sum + size * size, 0);
    return { p: 2 * normalCdf((2 * fewer - total) / Math.sqrt(squares)), method: 'normal' };
  }
  const share = new Float64Array(fewer + 1);
  share[0] = 1;
  for (const size of sizes.map(Math.abs)) {
    for (let sum = fewer; sum >= 0; sum--) share[sum] = ((share[sum] ?? 0) + (sum < size ? 0 : (share[sum - size] ?? 0))) / 2;
  }
  return { p: Math.min(1, 2 * share.reduce((sum, each) => sum + each, 0)), method: 'exact' };
}
