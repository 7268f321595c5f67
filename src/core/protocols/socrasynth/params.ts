// The parameters of SocraSynth.
import { z } from 'zod';

export const paramsSchema = z.strictObject({
  subtopics: z.int().min(1).max(8).default(5),
  /** Rounds of refutation at most; 0: openings and closing statements alone. */
  maxRounds: z.int().min(0).max(50).default(4),
  /** Before the first round, 0 (full agreement) to 1 (devil's advocate). */
  contentiousness: z.number().min(0).max(1).default(0.9),
  /** How prompts state the contentiousness: as the number with its definition, or in the words of table 6.1. */
  style: z.enum(['number', 'words']).default('number'),
  /** Divides contentiousness before each round. */
  decay: z.number().min(1).max(100).default(1.2),
  /** Levels of reasons that CRIT examines as claims of their own. */
  critDepth: z.literal([0, 1, 2]).default(0),
  /** `sequential`: agent B knows the opening of agent A. */
  opening: z.enum(['independent', 'sequential']).default('independent'),
  /** What the panel scores: closing statements, or all that was said. */
  panelReads: z.enum(['closing', 'all']).default('closing'),
  /** Of labelled cases: `free`, each agent predicts; `assigned`, each defends one of two labels. */
  stances: z.enum(['free', 'assigned']).default('free'),
  /** The trial waits for a moderator twice: for the subtopics, and for a remark after the first round. */
  moderated: z.boolean().default(false),
  /** Puts the question once to a single model, and has the panel compare both. */
  compareWithAnswer: z.boolean().default(false),
  temperature: z.number().min(0).max(2).default(0.7),
});
export type SocrasynthParams = z.infer<typeof paramsSchema>;

/** Contentiousness of the joint proposal (study 2 of the paper). */
export const conciliation = 0.3;
