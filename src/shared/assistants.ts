import { z } from 'zod';
import { predictionSchema } from './domain.ts';

/** What a version of the trained assistant was made from, as the record stores it. */
export const trainingSetSchema = z.strictObject({
  /** Cases are the same by this rule: 1, equal facts to the letter; 2, equal but for white space, capitals and rounding. */
  v: z.literal([1, 2]),
  statements: z.array(
    z.strictObject({
      trial: z.string(),
      /** Key of the utterance in that trial. */
      key: z.string(),
      /** Texts of the case and of the statement. */
      case: z.string(),
      text: z.string(),
      position: predictionSchema,
      /** The position is the true label of the case. */
      right: z.boolean(),
      /** Kept apart to measure the version on. */
      holdout: z.boolean(),
    }),
  ),
});
export type TrainingSet = z.infer<typeof trainingSetSchema>;

const counts = {
  statements: z.int(),
  cases: z.int(),
  /** Statements whose position is the true label. */
  positive: z.int(),
};

/** What `assize train-assistant --json` prints. */
export const trainReportSchema = z.strictObject({
  experiment: z.string(),
  store: z.string(),
  /** Number of the version among those of the data set, from 1. */
  version: z.int().min(1),
  /** False where the newest version was made from the same statements and vectors: nothing was done then. */
  trained_now: z.boolean(),
  /** Wall time of the training, ISO 8601. */
  at: z.string(),
  embedder: z.string(),
  dimensions: z.int(),
  training: z.strictObject(counts),
  /** On cases that the version has not seen. `auc`, `threshold`: null if all statements are of one kind. `threshold` divides right from wrong best. */
  holdout: z.strictObject({ ...counts, accuracy: z.number(), auc: z.number().nullable(), threshold: z.number().nullable() }),
  converged: z.boolean(),
  /** Statements that were left out, and why. */
  left_out: z.strictObject({
    /** Of cases that are not of the training split. */
    other_splits: z.int(),
    /** Of cases whose true label is not known. */
    unknown_truth: z.int(),
    /** Of trials that are not decided. */
    undecided: z.int(),
    /** Of debaters who gave up their position with them. */
    conceded: z.int(),
    /** Those that the embedding model could not take. */
    no_vector: z.int(),
  }),
  standin: z.boolean(),
});
export type TrainReport = z.infer<typeof trainReportSchema>;
