// What of the planned trials of an arm is not plainly decided.
import { z } from 'zod';
import { failureOutcomes } from './domain.ts';

/** In the order in which reports list them. */
export const unsettledKinds = ['not_begun', 'not_ended', ...failureOutcomes, 'turn_lost'] as const;

/** Trials of an arm that are not plainly decided, by what became of them. */
export const unsettledTrialsSchema = z.strictObject({
  /** `not_ended`: started, and interrupted or under way. `turn_lost`: decided, although a turn was lost. Else the failure that it ended in. */
  kind: z.enum(unsettledKinds),
  trials: z.int(),
  cases: z.int(),
  /** Ids of these cases, the first of them in the order of the sample. */
  first: z.array(z.string()),
});
export type UnsettledTrials = z.infer<typeof unsettledTrialsSchema>;
