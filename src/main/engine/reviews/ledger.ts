// Reads the chain of reviews of an experiment, and adds to it: what people judged, commented, settled and signed.
import { z } from 'zod';
import { lastAttempt } from '../../../core/record/fold.ts';
import { hashParts, toHex } from '../../../core/record/hash.ts';
import { reviewChain, type TrialName, trialId } from '../../../core/record/identity.ts';
import { quoteOf, rangeIn } from '../../../core/review/range.ts';
import { disagreements, standing } from '../../../core/review/standing.ts';
import { judgedText } from '../../../core/telling/reviewTables.ts';
import type {
  adjudicationGivenSchema,
  commentGivenSchema,
  reviewGivenSchema,
  signOffGivenSchema,
} from '../../../shared/api/reviews.ts';
import { badInput } from '../../../shared/errors.ts';
import type { reviewEvents } from '../../../shared/events/review.ts';
import type { EventPayload, RecordEvent } from '../../../shared/events.ts';
import { readOnce } from '../../../shared/remembered.ts';
import type { Comment, Review, SignOff } from '../../../shared/reviews.ts';
import { attempt } from '../attempt.ts';
import { isMultiLabel } from '../datasets/cases.ts';
import { erasureOfTrial, erasuresOf } from '../lab/erasedData.ts';
import { type FrozenExperiment, loadFrozen } from '../lab/frozen.ts';
import { readableAnswer } from '../report/transcriptEntries.ts';
import { parseChain } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';
import type { TrialRow } from '../store/trials.ts';

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

type Kind = keyof typeof reviewEvents;

/** What is there when something is put on the record. */
interface Desk {
  readonly frozen: FrozenExperiment;
  readonly ledger: ReviewLedger;
  /** Row of a trial with its head. Throws bad input for one that has not ended, lost texts, or is not of the experiment. */
  ended(trial: string): TrialRow & { readonly head_hash: string };
  /** Throws bad input unless the event to take the place of is among these, and of the same person and trial. */
  own(given: readonly { readonly seq: number; readonly reviewer: string; readonly trial?: string }[], trial?: string): void;
  keep(text: string): string;
  keepAny(text: string | null): string | null;
}

/** Characters that cannot be seen, or break a line. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A name without what the eye skips: capitals, widths, spaces and hidden characters. */
const folded = (name: string) => name.normalize('NFKC').replace(hidden, '').toLowerCase().replace(/\s+/gu, ' ').trim();

/** Throws bad input for a name that could be taken for another one. Joiners stay: several scripts need them. */
function checkName(reviewer: string, { names }: ReviewLedger): void {
  const refuse = (problem: string) => badInput(problem, 'reviewer');
  if (folded(reviewer) === '') throw refuse('enter your name: every review bears the name of its reviewer');
  if (folded(reviewer).startsWith('[erased]'))
    throw refuse('a name cannot begin with “[erased]”: so are people called whose name was erased');
  // A name that is on the record already can still take back what is its own.
  if (names.has(reviewer)) return;
  if (reviewer.replace(/[\u200c\u200d]/gu, '').search(hidden) >= 0)
    throw refuse('the name has hidden characters or line breaks: enter it without them');
  const alike = [...names].find((name) => folded(name) === folded(reviewer));
  if (alike !== undefined)
    throw refuse(`there is a reviewer ${JSON.stringify(alike)} already: write the name like this if it is you, else add to it`);
}

