import { z } from 'zod';
import type { AnswerSpec } from '../../answers/answer.ts';
import { certaintyShape, labelSchema } from '../labelBelief.ts';

const planSchema = z.object({
  own_strengths: z.string().max(400),
  own_weaknesses: z.string().max(400),
  opponent_points: z.string().max(400),
  plan: z.string().max(400),
});

/** Plan first, so that the speech follows from it. */
export const advocateSpec: AnswerSpec<{ private_strategy: z.infer<typeof planSchema>; utterance: string }> = {
  name: 'speech',
  schema: z.object({ private_strategy: planSchema, utterance: z.string().min(1).max(1400) }),
  labelFields: [],
  labels: [],
};

const verdictShape = (labels: readonly string[]) => ({ prediction: labelSchema(labels), ...certaintyShape(labels) });

export interface JudgeUpdate {
  reasoning: string;
  critique_prosecution: string;
  critique_defense: string;
  prediction: string;
}

/** Reasons before the prediction: a model that answers first argues for its answer afterwards. */
export function updateSpec(labels: readonly string[]): AnswerSpec<JudgeUpdate> {
  return {
    name: 'belief update',
    schema: z.object({
      reasoning: z.string().max(700),
      critique_prosecution: z.string().max(400),
      critique_defense: z.string().max(400),
      ...verdictShape(labels),
    }),
    labelFields: ['prediction'],
    labels,
  };
}

export interface RulingAnswer {
  opinion: string;
  prediction: string;
  reasoning: string[];
  critique: string;
  belief_updates?: { prediction: string }[] | undefined;
}

/** @param recalled number of speeches whose beliefs are recalled in the ruling; 0 for none */
export function rulingSpec(labels: readonly string[], recalled: number): AnswerSpec<RulingAnswer> {
  const ruling = {
    opinion: z.string().max(1200),
    ...verdictShape(labels),
    reasoning: z.array(z.string().max(240)).max(6),
    critique: z.string().max(700),
  };
  const beliefs = z
    .array(z.object(verdictShape(labels)))
    .min(recalled)
    .max(recalled);
  return {
    name: 'ruling',
    schema: recalled === 0 ? z.object(ruling) : z.object({ ...ruling, belief_updates: beliefs }),
    labelFields: ['prediction'],
    labels,
  };
}
