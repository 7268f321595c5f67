import { z } from 'zod';
import { moderationKinds } from '../moderation.ts';
import { at, ref, version } from './parts.ts';

const keyed = { v: version, key: z.string() };

const subtopicsSettleSchema = z.strictObject({
  ...keyed,
  /** Who settled them: the agents alone, or the moderator, whose list takes the place of the one before. */
  settledBy: z.enum(['agents', 'moderator']),
  /** List of {title, scope} as JSON text. */
  subtopics: ref,
  /** The lists that they came from, as JSON text: of each agent, and merged by agent A; null where there is none. */
  proposals: z.strictObject({ agentA: ref.nullable(), agentB: ref.nullable(), merged: ref.nullable() }),
  /** Whether the critic finds the subject balanced, and why; null where it could not be asked. */
  balanced: z.boolean().nullable(),
  balance: ref.nullable(),
});

const debateStopSchema = z.strictObject({
  ...keyed,
  /** Rounds of refutation that were held. */
  rounds: z.int().min(0),
  /** As the loop left it, 0-1. */
  contentiousness: z.number().min(0).max(1),
  reason: z.enum(['contentiousness', 'quality', 'rounds', 'agreement']),
});

const proposalMakeSchema = z.strictObject({
  ...keyed,
  role: z.string(),
  /** `draft`: of the first agent; `joint`: as the other one left it. */
  stage: z.enum(['draft', 'joint']),
  /** {proposal, open_questions, next_steps} as JSON text. */
  proposal: ref,
});

const points = z.int().min(1).max(10);
const side = z.enum(['agentA', 'agentB']);

const panelScoreSchema = z.strictObject({
  ...keyed,
  role: z.string(),
  /** Sides in the order in which the judge read them. */
  order: z.tuple([side, side]),
  /** Subtopic by subtopic, 1-10. */
  scores: z.array(z.strictObject({ agentA: points, agentB: points })).min(1),
  /** By the totals of the scores; null is a tie. */
  winner: side.nullable(),
  /** As the judge says; null is a tie. */
  declared: side.nullable(),
  /** {claims: {agentA, agentB}, justification} as JSON text. */
  opinion: ref,
});

const answerGiveSchema = z.strictObject({
  ...keyed,
  role: z.string(),
  answer: ref,
});

const compared = z.strictObject({ depth: points, quality: points });

const answerCompareSchema = z.strictObject({
  ...keyed,
  role: z.string(),
  /** Subtopic by subtopic, 1-10. */
  scores: z.array(z.strictObject({ debate: compared, answer: compared })).min(1),
  /** As the judge says. */
  better: z.enum(['debate', 'answer', 'tie']),
  justification: ref,
});

const moderationAskSchema = z.strictObject({
  ...keyed,
  kind: z.enum(moderationKinds),
  /** Subtopics as they stand, as JSON text. */
  subtopics: ref,
});

const moderationGiveSchema = z.strictObject({
  ...keyed,
  at,
  /** `moderationSchema` as JSON text. */
  moderation: ref,
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
