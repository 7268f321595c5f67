import { z } from 'zod';
import { caseKindSchema, shownFactSchema } from '../domain.ts';
import { judgements } from '../events/review.ts';
import { reviewOrders, reviewSchema } from '../reviews.ts';

/** A reviewer's name, as it is kept. */
const reviewerName = z.string().trim().min(1).max(120);

export const reviewQuerySchema = z.strictObject({
  experiment: z.string(),
  reviewer: reviewerName,
  arm: z.string(),
  order: z.enum(reviewOrders),
  /** Whether the verdict stays hidden until the reviewer has judged. */
  blind: z.boolean(),
});
export type ReviewQuery = z.infer<typeof reviewQuerySchema>;

/** What the court found, for a reviewer who may know it. */
export const reviewedVerdictSchema = z.strictObject({
  prediction: z.string().nullable(),
  /** P(prediction), 0-1. */
  confidence: z.number().nullable(),
});
export type ReviewedVerdict = z.infer<typeof reviewedVerdictSchema>;

/** The case that a reviewer judges next. Of a blind one nothing is sent but what the court itself was told. */
export const reviewTaskSchema = z.strictObject({
  trial: z.string(),
  case: z.string(),
  kind: caseKindSchema,
  question: z.string().nullable(),
  facts: z.array(shownFactSchema),
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
  /** Trials of the arm that ended with a verdict, and those of them that the reviewer judged. */
  trials: z.int(),
  judged: z.int(),
  /** The reviewer's newest ten, the newest first: they can be taken back. */
  newest: z.array(reviewSchema.extend({ case: z.string() })),
});
export type ReviewPage = z.infer<typeof reviewPageSchema>;

export const reviewGivenSchema = z.strictObject({
  experiment: z.string(),
  trial: z.string(),
  reviewer: reviewerName,
  judgement: z.enum(judgements),
  label: z.string().nullable(),
  reason: z.string().max(4000).nullable(),
  blind: z.boolean(),
  seconds: z.number().min(0).max(86_400),
  /** Place of the reviewer's own review that this one takes the place of, or takes back; null for a new one. */
  replaces: z.int().min(0).nullable(),
});
