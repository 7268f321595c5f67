// Who argued for what in a trial, and who had the last word.
import type { Trajectory } from './trajectory.ts';

export interface Pleading {
  /** Role -> the label that it argued for. */
  readonly claims: Readonly<Record<string, string>>;
  /** The role that was heard last before the decision; null where none of them spoke. */
  readonly last: string | null;
}

/** Who argued for what and who had the last word, as read; null if no one argued. @param claims role -> label by the rules */
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
