import { z } from 'zod';
import { predictionSchema } from '../domain.ts';
import { callFailureKindSchema } from '../model.ts';
import { keyed, ofRole, ref, statedBelief, text, vectorsAsked, vectorsMade, version } from './parts.ts';

const share = z.number().min(0).max(1);

const positionAssignSchema = z.strictObject({
  ...keyed,
  /** `two-labels`: there is one other; `distribution`: the next likely label; `doubtful-label`: the set with its most doubtful label turned over. */
  from: z.enum(['two-labels', 'distribution', 'doubtful-label']),
  /** Role -> what it has to hold; a role that is not in it is free. */
  positions: z.record(z.string(), predictionSchema),
});

const opinionRateSchema = z.strictObject({
  ...ofRole,
  /** Key of the utterance that is rated. */
  of: z.string(),
  /** Reliability, 0-1; null where there is none. */
  value: share.nullable(),
  /** Of an assistant that was trained: absent where a model was asked, whose call is on the record. */
  trained: z
    .strictObject({
      /** Number of the version, from 1, and hash of the event that records its training, hexadecimal. */
      assistant: z.strictObject({ version: z.int().min(1), hash: z.string().length(64) }),
      /** Hash of the text whose vector was made, with the version that rates it. */
      request: ref,
      /** Embedding model, digest, backend, its version and address, as JSON text. */
      setup: text,
      /** The vector as base64 of 32-bit floats, little-endian; null where there is none. */
      vector: text.nullable(),
      failure: z.strictObject({ kind: callFailureKindSchema, message: text }).optional(),
    })
    .optional(),
});

const roundSettleSchema = z.strictObject({
  ...keyed,
  /** From 1. */
  round: z.int().min(1),
  assistant: z.enum(['none', 'model', 'trained']),
  /** One for each debater: v_k; null where it has given no answer, or where its answer was not rated. */
  ratings: z.array(z.strictObject({ role: z.string(), value: share.nullable() })),
  /** Mean of the available ratings, and its threshold; null if there is none. */
  mean: share.nullable(),
  /** The best rating is compared with the threshold, or `each` by itself; absent: the mean is. */
  passing: z.enum(['max', 'each']).optional(),
  threshold: share,
  /** `unheard`: no valid summary or no valid answer of the judge, so the debate has nothing to continue with. */
  result: z.enum(['passed', 'unreliable', 'unheard']),
  /** What O_i is: smoothed with the answer of this round, O_0, or O_(i-1). */
  kept: z.enum(['smoothed', 'initial', 'previous']),
  /** T: the weight of this round's answer. */
  weight: share,
  /** Two labels were equally likely, so that the label before stays. */
  tie: z.boolean(),
  /** LM(x, summary), before any smoothing; null where there is none. */
  judge: z.strictObject(statedBelief).nullable(),
  /** The judge's whole answer as JSON text. */
  notes: text.nullable(),
});

/** In the chain of a data set's assistants: vectors of statements that debaters have made. */
const statementEmbedSchema = z.strictObject({
  ...vectorsAsked,
  /** Case and statement by their texts, in the order in which they were sent. */
  statements: z.array(z.tuple([text, text])).min(1),
  ...vectorsMade,
});

/** In the chain of a data set's assistants: one version, and what it was made from. */
const assistantTrainSchema = z.strictObject({
  v: version,
  at: z.string(),
  /** `version-1`. */
  key: z.string(),
  version: z.int().min(1),
  experiment: z.string(),
  /** Version of the program. */
  assize: z.string(),
  embedder: z.strictObject({ backend: z.string(), model: z.string(), digest: z.string().nullable() }),
  standin: z.boolean(),
  seed: z.int().min(0),
  /** The statements it was made from, as JSON text; `trainingSetSchema` of `shared/assistants.ts`. */
  statements: text,
  /** Coefficients and then the intercept, as base64 of 64-bit floats, little-endian. */
  weights: text,
  dimensions: z.int().min(1),
  fit: z.strictObject({
    inversePenalty: z.number().positive(),
    iterations: z.int().min(0),
    isConverged: z.boolean(),
  }),
  /** Counts of statements and cases; `positive`: statements whose position is the true label. */
  training: z.strictObject({ statements: z.int(), cases: z.int(), positive: z.int() }),
  /** On cases that it has not seen. `area`: under the ROC curve; null where all of them are of one kind. */
  holdout: z.strictObject({
    statements: z.int(),
    cases: z.int(),
    positive: z.int(),
    accuracy: share,
    area: share.nullable(),
    /** Rating with the highest balanced accuracy; null where all of them are of one kind; absent in records from before it was learnt. */
    threshold: share.nullable().optional(),
  }),
});

export const debateFeedbackEvents = {
  'position-assign': positionAssignSchema,
  'opinion-rate': opinionRateSchema,
  'round-settle': roundSettleSchema,
  'statement-embed': statementEmbedSchema,
  'assistant-train': assistantTrainSchema,
} as const;
