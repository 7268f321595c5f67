// Whether groups of cases differ in any of some rates: a permutation test.
import { randomGenerator } from '../cases/shuffle.ts';

/** What the cases that count for a rate have: the place of their group, and of their trials what fits and what counts. */
export interface GroupedCases {
  readonly group: Uint32Array;
  readonly sum: Float64Array;
  readonly count: Float64Array;
}

/** Differences that are equal but for rounding count as equal. */
const rounding = 1e-9;

/** The sum over cases of (rate of the case - rate of all)² weighted by their counts, by the counts. */
function variance({ sum, count }: GroupedCases): number {
  const [all, of] = [sum.reduce((total, each) => total + each, 0), count.reduce((total, each) => total + each, 0)];
  const squares = sum.reduce(
    (total, each, place) => total + (each / (count[place] ?? 1) - all / of) ** 2 * (count[place] ?? 0),
    0,
  );
  return squares / of;
}

/** The largest difference of two groups in standard errors of equal groups. */
function largest({ sum, count }: GroupedCases, group: Uint32Array, groups: number, spread: number): number {
  const sums = new Float64Array(2 * groups);
  for (let place = 0; place < group.length; place++) {
    const at = 2 * (group[place] ?? 0);
    sums[at] = (sums[at] ?? 0) + (sum[place] ?? 0);
    sums[at + 1] = (sums[at + 1] ?? 0) + (count[place] ?? 0);
  }
  let found = 0;
  for (let one = 0; one < groups; one++) {
    for (let other = one + 1; other < groups; other++) {
      const [first = 0, ofFirst = 0, second = 0, ofSecond = 0] = [
        sums[2 * one],
        sums[2 * one + 1],
        sums[2 * other],
        sums[2 * other + 1],
      ];
      const squared = (first / ofFirst - second / ofSecond) ** 2 / (spread * (1 / ofFirst + 1 / ofSecond));
      if (squared > found) found = squared;
    }
  }
  return found;
}

/**
 * The p-value of "each rate is the same in all groups": how often the largest difference of two groups in any of the rates, in
 * standard errors, is at least as large as it is when the groups are dealt to the cases again: p = (1 + as large) / (1 + dealt).
 * Exact for all sizes of the groups, since under the hypothesis each deal is as likely as the one that was found. A case goes
 * with all its trials. The cases of each rate are dealt by themselves: those of two rates must be of different cases.
 *
 * Source: B. Phipson and G. K. Smyth, Permutation P-values Should Never Be Zero, Statistical Applications in Genetics and Molecular
 * Biology 9 (2010), article 39. Null where no rate varies between its cases.
 */
export function groupPermutation(
  rates: readonly GroupedCases[],
  groups: number,
  { resamples, seed }: { readonly resamples: number; readonly seed: number },
): number | null {
  const varied = rates
    .map((rate) => ({ rate, spread: variance(rate), dealt: Uint32Array.from(rate.group) }))
    .filter(({ spread }) => spread > rounding);
  if (varied.length === 0 || groups < 2 || resamples === 0) return null;
  const over = () => Math.max(...varied.map(({ rate, spread, dealt }) => largest(rate, dealt, groups, spread)));
  const observed = over();
  const generator = randomGenerator(seed, 'groups');
  let asLarge = 0;
  for (let deal = 0; deal < resamples; deal++) {
    for (const { dealt } of varied) {
      for (let last = dealt.length - 1; last > 0; last--) {
        const place = Math.floor(((generator.next() >>> 0) / 2 ** 32) * (last + 1));
        const held = dealt[last] ?? 0;
        dealt[last] = dealt[place] ?? 0;
        dealt[place] = held;
      }
    }
    if (over() >= observed * (1 - rounding)) asLarge += 1;
  }
  return (1 + asLarge) / (1 + resamples);
}
