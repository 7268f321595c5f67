// What can be chosen of a trial of Courtroom-LLM.
import { z } from 'zod';
import { fittingWeights, weightsSchema } from '../bench.ts';
import { knowledgeSchema, type WithKnowledge } from '../knowledge.ts';
import { topKSchema } from '../labelBelief.ts';

/** Fresh hearings that show whether a case is ambiguous (section 4.2.3). */
export const freshHearings = 5;

export const paramsSchema = z
  .strictObject({
    judges: z.literal([1, 3, 5]).default(3),
    deliberation: z.enum(['sequential', 'parallel']).default('sequential'),
    /** Of the judges before it, what a sequential judge reads: all, or the one just before. */
    judgesSee: z.enum(['all', 'previous']).default('all'),
    /** What the vote of each judge counts, where they judge in parallel; how strong each is, where that gives their order. */
    weights: weightsSchema,
    /** Order of sequential judges: as they are seated, by the seed of the trial, or the strongest last. */
    judgeOrder: z.enum(['seats', 'shuffled', 'strength']).default('seats'),
    /** Precedents of each label. */
    shots: z.literal([0, 1, 2]).default(1),
    retriever: z.enum(['similar', 'random']).default('similar'),
    /** Labels whose precedents the judges see: all, the two in dispute, or `auto`: all as long as they are 12 at most. */
    precedents: z.enum(['auto', 'all', 'contested']).default('auto'),
    sides: z.enum(['random', 'fixed']).default('random'),
    argumentOrder: z.enum(['prosecutor-first', 'random']).default('prosecutor-first'),
    argumentWords: z.int().min(20).max(1000).default(150),
    /** Fresh hearings that show whether a case is ambiguous; 0: it is not asked. */
    ambiguity: z.literal([0, freshHearings]).default(0),
    knowledge: knowledgeSchema,
    topK: topKSchema,
    temperature: z.number().min(0).max(2).default(0.5),
  })
  .check(
    fittingWeights(({ judges, deliberation, judgeOrder }) =>
      deliberation === 'parallel' || judgeOrder === 'strength' ? judges : 0,
    ),
  );
export type CourtroomParams = WithKnowledge<z.infer<typeof paramsSchema>>;
