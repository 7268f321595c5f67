import { z } from 'zod';
import type { Case } from '../../../shared/domain.ts';
import { casePrompt, earlierCases, verdictAsText } from '../casePrompt.ts';
import type { Court } from '../court.ts';
import { knowledgeRule, knowledgeSchema, outsideText, type WithKnowledge } from '../knowledge.ts';
import { topKSchema } from '../labelBelief.ts';
import { prompts as blocks } from '../prompts.ts';
import type { Protocol } from '../protocol.ts';
import { inTurn, labelsReversed, usualOrder } from '../swaps.ts';
import { answerSpec, asksForEach, mostFactors } from './answers.ts';
import { standardContract } from './contract.ts';
import { prompts } from './prompts.ts';
import { reflect } from './reflexion.ts';

/**
 * StandardLLM: one model, no debate. One call and one answer, in the style `reflexion` three.
 *
 * Source: "Linguistic Reasoning: How Multi-Agent Debate Courtroom Simulations Can Improve Recidivism
 * Predictions", section 3 and appendix A. The paper's `system1` asks about "high risk" and its other two
 * styles about re-arrest; here all three ask the data set's question, so that they can be compared.
 * Missing values are left out of the narrative. With more than two labels a full distribution is asked
 * for in place of one confidence, and of a case of several labels the set of those that are right, with a
 * number for each by itself.
 *
 * The styles `few-shot`, `cot-4-step` and `reflexion` are the baselines of table 3 of "Debate-Feedback"; the
 * table names them and the paper says no more of them, so that the prompts are this program's own.
 */
const paramsSchema = z.strictObject({
  style: z.enum(['system1', 'cot', 'cot-nshot', 'few-shot', 'cot-4-step', 'reflexion']).default('cot'),
  /** Labelled examples of `cot-nshot` and `few-shot`. */
  shots: z.int().min(1).max(200).default(30),
  /** Most factors that `cot` and `cot-nshot` ask for; 0: each fact of a table row, of other cases at most 6. */
  factors: z.int().min(0).max(20).default(6),
  knowledge: knowledgeSchema,
  topK: topKSchema,
  temperature: z.number().min(0).max(2).default(0),
});
export type StandardParams = WithKnowledge<z.infer<typeof paramsSchema>>;

const withExamples: readonly StandardParams['style'][] = ['cot-nshot', 'few-shot'];

function taskOf({ text }: Court, kase: Case, { style, factors, knowledge, topK }: StandardParams): string[] {
  const verdict = verdictAsText(text, kase, topK);
  const outside = outsideText(text, knowledge);
  if (style === 'system1' || style === 'cot-4-step') return [text(style, { verdict, outside })];
  if (style === 'few-shot') return [text('compare'), text('system1', { verdict })];
  const task = asksForEach(kase, factors)
    ? text('cotOfEach', { verdict, outside })
    : text('cot', { verdict, outside, most: String(mostFactors(kase, factors)) });
  return style === 'cot-nshot' ? [text('compare'), task] : [task];
}

export const standard: Protocol<StandardParams> = {
  id: 'standard',
  version: 3,
  earlier: { 2: { knowledge: 'unsaid', topK: 0 } },
  title: 'StandardLLM',
  paper: 'Linguistic Reasoning: How Multi-Agent Debate Courtroom Simulations Can Improve Recidivism Predictions',
  roles: ['predictor'],
  params: paramsSchema,
  preset: { style: 'cot', shots: 30, factors: 0, knowledge: 'general', topK: 5, temperature: 0 },
  contract: standardContract,
  firstAnswer: ({ style }) =>
    style === 'reflexion' ? 'In standard with reflexion the first answer is the one before its critique.' : null,
  accepts: { kinds: ['tabular', 'text', 'pair', 'sections'], labels: [2, 1000], multiLabel: true, open: false },
  prompts: { ...blocks, ...prompts },
  sees: { predictor: { utterances: true, ownNotes: true, examples: true } },
  swaps: ({ style, shots }) => ({
    ...(withExamples.includes(style) && shots > 1 ? { order: { does: 'The labelled examples come in the other order.' } } : {}),
    labels: labelsReversed,
  }),
  shots: ({ style, shots }) => (withExamples.includes(style) ? shots : 0),
  plannedCalls: (_kase, { style }) => (style === 'reflexion' ? { min: 3, max: 3 } : { min: 1, max: 1 }),
  plannedBeliefs: (_kase, { style }) => (style === 'reflexion' ? { min: 2, max: 2 } : { min: 1, max: 1 }),

  async run(court, kase, params) {
    const { style, factors, knowledge, temperature } = params;
    if (style === 'reflexion') return reflect(court, kase, params);
    const examples = inTurn(court, withExamples.includes(style) ? court.examples : []);
    const prompt = casePrompt(court, 'answer', kase, {
      rules: [knowledgeRule(court.text, knowledge)],
      earlier: earlierCases(court.text, examples, kase),
      task: taskOf(court, kase, params),
    });
    const answer = await court.ask('answer', 'predictor', prompt, answerSpec(style, kase, factors, params), { temperature });
    const belief = await court.belief(answer, usualOrder(court, kase.labels));
    court.rule('ruling', { role: 'predictor', ...belief, opinion: answer.text });
  },
};
