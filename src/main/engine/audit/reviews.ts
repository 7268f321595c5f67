// Checks what people judged, commented, settled and signed: each is about trials that had ended, and takes the place of none but
// the same person's own.
import { quoteOf } from '../../../core/review/range.ts';
import { readOnce } from '../../../core/statistics/measures/trials.ts';
import type { EventPayload, RecordEvent } from '../../../shared/events.ts';
import { loadFrozen } from '../lab/frozen.ts';
import type { StoredEvent } from '../store/events.ts';
import { parseChain } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';
import { type BadRecord, firstProblem, parseStored } from './chain.ts';

/** What a trial has to say of its reviews. */
interface Tried {
  /** Experiments in which it ended with a hash, by that hash. */
  readonly ends: ReadonlyMap<string, string | undefined>;
  /** Texts of its utterances, by their place. */
  readonly spoken: ReadonlyMap<number, string>;
}

type Judged = EventPayload<'review-give'>;

/** What is wrong with the reviews that an adjudication settles, or null. */
function settlingProblem(
  { trial, head, reviewer, label, reason, settles }: EventPayload<'review-adjudicate'>,
  standing: ReadonlyMap<number, RecordEvent>,
): string | null {
  if (label === null) return settles.length === 0 ? null : 'it settles reviews and names no label';
  const reviews = settles.flatMap((seq): Judged[] => {
    const event = standing.get(seq);
    return event?.kind === 'review-give' ? [event.payload] : [];
  });
  const people = new Set([...reviews.map((each) => each.reviewer), reviewer]);
  const isSound =
    reason !== null &&
    reviews.length === settles.length &&
    reviews.every((each) => each.trial === trial && each.head === head && each.label !== null) &&
    people.size === settles.length + 1 &&
    new Set(reviews.map((each) => each.label)).size > 1;
  return isSound ? null : 'it does not settle what other reviewers of the trial differ on';
}

/** The first problem in the chain of reviews of an experiment, or null. */
export function checkReviews(store: Store, experiment: string, chain: readonly StoredEvent[]): BadRecord | null {
  const triedOf = readOnce((trial: string): Tried => {
    const ends = new Map<string, string | undefined>();
    const spoken = new Map<number, string>();
    let freeze = '';
    for (const { seq, kind, payload, hash } of parseChain(store.events.chain(trial))) {
      if (kind === 'trial-open') freeze = payload.freeze;
      if (kind === 'utterance-make') spoken.set(seq, payload.text);
      if (kind === 'trial-close') ends.set(hash, store.experiments.ofFreeze(freeze)?.name);
    }
    return { ends, spoken };
  });
  const { dataset } =
    store.experiments.get(experiment) === undefined ? { dataset: null } : loadFrozen(store, experiment).definition;
  const isLabel = (label: string | null) => label === null || dataset?.labels?.includes(label) === true;
  const signable = readOnce(() => {
    const trials = store.trials.ofExperiment(experiment).flatMap(({ trial }) => [...triedOf(trial).ends.keys()]);
    return new Set([...trials, ...store.experiments.history(experiment).map(({ hash }) => hash)]);
  });
  const standing = new Map<number, RecordEvent>();

  /** What is wrong with what an event says of its trial, or null. */
  const aboutProblem = ({ kind, payload }: RecordEvent): string | null => {
    if (kind !== 'review-give' && kind !== 'comment-give' && kind !== 'review-adjudicate') return null;
    const { ends, spoken } = triedOf(payload.trial);
    if (ends.get(payload.head) !== experiment) return 'no trial of this experiment ended with the hash that it names';
    if (kind === 'comment-give') {
      const { utterance, text } = payload;
      if (spoken.get(utterance) !== text) return 'its trial has no such utterance';
      const whole = store.blobs.get(text);
      return whole === undefined || whole === null || quoteOf(whole, payload) !== null ? null : 'its utterance has no such range';
    }
    if (!isLabel(payload.label)) return 'the experiment does not have its label';
    if (kind === 'review-adjudicate') return settlingProblem(payload, standing);
    return (payload.judgement === 'label') === (payload.label !== null) ? null : 'its judgement and its label do not fit';
  };
  return firstProblem(chain, (stored) => {
    const event = parseStored(stored);
    // That no other kind stands in this chain, nor these elsewhere, was checked with the links.
    if (!('replaces' in event.payload)) return null;
    const problem = aboutProblem(event);
    if (problem !== null) return problem;
    const { reviewer, replaces } = event.payload;
    const trial = 'trial' in event.payload ? event.payload.trial : null;
    if (event.kind === 'record-sign') {
      const { heads } = event.payload;
      const isSound =
        heads === null || heads.every((head, at) => signable('').has(head) && (at === 0 || head > (heads[at - 1] ?? '')));
      if (!isSound) return 'it signs what is not on the record of this experiment';
    }
    const withdraws = isWithdrawal(event);
    if (replaces === null && withdraws) return 'it takes something back but names nothing';
    const before = replaces === null ? undefined : standing.get(replaces);
    const isOwn =
      before?.kind === event.kind &&
      'reviewer' in before.payload &&
      before.payload.reviewer === reviewer &&
      ('trial' in before.payload ? before.payload.trial : null) === trial;
    if (replaces !== null && !isOwn) return 'it replaces what does not exist, or is not of the same person and trial';
    if (replaces !== null) standing.delete(replaces);
    if (!withdraws) standing.set(event.seq, event);
    return null;
  });
}

function isWithdrawal({ kind, payload }: RecordEvent): boolean {
  switch (kind) {
    case 'review-give':
      return payload.judgement === 'withdrawn';
    case 'comment-give':
      return payload.comment === null;
    case 'review-adjudicate':
      return payload.label === null;
    default:
      return kind === 'record-sign' && payload.heads === null;
  }
}
