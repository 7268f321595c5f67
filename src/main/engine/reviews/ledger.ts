// Reads the chain of reviews of an experiment: what people judged, commented, settled and signed.

import { z } from 'zod';
import { hashParts, toHex } from '../../../core/record/hash.ts';
import { reviewChain, type TrialName, trialId } from '../../../core/record/identity.ts';
import { quoteOf, rangeIn } from '../../../core/review/range.ts';
import { disagreements, standing } from '../../../core/review/standing.ts';
import { judgedText } from '../../../core/telling/reviewTables.ts';
import { badInput } from '../../../shared/errors.ts';
import type { reviewEvents } from '../../../shared/events/review.ts';
import type { RecordEvent } from '../../../shared/events.ts';
import { readOnce } from '../../../shared/remembered.ts';
import type { Comment, Review, SignOff } from '../../../shared/reviews.ts';
import { attempt } from '../attempt.ts';
import { isMultiLabel } from '../datasets/cases.ts';
import { erasuresOf } from '../lab/erasedData.ts';
import type { FrozenExperiment } from '../lab/frozen.ts';
import { readableAnswer } from '../report/transcriptEntries.ts';
import { parseChain } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';

/** Labels that people can choose from. Throws bad input for cases with several labels, and for open questions. */
export function reviewedLabels({ definition: { dataset } }: FrozenExperiment): readonly string[] {
  const { labels = [] } = dataset;
  if (labels.length < 2 || isMultiLabel(dataset))
    throw badInput('people can review only cases with one label each; this experiment has others', 'experiment');
  return labels;
}

export function signedHeads(store: Store, experiment: string): { readonly own: string; readonly trials: ReadonlySet<string> } {
  const trials = store.trials.heads(experiment).flatMap(({ head_hash }) => head_hash ?? []);
  return { own: store.experiments.get(experiment)?.headHash ?? '', trials: new Set(trials) };
}

/** Hash over all that a sign-off would cover now, hexadecimal: the heads, and what people said. */
export function stateOf(store: Store, experiment: string): string {
  const { own, trials } = signedHeads(store, experiment);
  return toHex(
    hashParts(['assize/signable/1', own, store.events.head(reviewChain(experiment)) ?? '', ...[...trials].toSorted()]),
  );
}

/** Words of a JSON text as they were meant. */
const unescaped = (words: string): string => attempt(() => z.string().parse(JSON.parse(`"${words}"`)), words);

type Given<K extends keyof typeof reviewEvents> = Extract<RecordEvent, { readonly kind: K }>;

/** All that is in the chain of reviews of an experiment, each kind in the order in which it was given. */
export type ReviewLedger = Readonly<ReturnType<typeof readReviews>>;

export function readReviews(store: Store, experiment: string) {
  const read = (ref: string | null) => (ref === null ? null : (store.blobs.get(ref) ?? null));
  const readReason = (ref: string | null) => (ref === null ? null : (read(ref) ?? '[erased]'));
  let erased = 0;
  // What people judged stays theirs, each of them, when their names are erased.
  const nameOf = readOnce((ref: string): string => read(ref) ?? `[erased] ${++erased}`);
  const events = parseChain(store.events.chain(reviewChain(experiment))).filter((event) => 'replaces' in event.payload) as Given<
    keyof typeof reviewEvents
  >[];
  const caseOf = (trial: string) => store.trials.get(trial)?.case_id ?? '';
  const said = new Set(
    events.map(({ payload }) => `${nameOf(payload.reviewer)}\n${'trial' in payload ? caseOf(payload.trial) : ''}`),
  );
  const there = standing(events.map((event) => ({ ...event, replaces: event.payload.replaces })));
  const of = <K extends keyof typeof reviewEvents>(kind: K) =>
    there.filter((event) => event.kind === kind) as unknown as Given<K>[];

  const reviews = of('review-give').flatMap(({ seq, payload }): Review[] => {
    const { v: _version, reviewer, reason, judgement, replaces: _replaces, ...rest } = payload;
    return judgement === 'withdrawn' ? [] : [{ seq, ...rest, judgement, reviewer: nameOf(reviewer), reason: readReason(reason) }];
  });
  const comments = of('comment-give').flatMap(({ seq, payload }): Comment[] => {
    const { v, reviewer, text, comment, replaces: _replaces, ...rest } = payload;
    const whole = read(text);
    const shown = v === 2 && whole !== null ? readableAnswer(whole) : whole;
    const range = shown === whole ? rest : whole === null || shown === null ? null : rangeIn(shown, whole, rest, unescaped);
    const quote = shown === null || range === null ? null : quoteOf(shown, range);
    const { start, end } = range ?? rest;
    return comment === null ? [] : [{ seq, ...rest, start, end, reviewer: nameOf(reviewer), quote, comment: read(comment) }];
  });
  const settled = of('review-adjudicate').flatMap(({ seq, payload }) => {
    const { v: _version, reviewer, label, reason, replaces: _replaces, ...rest } = payload;
    return label === null ? [] : [{ seq, ...rest, label, reviewer: nameOf(reviewer), reason: read(reason) }];
  });
  const erasures = erasuresOf(store, experiment);
  // Most experiments have no reviews, and finding the heads takes a look at every trial.
  const now = events.length === 0 ? { own: '', trials: new Set<string>() } : signedHeads(store, experiment);
  const holding = new Set(disagreements(reviews, settled).flatMap(({ adjudication }) => adjudication?.seq ?? []));
  const signOffs = of('record-sign').flatMap(({ seq, payload: { at, reviewer, reason, heads }, hash }): SignOff[] => {
    if (heads === null) return [];
    const then = new Set(heads);
    const arms = !then.delete(now.own);
    // A trial that was tried again has another head; while it is tried it has none.
    const trials = Math.max(now.trials.difference(then).size, then.difference(now.trials).size - Number(arms));
    const since = events.filter((event) => event.seq > seq && event.kind !== 'record-sign').length;
    const changed = { trials, reviews: since, arms, erased: erasures.some((each) => each.at > at) };
    return [{ seq, at, reviewer: nameOf(reviewer), reason: read(reason), hash, trials: heads.length - 1, changed }];
  });
  return {
    reviews,
    comments,
    adjudications: settled.map((each) => ({ ...each, current: holding.has(each.seq) && now.trials.has(each.head) })),
    signOffs,
    /** Whether a reviewer ever said anything of a trial of the same case, in any arm, taken back or not: each answer brought a verdict on it. */
    knows: (reviewer: string, trial: string) => said.has(`${reviewer}\n${caseOf(trial)}`),
    names: new Set(events.map(({ payload }) => nameOf(payload.reviewer))),
  };
}

export function saidOfTrial(
  store: Store,
  experiment: string,
  trial: string,
): Pick<ReviewLedger, 'reviews' | 'comments' | 'adjudications'> {
  const { reviews, comments, adjudications } = readReviews(store, experiment);
  const own = <T extends { readonly trial: string }>(all: readonly T[]) => all.filter((each) => each.trial === trial);
  return { reviews: own(reviews), comments: own(comments), adjudications: own(adjudications) };
}

/** Of a later replicate: what people said of the first, which is the one that they review, as `judgedText` says it. */
export function firstJudgedText(store: Store, { replicate, ...of }: TrialName): string | null {
  const first = replicate === 0 ? undefined : store.trials.get(trialId({ ...of, replicate: 0 }));
  if (first === undefined) return null;
  const said = { head: first.head_hash, ...saidOfTrial(store, first.experiment, first.trial) };
  return judgedText(said, first.prediction === null ? null : JSON.parse(first.prediction), 'replicate 1');
}
