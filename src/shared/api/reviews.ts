import { z } from 'zod';
import { beliefSourceSchema, caseKindSchema, shownFactSchema } from '../domain.ts';
import { judgements } from '../events/review.ts';
import { adjudicationSchema, reviewLineSchema, reviewOrders, reviewSchema, signOffSchema } from '../reviews.ts';

/** A reviewer's name, as it is kept. */
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

/** What the court found, for a reviewer who may know it. */
export const reviewedVerdictSchema = z.strictObject({
  prediction: z.string().nullable(),
  /** P(prediction), 0-1. */
  confidence: z.number().nullable(),
  /** What that number is. */
  belief_source: beliefSourceSchema.nullable(),
});
export type ReviewedVerdict = z.infer<typeof reviewedVerdictSchema>;

/** The case that a reviewer judges next. A blind one contains only what the court itself was given. */
export const reviewTaskSchema = z.strictObject({
  trial: z.string(),
  case: z.string(),
  kind: caseKindSchema,
  question: z.string().nullable(),
  facts: z.array(shownFactSchema),
  replicate: z.int(),
  /** Null where it is hidden. Who took back an answer to this trial gets it in any case. */
  verdict: reviewedVerdictSchema.nullable(),
  /** Whether the reviewer judged it before: to see whether the answer is the same. */
  again: z.boolean(),
});
export type ReviewTask = z.infer<typeof reviewTaskSchema>;

export const reviewPageSchema = z.strictObject({
  labels: z.array(z.string()),
  /** Null where the reviewer has judged all, or the order has no place for the others: it needs a stated belief. */
  task: reviewTaskSchema.nullable(),
  /** Why the task is not the trial that was asked for; null if it is, or none was. */
  missed: z.enum(['reviewed', 'unfit']).nullable(),
  /** What the court found in the trial that was asked for, if the reviewer has judged it already. */
  asked_verdict: reviewedVerdictSchema.nullable(),
  /** Trials of each case in an arm. */
  replicates: z.int(),
  /** Cases with a verdict in the arm, and those of them that the reviewer judged, in whichever replicate. */
  trials: z.int(),
  judged: z.int(),
  /** The reviewer's newest ten, the newest first, and the one of the trial asked for: they can be taken back. */
  newest: z.array(reviewSchema.extend({ case: z.string(), replicate: z.int() })),
});
export type ReviewPage = z.infer<typeof reviewPageSchema>;

/** Each review of an experiment: a reviewer who has still to judge a case must not see it before. */
export const givenReviewsSchema = z.strictObject({
  /** The newest 500, the newest first. */
  reviews: z.array(reviewLineSchema),
  total: z.int(),
  replicates: z.int(),
});
export type GivenReviews = z.infer<typeof givenReviewsSchema>;

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

export const signOffPageSchema = z.strictObject({
  sign_offs: z.array(signOffSchema),
  /** Trials that have ended. */
  trials: z.int(),
  /** Hash over all that a sign-off covers now: one is refused if it names another. */
  state: z.string(),
});
export type SignOffPage = z.infer<typeof signOffPageSchema>;

export const disagreementQuerySchema = reviewQuerySchema.pick({ experiment: true, reviewer: true });
export type DisagreementQuery = z.infer<typeof disagreementQuerySchema>;

/** What reviewers differ on, for an adjudicator: like a blind case, with their answers and without the verdict. */
export const disagreementPageSchema = z.strictObject({
  labels: z.array(z.string()),
  /** The first that this adjudicator can settle; null where there is none. Of an answer that was not blind the reason is null. */
  task: reviewTaskSchema
    .pick({ trial: true, case: true, kind: true, question: true, facts: true, replicate: true })
    .extend({ answers: z.array(reviewSchema.pick({ seq: true, reviewer: true, label: true, reason: true })) })
    .nullable(),
  /** Trials on which reviewers differ and nothing is settled; those of them where this person is one of the reviewers. */
  open: z.int(),
  own: z.int(),
  /** What this adjudicator settled, the newest first: it can be taken back. */
  newest: z.array(adjudicationSchema.extend({ case: z.string() })),
});
export type DisagreementPage = z.infer<typeof disagreementPageSchema>;
