import { z } from 'zod';
import { beliefGroundsSchema, beliefSchema, beliefSourceSchema, predictionSchema } from '../domain.ts';

/** What a role holds: the fields of every event that states a belief. */
export const statedBelief = {
  prediction: predictionSchema,
  /** P(prediction) as stated, 0-1. */
  confidence: z.number().min(0).max(1).nullable(),
  belief: beliefSchema.nullable(),
  source: beliefSourceSchema,
  /** The prediction is not the belief's most likely label; it is kept anyway. */
  inconsistent: z.boolean(),
  /** Absent where the belief is verbal. */
  grounds: beliefGroundsSchema.optional(),
};
