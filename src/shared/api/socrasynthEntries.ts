import { z } from 'zod';
import { evaluationSchema } from '../crit.ts';
import { panelOpinionSchema, proposalSchema } from '../events/socrasynth.ts';
import { moderationKinds, moderationSchema, subtopicsSchema } from '../moderation.ts';

const entry = { seq: z.int().min(0), key: z.string(), role: z.string() };
const side = z.enum(['agentA', 'agentB']);
const points = z.strictObject({ agentA: z.int(), agentB: z.int() });
const compared = z.strictObject({ depth: z.int(), quality: z.int() });

/** What a debate leaves in a transcript beside speeches, beliefs and measures. Texts are null where they were erased. */
export const socrasynthEntries = [
  /** What is argued about; the last one holds. */
  z.strictObject({
    kind: z.literal('subtopics'),
    ...entry,
    settledBy: z.enum(['agents', 'moderator']),
    subtopics: subtopicsSchema.nullable(),
    /** Whether the critic finds them balanced, and why; null where it could not be asked. */
    balanced: z.boolean().nullable(),
    balance: z.string().nullable(),
  }),
  /** CRIT of an argument. */
  z.strictObject({
    kind: z.literal('evaluation'),
    ...entry,
    subject: z.string(),
    /** 1-10. */
    score: z.number(),
    evaluation: evaluationSchema.nullable(),
  }),
  /** Why the rounds are over. */
  z.strictObject({
    kind: z.literal('stop'),
    ...entry,
    rounds: z.int(),
    contentiousness: z.number(),
    reason: z.enum(['contentiousness', 'quality', 'rounds', 'agreement']),
  }),
  z.strictObject({
    kind: z.literal('proposal'),
    ...entry,
    stage: z.enum(['draft', 'joint']),
    proposal: proposalSchema.nullable(),
  }),
  /** A judge's sheet for one order of the sides. */
  z.strictObject({
    kind: z.literal('panel'),
    ...entry,
    /** The side that the judge read first. */
    first: side,
    /** By subtopic, 1-10. */
    scores: z.array(points),
    /** By the totals; null is a tie. */
    winner: side.nullable(),
    /** As the judge says; null is a tie. */
    declared: side.nullable(),
    opinion: panelOpinionSchema.nullable(),
  }),
  /** An answer to the question without any debate. */
  z.strictObject({ kind: z.literal('answer'), ...entry, answer: z.string().nullable() }),
  /** A judge's comparison of the debate with that answer. */
  z.strictObject({
    kind: z.literal('comparison'),
    ...entry,
    /** By subtopic, 1-10. */
    scores: z.array(z.strictObject({ debate: compared, answer: compared })),
    better: z.enum(['debate', 'answer', 'tie']),
    justification: z.string().nullable(),
  }),
  /** The trial asked its moderator; without a `moderated` of the same key it waits. */
  z.strictObject({
    kind: z.literal('moderation'),
    ...entry,
    asks: z.enum(moderationKinds),
    subtopics: subtopicsSchema.nullable(),
  }),
  z.strictObject({ kind: z.literal('moderated'), ...entry, moderation: moderationSchema.nullable() }),
] as const;
