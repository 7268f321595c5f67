import { z } from 'zod';
import { knowledgeSchema, type WithKnowledge } from '../knowledge.ts';
import { topKSchema } from '../labelBelief.ts';
import { findPrecedents } from '../precedents.ts';
import { prompts as blocks } from '../prompts.ts';
import type { Protocol } from '../protocol.ts';
import { inTurn, usualOrder } from '../swaps.ts';
import { classify, precedentSwaps } from './classify.ts';
import { contract } from './contract.ts';
import { prompts } from './prompts.ts';
import { singleTelling } from './tell.ts';

/**
 * The single model that Courtroom-LLM is compared with: one classification.
 *
 * Source: "Courtroom-LLM: A Legal-Inspired Multi-LLM Framework for Resolving Ambiguous Text Classifications",
 * section 4 and appendix B ("Single"). The readings are in `contract.ts`.
 */
export const baselineParams = {
  /** Training cases of each label, the nearest ones. */
  shots: z.literal([0, 1, 2]).default(0),
  knowledge: knowledgeSchema,
  topK: topKSchema,
  temperature: z.number().min(0).max(2).default(0.5),
};
const paramsSchema = z.strictObject(baselineParams);
export type SingleParams = WithKnowledge<z.infer<typeof paramsSchema>>;

/** What both baselines of Courtroom-LLM have in common. */
export const baseline = {
  version: 3,
  earlier: { 2: { knowledge: 'unsaid', topK: 0 } },
  paper: 'Courtroom-LLM: A Legal-Inspired Multi-LLM Framework for Resolving Ambiguous Text Classifications',
  optionalRoles: ['retriever'],
  accepts: { kinds: ['tabular', 'text', 'pair', 'sections'], labels: [2, 1000], multiLabel: false, open: false },
  prompts: { ...blocks, ...prompts },
  swaps: precedentSwaps,
  precedents: ({ shots }: SingleParams) => (shots === 0 ? null : { perLabel: shots, retriever: 'similar' }),
} satisfies Partial<Protocol<SingleParams>>;

export const single: Protocol<SingleParams> = {
  ...baseline,
  id: 'single',
  title: 'Single model',
  roles: ['predictor'],
  params: paramsSchema,
  preset: { shots: 1, knowledge: 'general', topK: 5, temperature: 0.5 },
  contract,
  sees: { predictor: { utterances: false, ownNotes: false, examples: true } },
  telling: singleTelling,
  plannedCalls: () => ({ min: 1, max: 1 }),
  plannedBeliefs: () => ({ min: 1, max: 1 }),

  async run(court, kase, params) {
    const labels = usualOrder(court, kase.labels);
    const precedents = await findPrecedents(court, { labels, perLabel: params.shots, retriever: 'similar' });
    const answer = await classify(court, kase, inTurn(court, precedents), 'answer', 'predictor', params);
    court.rule('ruling', { role: 'predictor', ...(await court.belief(answer, labels)), opinion: answer.text });
  },
};
