import { z } from 'zod';
import type { BeliefSource, CaseKind, ShownFact } from '../domain.ts';
import { judgements } from '../events/review.ts';
import { type Adjudication, type Comment, type Review, type ReviewLine, reviewOrders, type SignOff } from '../reviews.ts';

const reviewerName = z.string().trim().min(1).max(120);

export const reviewQuerySchema = z.strictObject({
  experiment: z.string(),
  reviewer: reviewerName,
  arm: z.string(),
  order: z.enum(reviewOrders),
  /** Whether the verdict stays hidden until the reviewer has judged. */
  blind: z.boolean(),
  /** Trial of the arm that comes before the order; null for none. */
  asked: z.string().nullable(),
});
export type ReviewQuery = z.infer<typeof reviewQuerySchema>;

export interface ReviewedVerdict {
  readonly prediction: string | null;
  /** P(prediction), 0-1. */
  readonly confidence: number | null;
  /** What that number is. */
  readonly belief_source: BeliefSource | null;
}

/** The case that a reviewer judges next. A blind one contains only what the court itself was given. */
export interface ReviewTask {
  readonly trial: string;
  readonly case: string;
  readonly kind: CaseKind;
  readonly question: string | null;
  readonly facts: readonly ShownFact[];
  readonly replicate: number;
  /** Null where it is hidden. Who took back an answer to this trial gets it in any case. */
  readonly verdict: ReviewedVerdict | null;
  /** Whether the reviewer judged it before: to see whether the answer is the same. */
  readonly again: boolean;
}

export interface ReviewPage {
  readonly labels: readonly string[];
  /** Null where the reviewer has judged all, or the order has no place for the others: it needs a stated belief. */
  readonly task: ReviewTask | null;
  /** Why the task is not the trial that was asked for; null if it is, or none was. */
  readonly missed: 'reviewed' | 'unfit' | null;
  /** What the court found in the trial that was asked for, if the reviewer has judged it already. */
  readonly asked_verdict: ReviewedVerdict | null;
  /** Trials of each case in an arm. */
  readonly replicates: number;
  /** Cases with a verdict in the arm, and those of them that the reviewer judged, in whichever replicate. */
  readonly trials: number;
  readonly judged: number;
  /** The reviewer's newest ten, the newest first, and the one of the trial asked for: they can be taken back. */
  readonly newest: readonly (Review & {
    readonly case: string;
    readonly replicate: number;
  })[];
}

/** Each review of an experiment, and each comment: a reviewer who has still to judge a case must not see it before. */
export interface GivenReviews {
  /** The newest 500, the newest first. */
  readonly reviews: readonly ReviewLine[];
  readonly total: number;
  /** The newest 500, the newest first, each with its trial. */
  readonly comments: readonly (Comment & Pick<ReviewLine, 'arm' | 'case' | 'replicate'>)[];
  readonly replicates: number;
}

/** What every request has that puts something on the record. */
const given = {
  reviewer: reviewerName,
  /** Place of the person's own event that this one takes the place of, or takes back; null for a new one. */
  replaces: z.int().min(0).nullable(),
};
const longText = z.string().max(4000);

export const reviewGivenSchema = z.strictObject({
  ...given,
  experiment: z.string(),
  trial: z.string(),
  judgement: z.enum(judgements),
  label: z.string().nullable(),
  reason: longText.nullable(),
  blind: z.boolean(),
  seconds: z.number().min(0).max(86_400),
});

export const commentGivenSchema = z.strictObject({
  ...given,
  trial: z.string(),
  /** Place of the utterance or ruling in the chain of its trial. */
  utterance: z.int().min(0),
  /** Characters (code points) of its text as the reader saw it, from 0; `end` is not among them. */
  start: z.int().min(0),
  end: z.int().min(1),
  /** The words of the range as the reader saw them. */
  quote: z.string(),
  /** Null: takes the replaced one back. */
  comment: longText.nullable(),
});

export const adjudicationGivenSchema = z.strictObject({
  ...given,
  experiment: z.string(),
  trial: z.string(),
  /** Null: takes the replaced one back. */
  label: z.string().nullable(),
  reason: longText.nullable(),
  /** Places of the reviews that the adjudicator saw. */
  settles: z.array(z.int().min(0)).max(1000),
});

/** With `replaces`, takes that sign-off back. */
export const signOffGivenSchema = z.strictObject({ ...given, experiment: z.string(), reason: longText, state: z.string() });

export interface SignOffPage {
  readonly sign_offs: readonly SignOff[];
  /** Trials that have ended. */
  readonly trials: number;
  /** Hash over all that a sign-off covers now: one is refused if it names another. */
  readonly state: string;
}

export const disagreementQuerySchema = reviewQuerySchema.pick({ experiment: true, reviewer: true });
export type DisagreementQuery = z.infer<typeof disagreementQuerySchema>;

/** What reviewers differ on, for an adjudicator: like a blind case, with their answers and without the verdict. */
export type DisagreementPage = {
  readonly labels: readonly string[];
  /** The first that this adjudicator can settle; null where there is none. Of an answer that was not blind the reason is null. */
  readonly task:
    | (Pick<ReviewTask, 'trial' | 'case' | 'kind' | 'question' | 'facts' | 'replicate'> & {
        readonly answers: readonly Pick<Review, 'seq' | 'reviewer' | 'label' | 'reason'>[];
      })
    | null;
  /** Trials on which reviewers differ and nothing is settled; those of them where this person is one of the reviewers. */
  readonly open: number;
  readonly own: number;
  /** What this adjudicator settled, the newest first: it can be taken back. */
  readonly newest: readonly (Adjudication & {
    readonly case: string;
  })[];
};
