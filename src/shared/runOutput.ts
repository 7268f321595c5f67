import { z } from 'zod';
import { checkSchema } from './checks.ts';

export const runReportSchema = z.strictObject({
  experiment: z.string(),
  store: z.string(),
  planned: z.int(),
  done: z.int(),
  finished_now: z.int(),
  decided: z.int(),
  /** Finished trials by outcome. */
  outcomes: z.record(z.string(), z.int()),
  /** The truncated answers that repeated themselves until they were cut. */
  looped: z.int(),
  /** Every planned trial is done, or every one that the stopping rule wants. */
  complete: z.boolean(),
  /** Where the experiment's stopping rule ended the run: cases, anytime-valid interval, and the width that it had to fall below; absent where it has not. */
  stopped: z.strictObject({ cases: z.int(), low: z.number(), high: z.number(), width: z.number() }).optional(),
  /** Trials that wait for their moderator; the run ends without them. */
  waiting: z.int(),
  /** Some answers came from the demo model and not from a model. */
  standin: z.boolean(),
  checks: z.array(checkSchema),
  /** The checks, each in one line. */
  notes: z.array(z.string()),
});
export type RunReportJson = z.infer<typeof runReportSchema>;
