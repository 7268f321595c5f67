import { z } from 'zod';
import type { AnswerSpec } from './answer.ts';

export interface Verdict {
  readonly prediction: string;
  readonly confidence: number | null;
  readonly reasoning?: string | undefined;
}

/** A verdict as protocols ask for it, with confidence in percent; test data. */
export const verdictSpec: AnswerSpec<Verdict> = {
  name: 'verdict',
  schema: z.strictObject({
    prediction: z.enum(['NO', 'YES']),
    confidence: z.number().min(0).max(100).nullable(),
    reasoning: z.string().max(2000).optional(),
  }),
  labelFields: ['prediction'],
  labels: ['NO', 'YES'],
};
