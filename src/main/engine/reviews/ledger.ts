// The chain of reviews of an experiment: reads it, and puts what a person judged on the record.
import { refOf } from '../../../core/record/hash.ts';
import { reviewChain } from '../../../core/record/identity.ts';
import { type GivenReview, standingReviews } from '../../../core/review/standing.ts';
import { badInput } from '../../../shared/errors.ts';
import type { EventPayload } from '../../../shared/events.ts';
import type { Review } from '../../../shared/reviews.ts';
import { isMultiLabel } from '../datasets/cases.ts';
import { refuseErased } from '../lab/erasedData.ts';
import { type FrozenExperiment, loadFrozen } from '../lab/frozen.ts';
import { parseChain } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';

/** What a reviewer says of a trial. */
export interface NewReview {
  readonly trial: string;
  readonly reviewer: string;
  readonly judgement: EventPayload<'review-give'>['judgement'];
  readonly label: string | null;
  readonly reason: string | null;
  /** Whether the verdict was out of view. It goes on the record as blind only as the reviewer's first answer on the trial. */
  readonly blind: boolean;
  readonly seconds: number;
  readonly replaces: number | null;
}

/** Trials that a reviewer ever answered, taken back or not: each answer brought the verdict. */
export function answeredTrials(store: Store, { name: experiment, dataset }: FrozenExperiment, reviewer: string): Set<string> {
  const name = refOf(dataset.salt, reviewer);
  return new Set(
    parseChain(store.events.chain(reviewChain(experiment))).flatMap(({ kind, payload }) =>
      kind === 'review-give' && payload.reviewer === name ? [payload.trial] : [],
    ),
  );
}

/** Labels that people can choose from. Throws bad input for cases with several labels, and for open questions. */
export function reviewedLabels({ definition: { dataset } }: FrozenExperiment): readonly string[] {
  const { labels = [] } = dataset;
  if (labels.length < 2 || isMultiLabel(dataset))
    throw badInput('people can review only cases with one label each; this experiment has others', { field: 'experiment' });
  return labels;
}

/** The reviews of an experiment that stand, in the order in which they were given. */
export function reviewsOf(store: Store, experiment: string): Review[] {
  const read = (ref: string | null) => (ref === null ? null : (store.blobs.get(ref) ?? null));
  const erased = new Map<string, string>();
  // What people judged stays theirs, each of them, when their names are erased.
  const nameOf = (ref: string): string => {
    const known = read(ref) ?? erased.get(ref);
    if (known !== undefined) return known;
    const name = `[erased] ${erased.size + 1}`;
    erased.set(ref, name);
    return name;
  };
  return standingReviews(
    parseChain(store.events.chain(reviewChain(experiment))).flatMap(({ seq, kind, payload }): GivenReview[] => {
      if (kind !== 'review-give') return [];
      const { v: _version, reviewer, reason, ...said } = payload;
      return [{ seq, ...said, reviewer: nameOf(reviewer), reason: read(reason) }];
    }),
  );
}

/**
 * Appends a review to the record. Returns its place in the chain.
 * @throws bad-input for a trial that has not ended or is not of the experiment, a label that it does not have, another label
 *   than the court's without a reason where the verdict is in view, and a replaced review that is not the reviewer's own
 */
export function giveReview(store: Store, experiment: string, review: NewReview): number {
  refuseErased(store, experiment);
  const frozen = loadFrozen(store, experiment);
  const labels = reviewedLabels(frozen);
  const { trial, judgement, label, blind, seconds, replaces } = review;
  const reviewer = review.reviewer.trim();
  const reason = review.reason?.trim() || null;
  if (reviewer === '') throw badInput('enter your name: every review bears the name of its reviewer', { field: 'reviewer' });
  if ((judgement === 'label') !== (label !== null) || (label !== null && !labels.includes(label)))
    throw badInput(`choose one of the labels ${labels.join(', ')}`, { field: 'label' });
  return store.write(() => {
    const row = store.trials.get(trial);
    if (row === undefined || row.experiment !== experiment || row.head_hash === null)
      throw badInput(`trial ${trial} has not ended or is not of this experiment`, { field: 'trial' });
    const before = reviewsOf(store, experiment);
    if (replaces !== null && !before.some((each) => each.seq === replaces && each.trial === trial && each.reviewer === reviewer))
      throw badInput('the review to change is not yours, or was changed since', { field: 'replaces' });
    const overrides = judgement === 'label' && !blind && JSON.stringify(label) !== row.prediction;
    if (overrides && reason === null)
      throw badInput('say why you disagree with the court: an override needs a reason', { field: 'reason' });
    const keep = (text: string) => {
      const ref = refOf(frozen.dataset.salt, text);
      store.blobs.put(ref, frozen.dataset.id, text);
      return ref;
    };
    const chain = reviewChain(experiment);
    store.events.append(chain, 'review-give', {
      v: 1,
      at: new Date().toISOString(),
      trial,
      head: row.head_hash,
      reviewer: keep(reviewer),
      judgement,
      label,
      reason: reason === null ? null : keep(reason),
      blind: blind && !answeredTrials(store, frozen, reviewer).has(trial),
      seconds,
      replaces,
    });
    return store.events.chain(chain).length - 1;
  });
}
