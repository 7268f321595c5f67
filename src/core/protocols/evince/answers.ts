import { z } from 'zod';
import type { AnswerSpec } from '../../answers/answer.ts';
import type { Recommendation } from '../court.ts';
import { certaintyShape, labelSchema, rankingShape } from '../labelBelief.ts';

export interface Statement {
  readonly arguments: string;
  readonly prediction: string;
}

/** Arguments first: a model that answers first argues for its answer afterwards. */
export function statementSpec(labels: readonly string[], topK: number): AnswerSpec<Statement> {
  const isWhole = topK >= labels.length;
  return {
    name: 'statement',
    schema: z.object({
      arguments: z.string().min(1).max(1400),
      prediction: labelSchema(labels),
      ...(isWhole ? certaintyShape(labels) : rankingShape(labels, topK)),
    }),
    labelFields: isWhole ? ['prediction'] : ['prediction', 'label'],
    labels,
  };
}

export const proposalSpec: AnswerSpec<{ proposal: string }> = {
  name: 'proposal',
  schema: z.object({ proposal: z.string().min(1).max(1400) }),
  labelFields: [],
  labels: [],
};

export const mostRecommendations = 8;

export const recommendationsSpec: AnswerSpec<{ recommendations: Recommendation[] }> = {
  name: 'recommendations',
  schema: z.object({
    recommendations: z
      .array(
        z.object({
          kind: z.enum(['inquiry', 'test', 'fact']),
          text: z.string().min(1).max(260),
          reason: z.string().min(1).max(260),
        }),
      )
      .min(1)
      .max(mostRecommendations),
  }),
  labelFields: [],
  labels: [],
};
