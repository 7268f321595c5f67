// What AgenticSimLLM asks for: a plan and speech, a belief, a ruling.
import { z } from 'zod';
import { type AnswerSpec, unlabelled } from '../../answers/answer.ts';
import { kept } from '../../answers/kept.ts';
import { type Knowledge, outsideShape } from '../knowledge.ts';
import { certaintyShape, labelSchema } from '../labelBelief.ts';
import { speechFlags, speechOf, textOf } from '../texts.ts';
import { reasonSchema } from '../verdict.ts';

export type Side = 'prosecutor' | 'defense';

const point = textOf(20);
const planSchema = z.object({ own_strengths: point, own_weaknesses: point, opponent_points: point, plan: point });

/** Plan first, so that the speech follows from it. */
export const advocateSpec = kept((knowledge: Knowledge) =>
  unlabelled(
    'speech',
    z.object({ private_strategy: planSchema, utterance: speechOf(80), ...outsideShape(knowledge) }),
    ({ utterance }) => speechFlags(utterance),
  ),
);

const verdictShape = (labels: readonly string[]) => ({ prediction: labelSchema(labels), ...certaintyShape(labels) });

/** Reasons come before the prediction they lead to. @param heard the sides that have spoken: only they get a critique */
export const updateSpec = kept(
  (labels: readonly string[], heard: readonly Side[]): AnswerSpec<unknown> => ({
    name: 'belief update',
    schema: z.object({
      reasoning: reasonSchema,
      ...(heard.includes('prosecutor') ? { critique_prosecution: point } : {}),
      ...(heard.includes('defense') ? { critique_defense: point } : {}),
      ...verdictShape(labels),
    }),
    labelFields: ['prediction'],
    labels,
  }),
);

export interface RulingAnswer {
  prediction: string;
  belief_updates?: unknown[] | undefined;
}

/** @param recalled number of speeches whose beliefs are recalled in the ruling; 0 for none */
export const rulingSpec = kept((labels: readonly string[], recalled: number): AnswerSpec<RulingAnswer> => {
  const ruling = {
    opinion: textOf(60),
    ...verdictShape(labels),
    reasoning: z.array(point).min(1).max(3),
    critique: textOf(40),
  };
  const beliefs = z.array(z.object(verdictShape(labels))).length(recalled);
  return {
    name: 'ruling',
    schema: recalled === 0 ? z.object(ruling) : z.object({ ...ruling, belief_updates: beliefs }),
    labelFields: ['prediction'],
    labels,
  };
});
