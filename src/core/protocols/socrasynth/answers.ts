// What SocraSynth asks for: subtopics, arguments, scores, a proposal.
import { z } from 'zod';
import type { Subtopic } from '../../../shared/moderation.ts';
import { type AnswerSpec, unlabelled } from '../../answers/answer.ts';
import { kept } from '../../answers/kept.ts';
import { type Knowledge, outsideShape } from '../knowledge.ts';
import { certaintyFlags, certaintyShape, isRanked, labelSchema } from '../labelBelief.ts';
import { repeatFlags, withoutRepeats } from '../repeats.ts';
import { speechFlags, speechOf, textOf } from '../texts.ts';

const justification = textOf(40);
const claim = textOf(30);
const item = textOf(30);
/** What is said in one turn: on one subtopic, or on the whole question. */
const argumentOf = (topics: number) => speechOf(topics === 0 ? 80 : 40);

/** Names of the fields on the subtopics in an answer, in order; without subtopics one on the whole question. */
export const topicFields = (topics: number): string[] =>
  topics === 0 ? ['argument'] : Array.from({ length: topics }, (_, index) => `topic_${index + 1}`);

const topicShape = <S extends z.ZodType>(topics: number, schema: S): Record<string, S> =>
  Object.fromEntries(topicFields(topics).map((field) => [field, schema]));

const topicsIn = <S extends z.ZodType>(topics: number, answer: Readonly<Record<string, unknown>>, schema: S): z.infer<S>[] =>
  topicFields(topics).map((field) => schema.parse(answer[field]));

const subtopicSchema = z.object({ title: textOf(10), scope: textOf(25) });
const titleOf = ({ title }: Subtopic): string => title;

export const subtopicsSpec = kept((count: number) =>
  unlabelled('subtopics', z.object(topicShape(count, subtopicSchema)), (answer) =>
    repeatFlags(topicsIn(count, answer, subtopicSchema), titleOf),
  ),
);

export const subtopicsIn = (count: number, answer: Readonly<Record<string, unknown>>): Subtopic[] =>
  withoutRepeats(topicsIn(count, answer, subtopicSchema), titleOf);

export const balanceSpec = unlabelled('balance', z.object({ justification, balanced: z.boolean() }));

/** One argument for each subtopic; with labels a prediction after them. */
export const argumentSpec = kept(
  (topics: number, labels: readonly string[], topK: number, knowledge: Knowledge): AnswerSpec<Record<string, unknown>> => {
    const isPredicting = labels.length > 0;
    const prediction = isPredicting ? { prediction: labelSchema(labels), ...certaintyShape(labels, topK) } : {};
    return {
      name: 'arguments',
      schema: z.object({ ...topicShape(topics, argumentOf(topics)), ...outsideShape(knowledge), ...prediction }),
      labelFields: isPredicting ? ['prediction', ...(isRanked(labels, topK) ? ['label'] : [])] : [],
      labels,
      flags: (answer) => [
        ...new Set([...argumentsIn(topics, answer).flatMap(speechFlags), ...(isPredicting ? certaintyFlags(answer) : [])]),
      ],
    };
  },
);

export const argumentsIn = (topics: number, answer: Readonly<Record<string, unknown>>): string[] =>
  topicsIn(topics, answer, argumentOf(topics));

export const exhaustedSpec = unlabelled('exhausted', z.object({ remaining: textOf(40), exhausted: z.boolean() }));

/** Open questions, and next steps, of a proposal. */
export const mostItems = 3;

const proposalSchema = z.object({
  proposal: speechOf(80),
  open_questions: z.array(item).max(mostItems),
  next_steps: z.array(item).max(mostItems),
});
export type Proposal = z.infer<typeof proposalSchema>;

export const proposalSpec = unlabelled('proposal', proposalSchema, ({ proposal, open_questions, next_steps }) => [
  ...speechFlags(proposal),
  ...repeatFlags([...open_questions, ...next_steps], (text) => text),
]);

const points = z.int().min(1).max(10);

export const sideField = { agentA: 'agent_a', agentB: 'agent_b' } as const;
export type Side = keyof typeof sideField;

const scoresSchema = z.object({ agent_a: points, agent_b: points });
const panelAnswerSchema = z.looseObject({
  agent_a_claim: claim,
  agent_b_claim: claim,
  winner: z.enum(['agent_a', 'agent_b', 'tie']),
  justification,
});

export const panelSpec = kept((topics: number, order: readonly Side[]) => {
  const names = order.map((side) => sideField[side]);
  const claims = Object.fromEntries(names.map((name) => [`${name}_claim`, claim]));
  const scores = z.object(Object.fromEntries(names.map((name) => [name, points])));
  const { winner } = panelAnswerSchema.shape;
  const answer: z.ZodType<Record<string, unknown>> = z.object({
    ...claims,
    ...topicShape(topics, scores),
    winner,
    justification,
  });
  return unlabelled('panel', answer);
});

/** What a judge finds; scores subtopic by subtopic, 1-10. */
export function panelAnswer(topics: number, answer: Readonly<Record<string, unknown>>) {
  const { agent_a_claim, agent_b_claim, winner, justification: why } = panelAnswerSchema.parse(answer);
  const scores = topicsIn(topics, answer, scoresSchema);
  return {
    claims: { agentA: agent_a_claim, agentB: agent_b_claim },
    scores: scores.map(({ agent_a, agent_b }) => ({ agentA: agent_a, agentB: agent_b })),
    declared: winner,
    justification: why,
  };
}

export const plainSpec = unlabelled('plain-answer', z.object({ answer: speechOf(240) }), ({ answer }) => speechFlags(answer));

const namedScores = z.object({ debate_depth: points, debate_quality: points, answer_depth: points, answer_quality: points });
const namedSchema = z.looseObject({ better: z.enum(['debate', 'answer', 'tie']), justification });

/** Debate and plain answer by their names, subtopic by subtopic. */
export const namedSpec = kept((topics: number) =>
  unlabelled<Record<string, unknown>>('comparison', z.object({ ...topicShape(topics, namedScores), ...namedSchema.shape })),
);

export function namedAnswer(topics: number, answer: Readonly<Record<string, unknown>>) {
  const { better, justification: why } = namedSchema.parse(answer);
  const scores = topicsIn(topics, answer, namedScores);
  return {
    scores: scores.map(({ debate_depth, debate_quality, answer_depth, answer_quality }) => ({
      debate: { depth: debate_depth, quality: debate_quality },
      answer: { depth: answer_depth, quality: answer_quality },
    })),
    better,
    justification: why,
  };
}

const blindedSchema = z.object({
  answer_1_depth: points,
  answer_1_quality: points,
  answer_2_depth: points,
  answer_2_quality: points,
  better: z.enum(['answer_1', 'answer_2', 'tie']),
  justification,
});

export const blindedSpec = unlabelled('blinded-comparison', blindedSchema);
