import { z } from 'zod';

/** What the figures about deliberation are drawn from: the ways of many trials to their verdicts. */
export const deliberationFiguresSchema = z.strictObject({
  /** Trials of the subset that have ended. */
  trials: z.int(),
});
export type DeliberationFigures = z.infer<typeof deliberationFiguresSchema>;
