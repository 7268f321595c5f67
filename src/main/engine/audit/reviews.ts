// Checks what people judged, commented, settled and signed: each is about trials that had ended, and takes the place of none but
// the same person's own.

import { quoteOf } from '../../../core/review/range.ts';
import type { EventPayload, RecordEvent } from '../../../shared/events.ts';
import { readOnce } from '../../../shared/remembered.ts';
import { loadFrozen } from '../lab/frozen.ts';
import type { StoredEvent } from '../store/events.ts';
import { parseChain, parseStored } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';
import { type BadRecord, firstProblem } from './chain.ts';

interface Ended {
  readonly experiment: string | undefined;
  /** Version of a comment on it and text, `1 REF`, of each utterance and opinion of the attempt that ended so, by its place. */
  readonly spoken: ReadonlyMap<number, string>;
}

type Standing = ReadonlyMap<number, RecordEvent>;

const ofKind = <K extends RecordEvent['kind']>(standing: Standing, kind: K) =>
  [...standing.values()].filter((event) => event.kind === kind) as Extract<RecordEvent, { readonly kind: K }>[];

/** What is wrong with the reviews that an adjudication settles, or null. */
function settlingProblem(
  { head, reviewer, label, reason, settles, replaces }: EventPayload<'review-adjudicate'>,
  standing: Standing,
): string | null {
  if (label === null) return settles.length === 0 ? null : 'it settles reviews and names no label';
  const labelled = ofKind(standing, 'review-give').filter(({ payload }) => payload.head === head && payload.label !== null);
  // Of what one person answered twice the first counts.
  const first = new Map(labelled.toReversed().map((event) => [event.payload.reviewer, event]));
  const places = new Set([...first.values()].map(({ seq }) => seq));
  const isSound =
    reason !== null &&
    settles.length === places.size &&
    new Set(settles).symmetricDifference(places).size === 0 &&
    !first.has(reviewer) &&
    new Set([...first.values()].map(({ payload }) => payload.label)).size > 1;
  if (!isSound) return 'it does not settle what other reviewers of the trial differ on';
  const isSettled = ofKind(standing, 'review-adjudicate').some(
    ({ seq, payload }) => payload.head === head && seq !== replaces && payload.settles.every((each) => standing.has(each)),
  );
  return isSettled ? 'another adjudication settles it already' : null;
}

/** The first problem in the chain of reviews of an experiment, or null. */
export function checkReviews(store: Store, experiment: string, chain: readonly StoredEvent[]): BadRecord | null {
  const endsOf = readOnce((trial: string): ReadonlyMap<string, Ended> => {
    const ends = new Map<string, Ended>();
    let [freeze, spoken] = ['', new Map<number, string>()];
    for (const { seq, kind, payload, hash } of parseChain(store.events.chain(trial))) {
      if (kind === 'trial-open') [freeze, spoken] = [payload.freeze, new Map()];
      if (kind === 'utterance-make') spoken.set(seq, `1 ${payload.text}`);
      if (kind === 'ruling-give') spoken.set(seq, `2 ${payload.opinion}`);
      if (kind === 'trial-close') ends.set(hash, { experiment: store.experiments.ofFreeze(freeze)?.name, spoken });
    }
    return ends;
  });
  const { dataset } =
    store.experiments.get(experiment) === undefined ? { dataset: null } : loadFrozen(store, experiment).definition;
  const isLabel = (label: string | null) => label === null || dataset?.labels?.includes(label) === true;
  /** What can be signed, with the trial that it is a head of; the empty text for the experiment's own chain. */
  const signable = readOnce(() => {
    const trials = store.trials
      .ofExperiment(experiment)
      .flatMap(({ trial }) => [...endsOf(trial).keys()].map((head) => [head, trial] as const));
    return new Map([...trials, ...store.experiments.history(experiment).map(({ hash }) => [hash, ''] as const)]);
  });
  const standing = new Map<number, RecordEvent>();

  /** What is wrong with what an event says of its trial, or null. */
  const aboutProblem = ({ kind, payload }: RecordEvent): string | null => {
    if (kind !== 'review-give' && kind !== 'comment-give' && kind !== 'review-adjudicate') return null;
    const end = endsOf(payload.trial).get(payload.head);
    if (end?.experiment !== experiment) return 'no trial of this experiment ended with the hash that it names';
    if (kind === 'comment-give') {
      const { v, utterance, text } = payload;
      if (end.spoken.get(utterance) !== `${v} ${text}`) return 'its trial has no such utterance';
      const whole = store.blobs.get(text);
      return whole === undefined || whole === null || quoteOf(whole, payload) !== null ? null : 'its utterance has no such range';
    }
    if (!isLabel(payload.label)) return 'the experiment does not have its label';
    if (kind === 'review-adjudicate') return settlingProblem(payload, standing);
    return (payload.judgement === 'label') === (payload.label !== null) ? null : 'its judgement and its label do not fit';
  };
  return firstProblem(chain, (stored) => {
    const event = parseStored(stored);
    // The check of the links found that these kinds, and no others, are in this chain.
    if (!('replaces' in event.payload)) return null;
    const problem = aboutProblem(event);
    if (problem !== null) return problem;
    const { reviewer, replaces } = event.payload;
    const trial = 'trial' in event.payload ? event.payload.trial : null;
    if (event.kind === 'record-sign') {
      const { heads } = event.payload;
      const owners = new Set(heads?.map((head) => signable('').get(head)));
      const isSound =
        heads === null ||
        (owners.size === heads.length &&
          owners.size > 1 &&
          owners.has('') &&
          !owners.has(undefined) &&
          heads.every((head, at) => at === 0 || head > (heads[at - 1] ?? '')));
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
