import { z } from 'zod';
import { moderationKinds, moderationSchema, subtopicsSchema } from '../moderation.ts';
import { at, json, keyed, ofRole, text } from './parts.ts';

const subtopics = json(subtopicsSchema);

export const proposalSchema = z.strictObject({
  proposal: z.string(),
  open_questions: z.array(z.string()),
  next_steps: z.array(z.string()),
});

export const panelOpinionSchema = z.strictObject({
  claims: z.strictObject({ agentA: z.string(), agentB: z.string() }),
  justification: z.string(),
});

const subtopicsSettleSchema = z.strictObject({
  ...keyed,
  /** Who settled them: the agents alone, or the moderator, whose list takes the place of the one before. */
  settledBy: z.enum(['agents', 'moderator']),
  subtopics,
  /** The lists that they came from: of each agent, and merged by agent A; null where there is none. */
  proposals: z.strictObject({ agentA: subtopics.nullable(), agentB: subtopics.nullable(), merged: subtopics.nullable() }),
  /** Whether the critic finds the subject balanced, and why; null where it could not be asked. */
  balanced: z.boolean().nullable(),
  balance: text.nullable(),
});

const side = z.enum(['agentA', 'agentB']);

const debateStopSchema = z.strictObject({
  ...keyed,
  /** Rounds that were held: of SocraSynth, those of refutation. */
  rounds: z.int().min(0),
  /** As the loop left it, 0-1; absent if the debaters got no level of contentiousness. */
  contentiousness: z.number().min(0).max(1).optional(),
  /** `tolerance`: nothing moved any more. */
  reason: z.enum(['contentiousness', 'quality', 'rounds', 'agreement', 'tolerance']),
  /** Who gave up its own prediction for that of the other; absent if no one did, and in records of version 2. */
  conceded: side.optional(),
});

const proposalMakeSchema = z.strictObject({
  ...ofRole,
  /** `draft`: of the first agent; `joint`: as the other one left it. */
  stage: z.enum(['draft', 'joint']),
  proposal: json(proposalSchema),
});

const points = z.int().min(1).max(10);

const panelScoreSchema = z.strictObject({
  ...ofRole,
  /** Sides in the order in which the judge read them. */
  order: z.tuple([side, side]),
  /** Subtopic by subtopic, 1-10. */
  scores: z.array(z.strictObject({ agentA: points, agentB: points })).min(1),
  /** By the totals of the scores; null is a tie. */
  winner: side.nullable(),
  /** As the judge says; null is a tie. */
  declared: side.nullable(),
  opinion: json(panelOpinionSchema),
});

const answerGiveSchema = z.strictObject({
  ...ofRole,
  answer: text,
  /** Absent: without a debate. */
  from: z.literal('debate').optional(),
});

const compared = z.strictObject({ depth: points, quality: points });

const origin = z.enum(['debate', 'answer']);

const answerCompareSchema = z.strictObject({
  ...ofRole,
  /** The two answers in the order in which the judge read them, without names; absent: by their names, and once. */
  order: z.tuple([origin, origin]).optional(),
  /** Of each answer, as the judge read it. */
  words: z.strictObject({ debate: z.int().min(0), answer: z.int().min(0) }).optional(),
  /** Subtopic by subtopic, 1-10; of the whole where an order is named. */
  scores: z.array(z.strictObject({ debate: compared, answer: compared })).min(1),
  /** As the judge says. */
  better: z.enum(['debate', 'answer', 'tie']),
  justification: text,
});

const moderationAskSchema = z.strictObject({
  ...keyed,
  kind: z.enum(moderationKinds),
  /** The current ones. */
  subtopics,
});

const moderationGiveSchema = z.strictObject({
  ...keyed,
  at,
  moderation: json(moderationSchema),
});

export const socrasynthEvents = {
  'subtopics-settle': subtopicsSettleSchema,
  'debate-stop': debateStopSchema,
  'proposal-make': proposalMakeSchema,
  'panel-score': panelScoreSchema,
  'answer-give': answerGiveSchema,
  'answer-compare': answerCompareSchema,
  'moderation-ask': moderationAskSchema,
  'moderation-give': moderationGiveSchema,
} as const;
