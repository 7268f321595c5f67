import type { Belief, Prediction } from '../../shared/domain.ts';
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
export function flips(beliefs: readonly Belief[]): number | null {
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
  return count;
}

/**
 * Changes of the stated answer along a path: how often one step names another label, or another set of labels in any order,
 * than the step before. If a belief is stated with the answer this need not be `flips`: from NO at 40% to YES at 65% the
 * answer changes, and YES led from the beginning ("Linguistic Reasoning", appendix B.2, is such a case).
 *
 * Example: {A}, {B, A}, {A, B}, {} are two flips in three steps.
 * @param answers in order, all of one role
 * @returns null for fewer than two answers, where nothing can flip
 */
export function answerFlips(answers: readonly Exclude<Prediction, null>[]): number | null {
  const [first, ...rest] = answers.map((answer) => [answer].flat());
  if (first === undefined || rest.length === 0) return null;
  const before = [first, ...rest];
  return rest.filter((answer, place) => !isSameSet(answer, before[place] ?? [])).length;
}