/** Appends what `say` makes of the state of the record, in one transaction. Returns its place in the chain. */
function put<K extends Kind>(
  store: Store,
  experiment: string,
  { kind, reviewer: given, replaces }: { readonly kind: K; readonly reviewer: string; readonly replaces: number | null },
  say: (desk: Desk, reviewer: string) => Omit<EventPayload<K>, 'v' | 'at' | 'reviewer' | 'replaces'>,
): number {
  const erasures = erasuresOf(store, experiment);
  const gone = erasures.find(({ scope }) => scope !== 'case');
  if (gone !== undefined)
    throw badInput(
      `the texts of this experiment were erased on ${gone.at.slice(0, 10)}: nothing more can be said of it`,
      'experiment',
    );
  const frozen = loadFrozen(store, experiment);
  const reviewer = given.trim();
  return store.write(() => {
    const ledger = readReviews(store, experiment);
    checkName(reviewer, ledger);
    const keep = (text: string) => store.blobs.keep(frozen.dataset, text);
    const desk: Desk = {
      frozen,
      ledger,
      ended(trial) {
        const row = store.trials.get(trial);
        if (row === undefined || row.experiment !== experiment || row.head_hash === null)
          throw badInput(`trial ${trial} has not ended or is not of this experiment`, 'trial');
        const erased = erasures.length === 0 ? null : erasureOfTrial(store, parseChain(store.events.chain(trial)));
        if (erased !== null)
          throw badInput(`texts of this trial were erased on ${erased.at.slice(0, 10)}: nothing more can be said of it`, 'trial');
        return { ...row, head_hash: row.head_hash };
      },
      own(among, trial) {
        const isOwn = among.some((each) => each.seq === replaces && each.trial === trial && each.reviewer === reviewer);
        if (replaces !== null && !isOwn)
          throw badInput('what you want to change or take back is not yours, or was changed since', 'replaces');
      },
      keep,
      keepAny: (text) => (text === null ? null : keep(text)),
    };
    const chain = reviewChain(experiment);
    const said = say(desk, reviewer);
    const payload = { v: 1, at: new Date().toISOString(), reviewer: keep(reviewer), ...said, replaces };
    // The compiler does not see that a kind's own fields and the common ones are its payload.
    store.events.append(chain, kind, payload as unknown as EventPayload<K>);
    return store.events.chain(chain).length - 1;
  });
}

export type NewReview = Omit<z.infer<typeof reviewGivenSchema>, 'experiment'>;

const needLabel = (labels: readonly string[], label: string) => {
  if (!labels.includes(label)) throw badInput(`choose one of the labels ${labels.join(', ')}`, 'label');
};

/**
 * Appends a review to the record; it is blind only as the first that the reviewer said of the case. Returns its place in the chain.
 * @throws bad-input for a trial that has not ended or is not of the experiment, a label that it does not have, another label
 *   than the court's without a reason where the verdict is in view, a name like another one's, and a replaced review that is
 *   not the reviewer's own
 */
export function giveReview(store: Store, experiment: string, review: NewReview): number {
  const { trial, judgement, label, blind, seconds } = review;
  const reason = review.reason?.trim() || null;
  return put(store, experiment, { kind: 'review-give', ...review }, ({ frozen, ledger, ended, own, keepAny }, reviewer) => {
    const labels = reviewedLabels(frozen);
    if ((judgement === 'label') !== (label !== null)) throw badInput(`choose one of the labels ${labels.join(', ')}`, 'label');
    if (label !== null) needLabel(labels, label);
    const { head_hash: head, prediction } = ended(trial);
    own(ledger.reviews, trial);
    if (judgement === 'label' && !blind && JSON.stringify(label) !== prediction && reason === null)
      throw badInput('say why you disagree with the court: an override needs a reason', 'reason');
    const isBlind = blind && !ledger.knows(reviewer, trial);
    return { trial, head, judgement, label, reason: keepAny(reason), blind: isBlind, seconds };
  });
}

