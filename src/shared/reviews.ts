import { z } from 'zod';
import { judgements } from './events/review.ts';
import { estimateShape } from './statistics.ts';

/**
 * How trials are put before a reviewer: in random order, those where the court was least certain first, or those where it believed least in the
 * label of the data set.
 */
export const reviewOrders = ['random', 'doubtful', 'label-in-doubt'] as const;
export type ReviewOrder = (typeof reviewOrders)[number];

export const reviewSchema = z.strictObject({
  /** Place in the chain of reviews of the experiment. */
  seq: z.int(),
  at: z.string(),
  trial: z.string(),
  /** Head of the trial's chain that was judged. */
  head: z.string(),
  /** Name that the reviewer gave; `[erased] 1`, `[erased] 2` and so on where it was erased. */
  reviewer: z.string(),
  judgement: z.enum(judgements).exclude(['withdrawn']),
  label: z.string().nullable(),
  reason: z.string().nullable(),
  blind: z.boolean(),
  seconds: z.number(),
});
export type Review = z.infer<typeof reviewSchema>;

const saidOf = reviewSchema.pick({ seq: true, at: true, trial: true, head: true, reviewer: true }).shape;

export const commentSchema = z.strictObject({
  ...saidOf,
  /** Place of the utterance or ruling in the chain of its trial. */
  utterance: z.int(),
  /** Characters (code points) of its text as readers see it, from 0; `end` is not among them. */
  start: z.int(),
  end: z.int(),
  /** The words of the range, and the comment; null where they were erased. */
  quote: z.string().nullable(),
  comment: z.string().nullable(),
});
export type Comment = z.infer<typeof commentSchema>;

/** The label that somebody else settled on where reviewers differ. */
export const adjudicationSchema = z.strictObject({
  ...saidOf,
  label: z.string(),
  reason: z.string().nullable(),
  /** Places of the reviews that it settles. */
  settles: z.array(z.int()),
  /** False where one of these was changed or taken back since, or the trial was tried again: it counts for nothing then. */
  current: z.boolean(),
});
export type Adjudication = z.infer<typeof adjudicationSchema>;

/** A person's name under an experiment as it was then. */
export const signOffSchema = z.strictObject({
  ...reviewSchema.pick({ seq: true, at: true, reviewer: true, reason: true }).shape,
  /** Hash of its event: it says all that is signed. */
  hash: z.string(),
  /** Trials that had ended. */
  trials: z.int(),
  /** What came since: trials that ended or were tried again; reviews, comments and adjudications; whether the experiment was extended, and texts erased. */
  changed: z.strictObject({ trials: z.int(), reviews: z.int(), arms: z.boolean(), erased: z.boolean() }),
});
export type SignOff = z.infer<typeof signOffSchema>;

export const reviewLineSchema = reviewSchema.extend({
  arm: z.string(),
  case: z.string(),
  /** Counted from 0. */
  replicate: z.int(),
  /** What the court found, and the label of the data set; null where there is none. */
  prediction: z.string().nullable(),
  truth: z.string().nullable(),
  /** False where the trial was tried again after this review. */
  current: z.boolean(),
  /** Whether the trial is of an arm with a declared change or exchanged sides. */
  varied: z.boolean(),
  /** Whether the reviewer judged the trial before, without taking that back. */
  repeated: z.boolean(),
});
export type ReviewLine = z.infer<typeof reviewLineSchema>;

/** A share or a coefficient with its interval over cases. `n`: the reviews that it is of. */
export const reviewEstimateSchema = z.strictObject({ ...estimateShape, n: z.int() });
export type ReviewEstimate = z.infer<typeof reviewEstimateSchema>;

export const reviewerSchema = z.strictObject({
  reviewer: z.string(),
  reviews: z.int(),
  labels: z.int(),
  unsure: z.int(),
  flags: z.int(),
  /** Seconds; the median over all of them. */
  seconds: z.number(),
  /** Share of the reviews with a label that name the court's, and the same beyond chance. */
  agreement: reviewEstimateSchema,
  kappa: reviewEstimateSchema,
  ac1: reviewEstimateSchema,
  /** Share of the trials judged twice with the same label from the reviewer. */
  self: reviewEstimateSchema,
  /** Of the reviewer, of the court on the same trials, and of the two where they agree: the share that is right by the data set. */
  accuracy: reviewEstimateSchema,
  court_accuracy: reviewEstimateSchema,
  agreed_accuracy: reviewEstimateSchema,
});
export type Reviewer = z.infer<typeof reviewerSchema>;

/** What one person answered for a trial, as it is shown. `blind`: before the court’s verdict was shown; `reason`: empty where there is none. */
export const trialAnswerSchema = z.strictObject({
  who: z.string(),
  answer: z.string(),
  blind: z.boolean(),
  reason: z.string(),
});
export type TrialAnswer = z.infer<typeof trialAnswerSchema>;

