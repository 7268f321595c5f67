import type { Belief } from '../../shared/domain.ts';
import { isSameSet } from '../beliefs/independentBelief.ts';
import { leadingLabel } from '../figures/beliefChanges.ts';
import { isSame } from './sameNumber.ts';

/**
 * Changes of the most likely label along a path of beliefs: a whole number from 0 to (beliefs - 1).
 *
 * A label stays in front as long as none is likelier, so that a tie (up to rounding, `isSame`) is no flip: 0.6, 0.5, 0.6 for one of two labels are
 * no flips, 0.6, 0.5, 0.4 are one. In a first belief with a tie the first label is in front.
 * @param beliefs in order, all of one role
 * @returns null for fewer than two beliefs, where nothing can flip
 */
export function flips(beliefs: readonly Belief[]): { flips: number; steps: number } | null {
  const [first, ...rest] = beliefs;
  if (first === undefined || rest.length === 0) return null;
  let leading = leadingLabel(first);
  let count = 0;
  for (const belief of rest) {
    const next = leadingLabel(belief);
    if (leading === null || next === null) continue;
    const [share, held] = [belief[next] ?? 0, belief[leading] ?? 0];
    if (share <= held || isSame(share, held)) continue;
    leading = next;
    count += 1;
  }
  return { flips: count, steps: rest.length };
}

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
  return { flips: rest.filter((set, place) => !isSameSet(set, sets[place] ?? [])).length, steps: rest.length };
}
