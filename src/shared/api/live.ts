import { z } from 'zod';
import { experimentSchema } from '../experiment.ts';
import { trialFrameSchema, trialViewSchema } from './trials.ts';

/** Runs to follow: those of one experiment, or all that are under way. */
export const liveQuerySchema = z.strictObject({ experiment: experimentSchema.shape.name.nullable() });

export const liveFrameSchema = z.discriminatedUnion('kind', [
  /** A trial that runs now, or one that begins a further attempt: replaces what was known of it. */
  z.strictObject({ kind: z.literal('court'), view: trialViewSchema }),
  /** Changes of trials already announced, in order, at most one of each trial; a line that is done is its last. */
  z.strictObject({
    kind: z.literal('changes'),
    changes: z.array(z.strictObject({ trial: z.string(), frames: z.array(trialFrameSchema) })),
  }),
]);
export type LiveFrame = z.infer<typeof liveFrameSchema>;
