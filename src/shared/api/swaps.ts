import { z } from 'zod';
import { beliefSourceSchema, predictionSchema } from '../domain.ts';
import { experimentSchema } from '../experiment.ts';
import { subsetSchema } from './subset.ts';

/** An arm paired with another, such as itself with something exchanged. */
export const flippedQuerySchema = z.strictObject({
  experiment: experimentSchema.shape.name,
  base: z.string().max(200),
  swapped: z.string().max(200),
  /** Trials of this part alone. */
  subset: subsetSchema.omit({ arms: true, models: true }).optional(),
  /** Pairs with one verdict too, and those without. */
  all: z.boolean().optional(),
});

export type FlippedQuery = z.infer<typeof flippedQuerySchema>;

const verdictSchema = z.strictObject({
  trial: z.string(),
  prediction: predictionSchema,
  /** P(prediction) as stated, 0-1. */
  confidence: z.number().nullable(),
  /** What that number is. */
  belief_source: beliefSourceSchema.nullable(),
});

/** Pairs of trials whose verdicts differ, or all of them, at most 500, in the order of the sample. */
export const flippedPairsSchema = z.strictObject({
  total: z.int(),
  /** Trials of each case in each arm. */
  replicates: z.int(),
  pairs: z.array(z.strictObject({ case: z.string(), replicate: z.int(), base: verdictSchema, swapped: verdictSchema })),
});
export type FlippedPairs = z.infer<typeof flippedPairsSchema>;
