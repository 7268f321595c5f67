// What an experiment decides beforehand: its primary comparison and when it stops.
import { z } from 'zod';

/** Marks a baseline among the two that are compared: `baseline:majority`. */
export const baselineMark = 'baseline:';

export const primaryTests = ['difference', 'non-inferiority', 'equivalence'] as const;

export const primarySchema = z.strictObject({
  /** An arm, and an arm or a baseline (`baseline:majority`) that it is compared with. */
  compare: z.tuple([z.string().min(1), z.string().min(1)]),
  measure: z.enum(['accuracy', 'macro_f1', 'brier', 'log_loss', 'area_under_curve']).default('accuracy'),
  test: z.enum(primaryTests).default('difference'),
  /** The smallest difference that would matter, in the measure's own units; for non-inferiority and equivalence. */
  margin: z.number().positive().max(1).optional(),
  /** Tests that are decided beforehand, this one included: the level is 5% divided by it. */
  family: z.int().min(1).max(1000).default(1),
});
export type Primary = z.infer<typeof primarySchema>;

export const stopSchema = z.strictObject({
  /** The run ends once the anytime-valid interval of the primary comparison is narrower. */
  width: z.number().positive().max(2),
});
