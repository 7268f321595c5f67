import { z } from 'zod';
import { trainReportSchema } from '../assistants.ts';
import { eventSchemas } from '../events.ts';

/** The trained assistants of an experiment's data set, and whether the experiment has debates to learn from. */
export const assistantsViewSchema = z.strictObject({
  /** Some arm is of debates without an assistant. */
  trainable: z.boolean(),
  /** The embedding model that such an arm has cast; null where none has. */
  embedder: z.string().nullable(),
  /** The newest first. */
  versions: z.array(
    eventSchemas['assistant-train'].pick({
      ...{ version: true, at: true, experiment: true, embedder: true, training: true, holdout: true, standin: true },
    }),
  ),
});
export type AssistantsView = z.infer<typeof assistantsViewSchema>;

/** How far a training is, a few times a second, and its result at the end; the store's file name replaces its path. */
export const trainFrameSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('progress'), phase: z.enum(['vectors', 'fit']), done: z.int(), of: z.int() }),
  z.strictObject({ kind: z.literal('done'), report: trainReportSchema }),
]);
export type TrainFrame = z.infer<typeof trainFrameSchema>;
