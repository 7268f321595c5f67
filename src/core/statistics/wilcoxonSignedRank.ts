// Wilcoxon's signed-rank test of paired differences.
import { normalCdf } from './normalCdf.ts';
import { isSame } from './sameNumber.ts';
import { tieGroups } from './tieGroups.ts';

/** Up to so many ranked differences the exact distribution is taken: counts of sign patterns, at most 2^50, are exact numbers. */
const mostExact = 50;

/**
 * Wilcoxon's signed-rank test that differences lie symmetrically about 0, two-sided.
 *
 * Conventions: zeros are dropped before ranking (Wilcoxon's own way, scipy's `zero_method='wilcox'`); equal absolute
 * values share the mean of their ranks. Both up to rounding, after `isSame`. Up to 50 ranked differences the p-value is exact: twice the share of the 2^n sign patterns with a sum at most the smaller one, at most 1. Ties are in
 * that distribution, so it is a permutation test of the ranks as they are. Beyond 50 it is normal without continuity
 * correction: z = (positive - n(n + 1)/4) / sqrt(n(n + 1)(2n + 1)/24 - sum(t^3 - t)/48) over groups of t ties.
 * scipy's `method='auto'` is the same without ties or zeros; with them it goes over to the normal distribution from 14
 * differences on. `method` asks for one of the two; 'exact' beyond 50 is a RangeError.
 *
 * Source: F. Wilcoxon, Individual Comparisons by Ranking Methods, Biometrics Bulletin 1 (1945), 80-83; M. Hollander,
 * D. A. Wolfe and E. Chicken, Nonparametric Statistical Methods, 2014, section 3.1. Null where all differences are zero
 * or there are none. RangeError on a difference that is not finite. Example: [1, 2, 3] has sums 6 and 0, p = 2/8.
 * @returns `positive`, `negative`: sums of the ranks, of which `statistic` is the smaller; `n`: differences that were ranked
 */
export function wilcoxonSignedRank(differences: readonly number[], method?: 'exact' | 'normal') {
  const flaw = differences.findIndex((difference) => !Number.isFinite(difference));
  if (flaw !== -1) throw new RangeError(`difference ${flaw} is ${differences[flaw]}: not a finite number`);
  const ranked = differences.filter((difference) => !isSame(difference, 0));
  const n = ranked.length;
  if (n === 0) return null;
  const taken = method ?? (n <= mostExact ? 'exact' : 'normal');
  if (taken === 'exact' && n > mostExact) throw new RangeError(`the exact test takes up to ${mostExact} differences, not ${n}`);
  const { doubledRanks, tieSizes } = rank(ranked);
  const doubledPositive = ranked.reduce((sum, difference, index) => sum + (difference > 0 ? (doubledRanks[index] ?? 0) : 0), 0);
  const positive = doubledPositive / 2;
  const negative = (n * (n + 1)) / 2 - positive;
  const statistic = Math.min(positive, negative);
  const p = taken === 'exact' ? exactP(doubledRanks, 2 * statistic) : normalP(statistic, n, tieSizes);
  return { positive, negative, statistic, n, zeros: differences.length - n, p, method: taken };
}

/** Twice the rank of each absolute value, so that shared ranks are whole numbers too, and the sizes of groups of ties. */
function rank(differences: readonly number[]): { doubledRanks: Uint32Array; tieSizes: readonly number[] } {
  const { order, ends } = tieGroups(differences.map(Math.abs));
  const doubledRanks = new Uint32Array(order.length);
  const tieSizes: number[] = [];
  let start = 0;
  for (const end of ends) {
    for (const index of order.subarray(start, end)) doubledRanks[index] = start + 1 + end;
    tieSizes.push(end - start);
    start = end;
  }
  return { doubledRanks, tieSizes };
}

/** Twice the share of sign patterns whose sum of doubled ranks is at most `doubledStatistic`, at most 1. */
function exactP(doubledRanks: Uint32Array, doubledStatistic: number): number {
  // patterns[s]: how many subsets of the ranks seen so far sum to s.
  const patterns = new Float64Array(doubledStatistic + 1);
  patterns[0] = 1;
  for (const doubledRank of doubledRanks) {
    for (let sum = doubledStatistic; sum >= doubledRank; sum--) {
      patterns[sum] = (patterns[sum] ?? 0) + (patterns[sum - doubledRank] ?? 0);
    }
  }
  const atMost = patterns.reduce((total, count) => total + count, 0);
  return Math.min(1, (2 * atMost) / 2 ** doubledRanks.length);
}

function normalP(statistic: number, n: number, tieSizes: readonly number[]): number {
  const tied = tieSizes.reduce((sum, size) => sum + (size ** 3 - size), 0);
  const deviation = Math.sqrt((n * (n + 1) * (2 * n + 1)) / 24 - tied / 48);
  return 2 * normalCdf((statistic - (n * (n + 1)) / 4) / deviation);
}
