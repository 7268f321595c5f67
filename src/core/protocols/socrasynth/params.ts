// The parameters of SocraSynth.
import { z } from 'zod';
import type { Case } from '../../../shared/domain.ts';
import { knowledgeSchema, type WithKnowledge } from '../knowledge.ts';
import { topKSchema } from '../labelBelief.ts';

export const paramsSchema = z.strictObject({
  /** 0: the debate is about the whole question. Absent: see `subtopicsOf`. */
  subtopics: z.int().min(0).max(8).optional(),
  /** Rounds of refutation at most; 0: openings and closing statements alone. */
  maxRounds: z.int().min(0).max(50).default(4),
  /** Before the first round, 0 (full agreement) to 1 (devil's advocate). */
  contentiousness: z.number().min(0).max(1).default(0.9),
  /** `decay`: table 6.2; `phases`: section 6.1.2. */
  schedule: z.enum(['decay', 'phases']).default('decay'),
  /** How prompts state the contentiousness: as the number with its definition, or in the words of table 6.1. */
  style: z.enum(['number', 'words']).default('number'),
  /** Divides contentiousness before each round. */
  decay: z.number().min(1).max(100).default(1.2),
  /** Whose claim CRIT examines: that of agent A against all that was said, or that of each side. */
  critSides: z.enum(['proponent', 'both']).default('proponent'),
  /** After each round the critic names to both agents a weak reason and one to answer. */
  feedback: z.boolean().default(false),
  /** Levels of reasons that CRIT itself examines as claims. */
  critDepth: z.literal([0, 1, 2]).default(0),
  /** `sequential`: agent B knows the opening of agent A. */
  opening: z.enum(['independent', 'sequential']).default('independent'),
  /** What the panel scores: closing statements, or all that was said. */
  panelReads: z.enum(['closing', 'all']).default('closing'),
  /** Of labelled cases: `free`, each agent predicts; `assigned`, each defends one of two labels. */
  stances: z.enum(['free', 'assigned']).default('free'),
  /** Once both predict the same: joint recommendations and no more, or closing statements and the panel as well. */
  onAgreement: z.enum(['recommend', 'panel']).default('recommend'),
  /** The trial waits for a moderator twice: for the subtopics, and for a remark after the first round. */
  moderated: z.boolean().default(false),
  /** Puts the question once to a single model, and has the panel compare both. */
  compareWithAnswer: z.boolean().default(false),
  /** `blinded`: two answers alike in form and length, in both orders; `named`: the closing statements and the answer, once. */
  comparison: z.enum(['blinded', 'named']).default('blinded'),
  knowledge: knowledgeSchema,
  topK: topKSchema,
  temperature: z.number().min(0).max(2).default(0.7),
});
export type SocrasynthParams = WithKnowledge<z.infer<typeof paramsSchema>>;

/** Subtopics that the agents settle on. By default five for an open question, as in study 1, and none for labels, as in study 2. */
export const subtopicsOf = ({ labels }: Pick<Case, 'labels'>, { subtopics }: Pick<SocrasynthParams, 'subtopics'>): number =>
  subtopics ?? (labels.length === 0 ? 5 : 0);
