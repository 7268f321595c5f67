// What EVINCE asks for: statements, a joint proposal, recommendations.
import { z } from 'zod';
import { type AnswerSpec, unlabelled } from '../../answers/answer.ts';
import { kept } from '../../answers/kept.ts';
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

export const proposalSpec = unlabelled('proposal', z.object({ proposal: speechOf(80) }), ({ proposal }) => speechFlags(proposal));

export const mostRecommendations = 4;

const recommendationSchema = z.object({ kind: z.enum(['inquiry', 'test', 'fact']), text: textOf(20), reason: textOf(20) });

export const recommendationsSpec = unlabelled(
  'recommendations',
  z.object({ recommendations: z.array(recommendationSchema).min(1).max(mostRecommendations) }),
  ({ recommendations }) => repeatFlags(recommendations, ({ text }) => text),
);
