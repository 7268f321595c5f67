import { z } from 'zod';
import type { Case } from '../../../shared/domain.ts';
import type { AnswerSpec } from '../../answers/answer.ts';
import { type VerdictCase, verdictFields } from '../labelSetBelief.ts';
import { reasonSchema } from '../verdict.ts';

const factor = z.strictObject({
  factor: z.string().max(60),
  weight: z.enum(['low', 'medium', 'high']),
  reasoning: z.string().max(90),
});

/** Room for the points of a text, which are not counted beforehand. */
const leastRoom = 40;

/** Room for about 60 words. */
const step = z.string().min(1).max(500);

/** What stands in front of the verdict, by style. */
const before = {
  system1: () => ({}),
  cot: ({ facts }: Case) => ({ factors: z.array(factor).max(Math.max(leastRoom, facts.length)) }),
  'cot-nshot': ({ facts }: Case) => ({ factors: z.array(factor).max(Math.max(leastRoom, facts.length)) }),
  'few-shot': () => ({}),
  'cot-4-step': () => ({ demand: step, facts: step, weighing: step, outcome: step }),
} as const;

/** Styles of one call. */
export type OneCallStyle = keyof typeof before;

/** One label, or one list of labels for cases of several, after what the style asks for. */
export function answerSpec(style: OneCallStyle, kase: Case): AnswerSpec<unknown> {
  const { shape, labelFields } = verdictFields(kase);
  return { name: style, schema: z.object({ ...before[style](kase), ...shape }), labelFields, labels: kase.labels };
}

/** A verdict with its reason in front. */
export function reasonedSpec(name: string, kase: VerdictCase): AnswerSpec<{ reason: string }> {
  const { shape, labelFields } = verdictFields(kase);
  return { name, schema: z.object({ reason: reasonSchema, ...shape }), labelFields, labels: kase.labels };
}

/** Room for about 160 words. */
const longestCritique = 1200;

export const critiqueSpec: AnswerSpec<{ critique: string }> = {
  name: 'critique',
  schema: z.object({ critique: z.string().min(1).max(longestCritique) }),
  labelFields: [],
  labels: [],
};
