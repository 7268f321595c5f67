// Checks what people judged: each review is about a trial that had ended, and takes the place of none but the reviewer's own.
import { readOnce } from '../../../core/statistics/measures/trials.ts';
import type { EventPayload } from '../../../shared/events.ts';
import type { StoredEvent } from '../store/events.ts';
import { parseChain } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';
import { type BadRecord, firstProblem, parseStored } from './chain.ts';

type Review = EventPayload<'review-give'>;

/** The first problem in the chain of reviews of an experiment, or null. */
export function checkReviews(store: Store, experiment: string, chain: readonly StoredEvent[]): BadRecord | null {
  /** The experiments whose trial ended with a head of this chain, by that head. */
  const endsOf = readOnce((trial: string) => {
    const ends = new Map<string, string | undefined>();
    let freeze = '';
    for (const { kind, payload, hash } of parseChain(store.events.chain(trial))) {
      if (kind === 'trial-open') freeze = payload.freeze;
      if (kind === 'trial-close') ends.set(hash, store.experiments.ofFreeze(freeze)?.name);
    }
    return ends;
  });
  const standing = new Map<number, Review>();
  return firstProblem(chain, (stored) => {
    const event = parseStored(stored);
    // That no other kind stands in this chain, nor this one elsewhere, was checked with the links.
    if (event.kind !== 'review-give') return null;
    const { trial, head, reviewer, judgement, label, replaces } = event.payload;
    if (endsOf(trial).get(head) !== experiment) return 'no trial of this experiment ended with the hash that it names';
    if ((judgement === 'label') !== (label !== null)) return 'its judgement and its label do not fit';
    if (replaces === null && judgement === 'withdrawn') return 'it withdraws a review but names none';
    const before = replaces === null ? null : standing.get(replaces);
    if (before === undefined || (before !== null && (before.trial !== trial || before.reviewer !== reviewer)))
      return 'it replaces a review that does not exist';
    if (replaces !== null) standing.delete(replaces);
    if (judgement !== 'withdrawn') standing.set(event.seq, event.payload);
    return null;
  });
}
