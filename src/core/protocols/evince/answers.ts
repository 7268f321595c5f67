// What EVINCE asks for: statements, a joint proposal, recommendations.
import { z } from 'zod';
import type { AnswerSpec } from '../../answers/answer.ts';
import { kept } from '../../answers/kept.ts';
import type { Recommendation } from '../court.ts';
import { type Knowledge, outsideShape } from '../knowledge.ts';
import { certaintyFlags, certaintyShape, labelSchema, rankingShape } from '../labelBelief.ts';
import { repeatFlags } from '../repeats.ts';
import { speechFlags, speechOf, textOf } from '../texts.ts';

export interface Statement {
  readonly arguments: string;
  readonly prediction: string;
}

/** Arguments first: a model that answers first argues for its answer afterwards. */
export const statementSpec = kept((labels: readonly string[], topK: number, knowledge: Knowledge): AnswerSpec<Statement> => {
  const isWhole = topK >= labels.length;
  return {
    name: 'statement',
    schema: z.object({
      arguments: speechOf(80),
      ...outsideShape(knowledge),
      prediction: labelSchema(labels),
      ...(isWhole ? certaintyShape(labels) : rankingShape(labels, topK)),
    }),
    labelFields: isWhole ? ['prediction'] : ['prediction', 'label'],
    labels,
    flags: (statement) => [...speechFlags(statement.arguments), ...certaintyFlags(statement)],
  };
});

export const proposalSpec: AnswerSpec<{ proposal: string }> = {
  name: 'proposal',
  schema: z.object({ proposal: speechOf(80) }),
  labelFields: [],
  labels: [],
  flags: ({ proposal }) => speechFlags(proposal),
};

export const mostRecommendations = 4;

const recommendationSchema = z.object({ kind: z.enum(['inquiry', 'test', 'fact']), text: textOf(20), reason: textOf(20) });

export const recommendationsSpec: AnswerSpec<{ recommendations: Recommendation[] }> = {
  name: 'recommendations',
  schema: z.object({ recommendations: z.array(recommendationSchema).min(1).max(mostRecommendations) }),
  labelFields: [],
  labels: [],
  flags: ({ recommendations }) => repeatFlags(recommendations, ({ text }) => text),
};