/** Of all cases with a label and a verdict, estimated from those that people gave a label. */
const allLabelsSchema = z.strictObject({
  /** Cases whose label no verdict of the court names (`doubted`), and the others: how many, reviewed, and wrong by most reviewers. */
  parts: z.array(z.strictObject({ doubted: z.boolean(), cases: z.int(), reviewed: z.int(), wrong: z.int() })),
  /** The parts' shares weighed by their cases; null where a part has no review. */
  wrong_labels: reviewEstimateSchema,
  /** Random reviews of cases that are not doubted that would bring the interval to ± `half_width`; null where none would. */
  to_narrow: z.strictObject({ half_width: z.number(), reviews: z.int() }).nullable(),
  /** By arm, over its finished cases, a failure counted as wrong: the accuracy by the labels of all, and as the reviews correct it. */
  arms: z.array(
    z.strictObject({
      arm: z.string(),
      cases: z.int(),
      accuracy_by_label: z.number(),
      accuracy_corrected: reviewEstimateSchema,
    }),
  ),
});
export type AllLabels = z.infer<typeof allLabelsSchema>;

/** Over the cases that people gave a label; only `all` says anything of the others. */
const labelErrorsSchema = z.strictObject({
  /** Share whose label in the data set is another one than most reviewers give. */
  wrong_labels: reviewEstimateSchema,
  /** Cases on which no answer has the most reviewers, and that were not settled: they are in no estimate. */
  disputed: z.int(),
  /** Cases of the estimates whose answer is an adjudicator's. */
  adjudicated: z.int(),
  /** The court's accuracy by the data set, by the reviewers, and the second less the first. */
  accuracy_by_label: reviewEstimateSchema,
  accuracy_by_people: reviewEstimateSchema,
  accuracy_change: reviewEstimateSchema,
  all: allLabelsSchema,
});
export type LabelErrors = z.infer<typeof labelErrorsSchema>;

/** What people judged of an experiment. Fields are added, never renamed. */
export const reviewReportSchema = z.strictObject({
  experiment: z.string(),
  reviews: z.array(reviewLineSchema),
  cases: z.int(),
  comments: z.array(commentSchema),
  adjudications: z.array(adjudicationSchema),
  sign_offs: z.array(signOffSchema),
  /** Reviews of trials that were tried again since: they count in no agreement. */
  outdated: z.int(),
  /** Trials that two or more reviewers gave different labels, and those of them that an adjudicator settled. */
  disagreements: z.int(),
  settled: z.int(),
  reviewers: z.array(reviewerSchema),
  /** Krippendorff's alpha over the trials that two or more reviewers gave a label. */
  between: reviewEstimateSchema,
  /** Share that names the court's label where the verdict was hidden, where it was shown, and open less blind. */
  blind_agreement: reviewEstimateSchema,
  open_agreement: reviewEstimateSchema,
  open_less_blind: reviewEstimateSchema,
  label_errors: labelErrorsSchema,
});
export type ReviewReport = z.infer<typeof reviewReportSchema>;

/** A line of `reviews-jsonl`: one for each review, comment, adjudication and sign-off in force; `reviews-csv` has the same columns. */
export const reviewRowSchema = z.strictObject({
  kind: z.enum(['review', 'comment', 'adjudication', 'sign-off']),
  seq: z.int(),
  at: z.string(),
  reviewer: z.string(),
  /** Null of a sign-off. */
  trial: z.string().nullable(),
  arm: z.string().nullable(),
  case: z.string().nullable(),
  /** Counted from 0. */
  replicate: z.int().nullable(),
  /** Of a review; the label of an adjudication too. */
  judgement: z.string().nullable(),
  label: z.string().nullable(),
  blind: z.boolean().nullable(),
  seconds: z.number().nullable(),
  repeated: z.boolean().nullable(),
  /** Reason, or the comment. */
  text: z.string().nullable(),
  /** What the court found, and the label of the data set. */
  prediction: z.string().nullable(),
  truth: z.string().nullable(),
  /** Whether it is about the trial, and an adjudication about the reviews, as they are now; of a sign-off whether nothing changed since. */
  current: z.boolean(),
  utterance: z.int().nullable(),
  start: z.int().nullable(),
  end: z.int().nullable(),
  quote: z.string().nullable(),
  settles: z.array(z.int()).nullable(),
  /** Trials that are signed, and the hash of the sign-off. */
  trials: z.int().nullable(),
  hash: z.string().nullable(),
});
export type ReviewRow = z.infer<typeof reviewRowSchema>;

/** The same without what was said of single cases: a reviewer who has still to judge them must not learn it. */
export const reviewResultsSchema = reviewReportSchema.omit({
  reviews: true,
  comments: true,
  adjudications: true,
  sign_offs: true,
});
export type ReviewResults = z.infer<typeof reviewResultsSchema>;