/** Appends a comment. Throws bad input for what is no utterance or ruling of the trial, another text than its own, and as `giveReview`. */
export function giveComment(store: Store, comment: z.infer<typeof commentGivenSchema>): number {
  const { trial, utterance, quote } = comment;
  const said = comment.comment?.trim() || null;
  const experiment = store.trials.get(trial)?.experiment;
  if (experiment === undefined) throw badInput(`there is no trial ${trial}`, 'trial');
  return put(store, experiment, { kind: 'comment-give', ...comment }, ({ ledger, ended, own, keepAny }) => {
    const { head_hash: head } = ended(trial);
    own(ledger.comments, trial);
    if (said === null && comment.replaces === null) throw badInput('write what you want to say of it', 'comment');
    const event = lastAttempt(parseChain(store.events.chain(trial))).find(({ seq }) => seq === utterance);
    const isRuling = event?.kind === 'ruling-give';
    const text = isRuling ? event.payload.opinion : event?.kind === 'utterance-make' ? event.payload.text : null;
    if (text === null)
      throw badInput('there is no such utterance in the last attempt at this trial, and no ruling with reasons', 'utterance');
    const whole = store.blobs.get(text) ?? '';
    const shown = isRuling ? readableAnswer(whole) : whole;
    if (quoteOf(shown, comment) !== quote)
      throw badInput('the words to comment on are not those of the utterance or ruling', 'quote');
    const range = isRuling ? rangeIn(whole, shown, comment, (words) => JSON.stringify(words).slice(1, -1)) : comment;
    if (range === null) throw badInput('choose more words, within one line of the ruling, or all of it', 'quote');
    const { start, end } = range;
    return { v: isRuling ? 2 : 1, trial, head, utterance, text, start, end, comment: keepAny(said) };
  });
}

type NewAdjudication = Omit<z.infer<typeof adjudicationGivenSchema>, 'experiment'>;

/** Appends an adjudication. Throws bad input where reviewers do not differ so, for one of them, without a reason, and as `giveReview`. */
export function adjudicate(store: Store, experiment: string, { trial, label, settles, ...found }: NewAdjudication): number {
  const reason = found.reason?.trim() || null;
  return put(store, experiment, { kind: 'review-adjudicate', ...found }, ({ frozen, ledger, ended, own, keepAny }, reviewer) => {
    const { head_hash: head } = ended(trial);
    own(ledger.adjudications, trial);
    if (label === null) {
      if (found.replaces === null)
        throw badInput('choose a label: without one, an adjudication only takes back an earlier one', 'label');
      return { trial, head, label, reason: keepAny(reason), settles: [] };
    }
    needLabel(reviewedLabels(frozen), label);
    if (reason === null) throw badInput('say why: an adjudication needs a reason', 'reason');
    const current = disagreements(ledger.reviews, ledger.adjudications).find((each) => each.head === head);
    const seqs = current?.reviews.map(({ seq }) => seq) ?? [];
    if (seqs.length === 0 || new Set(settles).symmetricDifference(new Set(seqs)).size > 0)
      throw badInput('these are not the answers on which the reviewers of this trial differ now; look at it again', 'settles');
    if (current?.reviews.some((each) => each.reviewer === reviewer) === true)
      throw badInput('you are one of the reviewers who differ: somebody else has to settle it', 'reviewer');
    if (current?.adjudication !== undefined && current.adjudication.seq !== found.replaces)
      throw badInput(`${current.adjudication.reviewer} has settled it already`, 'trial');
    return { trial, head, label, reason: keepAny(reason), settles: seqs };
  });
}

/** A sign-off, or what takes one back; `state` as the signer saw it (`stateOf`). */
type NewSignOff = Omit<z.infer<typeof signOffGivenSchema>, 'experiment'>;

/** Signs the record of an experiment, or takes a sign-off back. Throws bad input without a reason, and where another state was seen. */
export function signRecord(store: Store, experiment: string, { reason: given, state, ...from }: NewSignOff): number {
  const reason = given.trim();
  return put(store, experiment, { kind: 'record-sign', ...from }, ({ ledger, own, keep }) => {
    own(ledger.signOffs);
    if (reason === '') throw badInput('say what you sign, or why you take it back', 'reason');
    const { own: head, trials } = signedHeads(store, experiment);
    if (from.replaces !== null) return { reason: keep(reason), heads: null };
    if (trials.size === 0) throw badInput('there is nothing to sign: no trial of this experiment has ended', 'experiment');
    if (state !== stateOf(store, experiment))
      throw badInput('the record has changed since you saw it: look at what came, then sign again', 'experiment');
    return { reason: keep(reason), heads: [head, ...trials].toSorted() };
  });
}
