import { z } from 'zod';
import type { Subtopic } from '../../../shared/moderation.ts';
import type { AnswerSpec } from '../../answers/answer.ts';
import { certaintyShape, labelSchema } from '../labelBelief.ts';

const title = z.string().min(1).max(120);
const scope = z.string().min(1).max(300);
/** Room for about 60 words. */
const argument = z.string().min(1).max(600);
const justification = z.string().min(1).max(800);
const item = z.string().min(1).max(300);

const unlabelled = { labelFields: [], labels: [] } as const;

export const subtopicsSpec = (count: number): AnswerSpec<{ subtopics: Subtopic[] }> => ({
  name: 'subtopics',
  schema: z.object({ subtopics: z.array(z.object({ title, scope })).min(1).max(count) }),
  ...unlabelled,
});

export const balanceSpec: AnswerSpec<{ justification: string; balanced: boolean }> = {
  name: 'balance',
  schema: z.object({ justification, balanced: z.boolean() }),
  ...unlabelled,
};

/** Name of a subtopic's field in an answer. */
export const topicField = (index: number): string => `topic_${index + 1}`;

const topicShape = <S extends z.ZodType>(topics: number, schema: S): Record<string, S> =>
  Object.fromEntries(Array.from({ length: topics }, (_, index) => [topicField(index), schema]));

/** One argument for each subtopic; with labels a prediction after them. */
export function argumentSpec(topics: number, labels: readonly string[]): AnswerSpec<Record<string, unknown>> {
  const shape = topicShape(topics, argument);
  if (labels.length === 0) return { name: 'arguments', schema: z.object(shape), ...unlabelled };
  return {
    name: 'arguments',
    schema: z.object({ ...shape, prediction: labelSchema(labels), ...certaintyShape(labels) }),
    labelFields: ['prediction'],
    labels,
  };
}

/** The arguments of an answer, subtopic by subtopic. */
export const argumentsIn = (topics: number, answer: Readonly<Record<string, unknown>>): string[] =>
  Array.from({ length: topics }, (_, index) => argument.parse(answer[topicField(index)]));

export const exhaustedSpec: AnswerSpec<{ remaining: string; exhausted: boolean }> = {
  name: 'exhausted',
  schema: z.object({ remaining: z.string().max(600), exhausted: z.boolean() }),
  ...unlabelled,
};

export interface Proposal {
  readonly proposal: string;
  readonly open_questions: readonly string[];
  readonly next_steps: readonly string[];
}

export const proposalSpec: AnswerSpec<Proposal> = {
  name: 'proposal',
  schema: z.object({
    proposal: z.string().min(1).max(1400),
    open_questions: z.array(item).max(5),
    next_steps: z.array(item).max(5),
  }),
  ...unlabelled,
};

const points = z.int().min(1).max(10);
const claim = z.string().min(1).max(300);

/** Sides as a judge's answer names them. */
export const sideField = { agentA: 'agent_a', agentB: 'agent_b' } as const;
export type Side = keyof typeof sideField;

const scoresSchema = z.object({ agent_a: points, agent_b: points });
const panelAnswerSchema = z.looseObject({
  agent_a_claim: claim,
  agent_b_claim: claim,
  winner: z.enum(['agent_a', 'agent_b', 'tie']),
  justification,
});

/** A judge's scores, fields in the order in which it reads the sides. */
export function panelSpec(topics: number, order: readonly Side[]): AnswerSpec<Record<string, unknown>> {
  const names = order.map((side) => sideField[side]);
  const claims = Object.fromEntries(names.map((name) => [`${name}_claim`, claim]));
  const scores = z.object(Object.fromEntries(names.map((name) => [name, points])));
  const { winner } = panelAnswerSchema.shape;
  return {
    name: 'panel',
    schema: z.object({ ...claims, ...topicShape(topics, scores), winner, justification }),
    ...unlabelled,
  };
}

/** What a judge finds; scores subtopic by subtopic, 1-10. */
export function panelAnswer(topics: number, answer: Readonly<Record<string, unknown>>) {
  const { agent_a_claim, agent_b_claim, winner, justification: why } = panelAnswerSchema.parse(answer);
  const scores = Array.from({ length: topics }, (_, index) => scoresSchema.parse(answer[topicField(index)]));
  return {
    claims: { agentA: agent_a_claim, agentB: agent_b_claim },
    scores: scores.map(({ agent_a, agent_b }) => ({ agentA: agent_a, agentB: agent_b })),
    declared: winner,
    justification: why,
  };
}

export const plainSpec: AnswerSpec<{ answer: string }> = {
  name: 'plain-answer',
  schema: z.object({ answer: z.string().min(1).max(3200) }),
  ...unlabelled,
};

const comparedSchema = z.object({ debate_depth: points, debate_quality: points, answer_depth: points, answer_quality: points });
const comparisonSchema = z.looseObject({ better: z.enum(['debate', 'answer', 'tie']), justification });

export function comparisonSpec(topics: number): AnswerSpec<Record<string, unknown>> {
  return {
    name: 'comparison',
    schema: z.object({ ...topicShape(topics, comparedSchema), ...comparisonSchema.shape }),
    ...unlabelled,
  };
}

export function comparisonAnswer(topics: number, answer: Readonly<Record<string, unknown>>) {
  const { better, justification: why } = comparisonSchema.parse(answer);
  const scores = Array.from({ length: topics }, (_, index) => comparedSchema.parse(answer[topicField(index)]));
  return {
    scores: scores.map(({ debate_depth, debate_quality, answer_depth, answer_quality }) => ({
      debate: { depth: debate_depth, quality: debate_quality },
      answer: { depth: answer_depth, quality: answer_quality },
    })),
    better,
    justification: why,
  };
}
