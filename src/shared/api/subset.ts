import { z } from 'zod';
import { outcomeSchema } from '../domain.ts';

/**
 * A part of an experiment's trials: those that meet every given condition. Nothing given is everything. What is
 * computed over a part is a look at the data and no finding.
 */
export const subsetSchema = z.strictObject({
  arms: z.array(z.string().max(200)).max(1000).optional(),
  /** Trials in which at least one of these models spoke. */
  models: z.array(z.string().max(300)).max(1000).optional(),
  /** Column of the data set -> values. */
  groups: z.record(z.string().max(500), z.array(z.string().max(2000)).max(1000)).optional(),
  outcomes: z.array(outcomeSchema).max(20).optional(),
});
export type Subset = z.infer<typeof subsetSchema>;
