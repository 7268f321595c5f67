// The trials that one of several machines runs.
import { z } from 'zod';

/** Part `number` of `of`, counted from 1. */
export const partSchema = z.strictObject({ number: z.int().min(1), of: z.int().min(1) });
export type Part = z.infer<typeof partSchema>;

/** Whether a trial is in a part. Its id is a hash, so parts are about equal, and the same everywhere. */
export const isInPart = ({ number, of }: Part, trial: string): boolean =>
  Number.parseInt(trial.slice(0, 8), 16) % of === number - 1;

export const partWords = ({ number, of }: Part): string => `part ${number} of ${of}`;
