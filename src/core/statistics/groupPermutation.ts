// Whether groups of cases differ in any of some rates: a permutation test.
import { randomGenerator } from '../cases/shuffle.ts';

/** What the cases that count for a rate have: the place of their group, and of their trials what fits and what counts. */
export interface GroupedCases {
  readonly group: Uint32Array;
  readonly sum: Float64Array;
  readonly count: Float64Array;
}

/** Differences that are equal up to rounding count as equal. */
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

/** The cases of a rate, the most frequent pair of sum and count first: only those from `from` on have to be dealt. */
function openRate(rate: GroupedCases, groups: number) {
  const alike = Map.groupBy(rate.group.keys(), (place) => `${rate.sum[place]} ${rate.count[place]}`);
  const kinds = [...alike.values()].toSorted((one, other) => other.length - one.length);
  const order = Uint32Array.from(kinds.flat());
  const [from, first = 0] = [kinds[0]?.length ?? 0, order[0]];
  const [sum, count] = [rate.sum[first] ?? 0, rate.count[first] ?? 0];
  const sizes = new Float64Array(groups);
  for (const place of rate.group) sizes[place] = (sizes[place] ?? 0) + 1;
  return {
    dealt: order.map((place) => rate.group[place] ?? 0),
    from,
    spread: variance(rate),
    /** Of each group if all its cases were of the most frequent kind, and what the others add to that. */
    base: { sum: sizes.map((size) => size * sum), count: sizes.map((size) => size * count) },
    more: {
      sum: Float64Array.from(order, (place) => (rate.sum[place] ?? 0) - sum),
      count: Float64Array.from(order, (place) => (rate.count[place] ?? 0) - count),
    },
  };
}
type Rate = ReturnType<typeof openRate>;

/** The largest difference of two groups in standard errors of equal groups, squared. */
function largest({ dealt, from, spread, base, more }: Rate): number {
  const [sums, counts] = [base.sum.slice(), base.count.slice()];
  for (let place = from; place < dealt.length; place++) {
    const group = dealt[place] ?? 0;
    sums[group] = (sums[group] ?? 0) + (more.sum[place] ?? 0);
    counts[group] = (counts[group] ?? 0) + (more.count[place] ?? 0);
  }
  let found = 0;
  sums.forEach((first, one) => {
    for (let other = one + 1; other < sums.length; other++) {
      const [ofFirst = 0, second = 0, ofSecond = 0] = [counts[one], sums[other], counts[other]];
      const squared = (first / ofFirst - second / ofSecond) ** 2 / (spread * (1 / ofFirst + 1 / ofSecond));
      if (squared > found) found = squared;
    }
  });
  return found;
}

/** After so many deals that are as far apart as what was found, p is known well enough. */
const enough = 50;

/**
 * The p-value of "each rate is the same in all groups": how often the largest difference of two groups in any of the rates, in
 * standard errors, is at least as large as it is when the groups are dealt to the cases again: p = (1 + as large) / (1 + deals), or
 * 50 / deals as soon as 50 were as large. Exact whatever the sizes of the groups, since under the hypothesis each deal is as likely
 * as the one that was found. A case goes with all its trials. The cases of each rate are dealt by themselves: those of two rates
 * must be of different cases. Null where no rate varies between its cases.
 *
 * Sources: B. Phipson and G. K. Smyth, Permutation P-values Should Never Be Zero, Statistical Applications in Genetics and Molecular
 * Biology 9 (2010), article 39; J. Besag and P. Clifford, Sequential Monte Carlo p-values, Biometrika 78 (1991), 301-304.
 */
export function groupPermutation(
  rates: readonly GroupedCases[],
  groups: number,
  { resamples, seed }: { readonly resamples: number; readonly seed: number },
): number | null {
  const varied = rates.map((rate) => openRate(rate, groups)).filter(({ spread }) => spread > rounding);
  if (varied.length === 0 || groups < 2 || resamples === 0) return null;
  const over = () => Math.max(...varied.map(largest));
  const observed = over();
  const generator = randomGenerator(seed, 'groups');
  let asLarge = 0;
  for (let deals = 1; deals <= resamples; deals++) {
    for (const { dealt, from } of varied) {
      for (let last = dealt.length - 1; last >= Math.max(1, from); last--) {
        const place = Math.floor(((generator.next() >>> 0) / 2 ** 32) * (last + 1));
        const held = dealt[last] ?? 0;
        dealt[last] = dealt[place] ?? 0;
        dealt[place] = held;
      }
    }
    if (over() >= observed * (1 - rounding)) asLarge += 1;
    if (asLarge === enough) return enough / deals;
  }
  return (1 + asLarge) / (1 + resamples);
}
