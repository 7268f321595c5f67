// Who argued for what in a trial, and who had the last word.
import type { Trajectory } from './trajectory.ts';

export interface Pleading {
  /** Role -> the label that it argued for. */
  readonly claims: Readonly<Record<string, string>>;
  /** The role that was heard last before the decision; null where none of them spoke. */
  readonly last: string | null;
}

/**
 * Who argued for what in one attempt, and who had the last word: the last in the order in which arguments were read where
 * the record has one, else the last to speak. Null for a trial in which no one argued for a label.
 * @param claims role -> label, where the rules of the protocol settle that beforehand
 */
export function pleadingOf(
  { speeches, assigned }: Pick<Trajectory, 'speeches' | 'assigned'>,
  claims: Readonly<Record<string, string>>,
): Pleading | null {
  const argued = assigned?.sides ?? claims;
  const spoken = speeches.flatMap(({ role }) => (Object.hasOwn(argued, role) ? [role] : []));
  if (spoken.length === 0) return null;
  const last = assigned === null ? spoken.at(-1) : assigned.order.findLast((role) => spoken.includes(role));
  return { claims: argued, last: last ?? null };
}
