import { isSame } from './sameNumber.ts';

/**
 * Cliff's delta of two groups of numbers, -1 to 1: the share of pairs (one of each group) in which the first is greater
 * minus the share in which it is less. 1 where all of the first are above all of the second. Null where a group is empty.
 *
 * Source: N. Cliff, Dominance Statistics: Ordinal Analyses to Answer Ordinal Questions, Psychological Bulletin 114
 * (1993), 494-509. It is 2 U / (n m) - 1 with U of the Mann-Whitney test. Sorts both groups, then passes once.
 * A pair is neither greater nor less where `isSame`: means of the same losses, added up in another order, differ by rounding.
 * RangeError on a number that is NaN. Example: [1, 3] and [2, 2, 3]: 2 pairs greater, 3 less of 6, so -1/6.
 */
export function cliffsDelta(first: ArrayLike<number>, second: ArrayLike<number>): number | null {
  const [a, b] = [first, second].map((numbers) => Float64Array.from(numbers).sort()) as [Float64Array, Float64Array];
  // The sort puts NaN last.
  if (Number.isNaN(a.at(-1)) || Number.isNaN(b.at(-1))) throw new RangeError('a number that is NaN is neither greater nor less');
  if (a.length === 0 || b.length === 0) return null;
  let below = 0;
  let notAbove = 0;
  let dominance = 0;
  for (const number of a) {
    const isBelow = (other: number) => other < number && !isSame(other, number);
    const isNotAbove = (other: number) => other < number || isSame(other, number);
    while (below < b.length && isBelow(b[below] ?? 0)) below++;
    while (notAbove < b.length && isNotAbove(b[notAbove] ?? 0)) notAbove++;
    dominance += below - (b.length - notAbove);
  }
  return dominance / (a.length * b.length);
}
