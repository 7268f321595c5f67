import { z } from 'zod';

/** The shapes a case can have. In all but `tabular` only the named columns are facts. */
export const caseKinds = ['tabular', 'text', 'pair', 'sections', 'open'] as const;
export const caseKindSchema = z.enum(caseKinds);
export type CaseKind = z.infer<typeof caseKindSchema>;

export const splitNames = ['test', 'train', 'validation'] as const;
export const splitNameSchema = z.enum(splitNames);
export type SplitName = z.infer<typeof splitNameSchema>;

export const factSchema = z.strictObject({ name: z.string(), value: z.string() });
export type Fact = z.infer<typeof factSchema>;

/** `shown`: the fact's name for people, where it has another than models read. */
export const shownFactSchema = factSchema.extend({ shown: z.string().optional() });
export type ShownFact = z.infer<typeof shownFactSchema>;

/** One label, several labels (multi-label case) or null where the truth is not known. */
export const truthSchema = z.union([z.string(), z.array(z.string()), z.null()]);
export type Truth = z.infer<typeof truthSchema>;

/** A case as it is stored. Truth and groups never reach a protocol; see `Case`. */
export const datasetCaseSchema = z.strictObject({
  /** The id as text, as in the source; the 1-based record number where the source has no ids. */
  id: z.string(),
  facts: z.array(factSchema),
  /** The question of an `open` case, else null: the data set's question holds. */
  question: z.string().nullable(),
  truth: truthSchema,
  groups: z.record(z.string(), z.string()),
  /** Sampling weight: how many of the population the case represents, up to a factor; absent where the data set has none. */
  weight: z.number().positive().optional(),
});
export type DatasetCase = z.infer<typeof datasetCaseSchema>;

/** A case as a protocol sees it: no truth, no groups, no id. */
export interface Case {
  readonly kind: CaseKind;
  readonly facts: readonly Fact[];
  readonly question: string;
  /** Candidate labels in order; empty for an open case. */
  readonly labels: readonly string[];
  /** The label whose presence is being tried, for two-label cases. */
  readonly positive: string | null;
  readonly multiLabel: boolean;
}

/** A labelled training case shown to a model before the case on trial. */
export interface Example {
  readonly facts: readonly Fact[];
  /** Of a multi-label case the list of its labels as JSON text. */
  readonly label: string;
}

/**
 * A distribution over the candidate labels; each 0-1, the sum 1 up to rounding. Of a multi-label case: label -> P(it
 * applies), each 0-1 by itself, with no rule for the sum.
 */
export const beliefSchema = z.record(z.string(), z.number().min(0).max(1));
export type Belief = z.infer<typeof beliefSchema>;

/**
 * `verbal`: stated, by a model or in a file of predictions. `votes`: shares of the judges or voters of one trial. `mixture`: the beliefs of several, weighted. `smoothed`: made by
 * a protocol from several beliefs of one judge.
 */
export const beliefSourceSchema = z.enum(['verbal', 'logprobs', 'sampled', 'votes', 'mixture', 'smoothed']);
export type BeliefSource = z.infer<typeof beliefSourceSchema>;

export const trialStatuses = ['queued', 'running', 'done'] as const;
export const trialStatusSchema = z.enum(trialStatuses);

/** Outcomes other than `decided`: each is counted as itself and never imputed. */
export const failureOutcomes = [
  'undecided',
  'malformed',
  'invalid_label',
  'truncated',
  'overflow',
  'timeout',
  'backend_error',
  'cancelled',
] as const;
export const failureOutcomeSchema = z.enum(failureOutcomes);
export type FailureOutcome = z.infer<typeof failureOutcomeSchema>;

/** How those who were asked answered. */
const answeredSchema = z.strictObject({
  /** Valid and failed answers, and forfeited turns. */
  asked: z.int().min(1),
  /** Valid answers by label. */
  counts: z.record(z.string(), z.int().min(0)),
  /** Answers that failed, by kind. */
  failures: z.partialRecord(failureOutcomeSchema, z.int().min(1)),
});

/** What a belief that the model did not state itself rests on. */
export const beliefGroundsSchema = z.strictObject({
  /** The distribution that the model stated anyway, or null; `confidence` is its number for the prediction. */
  verbal: beliefSchema.nullable(),
  logprobs: z
    .strictObject({
      /** `too-little`: under half of the model's mass, or with too much of it unseen. */
      status: z.enum(['used', 'not-reported', 'not-located', 'too-little']),
      /** Mass seen on tokens that distinguish one label from the others, 0-1. */
      coverage: z.number().min(0).max(1),
      /** What a probability can be off by at most, 0-1. */
      doubt: z.number().min(0).max(1),
      /** Labels that no reported token fits: what they have is an upper bound. */
      missing: z.array(z.string()),
    })
    .optional(),
  sampled: answeredSchema.optional(),
  /** The bench behind a verdict. */
  votes: answeredSchema
    .extend({
      /** Sum of the weights of the valid answers by label; absent where all count the same. */
      weights: z.record(z.string(), z.number().min(0)).optional(),
      /**
       * `weights`: the largest sum of weights; `confidence`, `order`, `points`, `declared`: how a tie was broken; `last`: the last judge decides alone;
       * `agreement`: those who argued agree.
       */
      decidedBy: z.enum(['majority', 'weights', 'confidence', 'order', 'last', 'points', 'declared', 'agreement']),
      /** Mean of the beliefs of all who answered; null where one of them has none. */
      mean: beliefSchema.nullable(),
    })
    .optional(),
  /** Whose beliefs were mixed, by role, and with which weights. */
  mixture: z.strictObject({ weights: z.record(z.string(), z.number().min(0)) }).optional(),
});
export type BeliefGrounds = z.infer<typeof beliefGroundsSchema>;

export const outcomes = ['decided', ...failureOutcomes] as const;
export const outcomeSchema = z.enum(outcomes);
export type Outcome = z.infer<typeof outcomeSchema>;

export const predictionSchema = z.union([z.string(), z.array(z.string()), z.null()]);
export type Prediction = z.infer<typeof predictionSchema>;
