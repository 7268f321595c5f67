import { z } from 'zod';
import type { Case } from '../../../shared/domain.ts';
import { casePrompt, earlierCases, verdictAsText } from '../casePrompt.ts';
import type { Court } from '../court.ts';
import { type Knowledge, knowledgeRule, knowledgeSchema, outsideText, type WithKnowledge } from '../knowledge.ts';
import { topKSchema } from '../labelBelief.ts';
import { prompts as blocks } from '../prompts.ts';
import type { Protocol } from '../protocol.ts';
import { inTurn, labelsReversed, usualOrder } from '../swaps.ts';
import { answerSpec, asksForEach, critiqueSpec, mostFactors, reasonedSpec } from './answers.ts';
import { standardContract } from './contract.ts';
import { prompts } from './prompts.ts';

/**
 * Reflexion: an answer, a critique of it by the model that gave it, and an answer that has read both; three calls.
 *
 * Source: table 3 of "Debate-Feedback", which names it as a baseline and gives neither prompts nor steps; Shinn et al.
 * 2023, arXiv 2303.11366. Deviation: theirs reflects on failures that an environment reports and tries again; here the
 * model may not learn whether it was right, so it reflects on its own answer, once. A call that fails is the failure of
 * the trial: neither is the first answer put in the place of the last, nor is it revised without a critique.
 */
async function reflect(
  court: Court,
  kase: Case,
  terms: { readonly knowledge: Knowledge; readonly topK: number; readonly temperature: number },
): Promise<void> {
  const { text } = court;
  const role = 'predictor';
  const rules = [knowledgeRule(text, terms.knowledge)];
  const task = text('reasoned', { verdict: verdictAsText(text, kase, terms.topK), outside: outsideText(text, terms.knowledge) });

  const first = await court.ask(
    'answer',
    role,
    casePrompt(court, 'first-answer', kase, { rules, task: [task] }),
    reasonedSpec('answer', kase, terms),
    terms,
  );
  const labels = usualOrder(court, kase.labels);
  const held = await court.belief(first, labels);
  const { reason } = first.value;
  court.believe('first-answer', { role, moment: 'live', after: null, ...held, notes: reason });

  const answered = text('firstAnswer', { answer: JSON.stringify(held.prediction), reason });
  const reviewed = casePrompt(court, 'critique', kase, { rules, record: [answered], task: [text('critique')] });
  const { critique } = (await court.ask('critique', role, reviewed, critiqueSpec, terms)).value;
  court.utter('critique-heard', { role, turn: 'critique', text: critique });

  const record = [answered, text('ownCritique', { critique })];
  const revised = casePrompt(court, 'revision', kase, { rules, record, task: [text('revision'), task] });
  const last = await court.ask('revision', role, revised, reasonedSpec('revision', kase, terms), terms);
  court.rule('ruling', { role, ...(await court.belief(last, labels)), opinion: last.text });
}

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
const withFactors: readonly StandardParams['style'][] = ['cot', 'cot-nshot'];

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
  unused: ({ style }) => [
    ...(withExamples.includes(style) ? [] : (['shots'] as const)),
    ...(withFactors.includes(style) ? [] : (['factors'] as const)),
  ],
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
