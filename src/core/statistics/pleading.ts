import type { RecordEvent } from '../../shared/events.ts';

/** Who argued for what in a trial. */
export interface Pleading {
  /** Role -> the label that it argued for. */
  readonly claims: Readonly<Record<string, string>>;
  /** The role that was heard last by whoever decided; null where none of them spoke. */
  readonly last: string | null;
}

/**
 * Who argued for what in one attempt, and who had the last word: the last in the order in which arguments were read where
 * the record has one, else the last to speak. Null for a trial in which nobody argued for a label.
 * @param events of one attempt, in order
 * @param claims role -> label, where the rules of the protocol settle that beforehand
 */
export function pleadingOf(events: readonly RecordEvent[], claims: Readonly<Record<string, string>>): Pleading | null {
  const assigned = events.findLast((event) => event.kind === 'side-assign')?.payload;
  const argued = assigned?.sides ?? claims;
  const spoken = new Set<string>();
  let last: string | null = null;
  for (const event of events) {
    if (event.kind !== 'utterance-make' || !Object.hasOwn(argued, event.payload.role)) continue;
    last = event.payload.role;
    spoken.add(last);
  }
  if (spoken.size === 0) return null;
  return { claims: argued, last: assigned === undefined ? last : (assigned.order.findLast((role) => spoken.has(role)) ?? null) };
}
