import { isSameSet } from '../beliefs/independentBelief.ts';

/**
 * Changes of the named set along a path: how often the labels of one step are not those of the step before, in any order.
 *
 * The counterpart of `flips` for cases of several labels, where no label is in front. Example: {A}, {B, A}, {A, B}, {} are
 * two flips in three steps.
 * @param sets in order, all of one role
 * @returns null for fewer than two sets, where nothing can flip
 */
export function setFlips(sets: readonly (readonly string[])[]): { flips: number; steps: number } | null {
  const [first, ...rest] = sets;
  if (first === undefined || rest.length === 0) return null;
  const flips = rest.filter((set, place) => !isSameSet(set, sets[place] ?? [])).length;
  return { flips, steps: rest.length };
}
