import { isSame } from './sameNumber.ts';

/** The places of values in ascending order, with equal values together. */
export interface TieGroups {
  /** Indexes of the values, lowest value first. */
  readonly order: Uint32Array;
  /** Where each group of equal values ends in `order`; the end itself is not in the group. Ascending. */
  readonly ends: Uint32Array;
}

/**
 * Sorts values once, for statistics that rest on ranks. A group begins with the lowest value that is in none yet and has
 * all that `isSame` as this first one, so that a chain of values, each near the next, cannot join far ones.
 * Throws RangeError on a value that is not finite. Example: [0.7, 0.5, 0.7] gives order [1, 0, 2],
 * ends [1, 3].
 */
export function tieGroups(values: ArrayLike<number>): TieGroups {
  const sorted = Float64Array.from(values);
  sorted.forEach((value, index) => {
    if (!Number.isFinite(value)) throw new RangeError(`value ${index} is ${value}: not a finite number`);
  });
  const order = Uint32Array.from(sorted.keys()).sort((a, b) => (sorted[a] ?? 0) - (sorted[b] ?? 0));
  const ends: number[] = [];
  const valueAt = (place: number) => sorted[order[place] ?? 0] ?? 0;
  for (let first = 0, place = 1; place <= order.length; place++) {
    if (place < order.length && isSame(valueAt(first), valueAt(place))) continue;
    ends.push(place);
    first = place;
  }
  return { order, ends: Uint32Array.from(ends) };
}
