import { z } from 'zod';
import type { Case } from '../../../shared/domain.ts';
import { narrate } from '../../cases/narrative.ts';
import type { Court, PromptMessage } from '../court.ts';
import type { Protocol } from '../protocol.ts';
import { inTurn, labelsReversed, usualOrder } from '../swaps.ts';
import { certaintyWords, labelList } from '../verdict.ts';
import { answerSpec, type OneCallStyle } from './answers.ts';
import { standardContract } from './contract.ts';
import { templates, templatesOf } from './prompts.ts';
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
  temperature: z.number().min(0).max(2).default(0),
});
export type StandardParams = z.infer<typeof paramsSchema>;

/** Styles that show labelled examples. */
const withExamples: readonly StandardParams['style'][] = ['cot-nshot', 'few-shot'];

/** The words that ask for the verdict itself. */
function verdictWords(court: Court, { labels, multiLabel }: Case): string {
  if (multiLabel) return court.text('verdictOfSet');
  return court.text('verdictOfOne', { certainty: certaintyWords(court.text, labels) });
}

/** Of the first three styles the templates for one label hold all but the certainty; the others leave the verdict open. */
function taskOf(court: Court, kase: Case, style: OneCallStyle): string {
  const later = style === 'few-shot' || style === 'cot-4-step';
  if (!later && !kase.multiLabel) return court.text(style, { certainty: certaintyWords(court.text, kase.labels) });
  return court.text(later ? style : `${style}OfSet`, { verdict: verdictWords(court, kase) });
}

function examplesOf(court: Court, { kind, multiLabel }: Case): string[] {
  return [
    court.text('exampleHeading', { count: String(court.examples.length) }),
    ...inTurn(court, court.examples).map(({ facts, label }, index) =>
      court.text(multiLabel ? 'exampleOfSet' : 'example', { number: String(index + 1), facts: narrate(facts, kind), label }),
    ),
  ];
}

const personaOf = (court: Court, { question, labels, multiLabel }: Case): string =>
  court.text(multiLabel ? 'personaOfSet' : 'persona', { question, labels: labelList(labels) });

const factsOf = (court: Court, { facts, kind }: Case): string => court.text('facts', { facts: narrate(facts, kind) });

function promptParts(court: Court, kase: Case, style: OneCallStyle): PromptMessage[] {
  return [
    { role: 'system', parts: [personaOf(court, kase)] },
    {
      role: 'user',
      parts: [...(withExamples.includes(style) ? examplesOf(court, kase) : []), factsOf(court, kase), taskOf(court, kase, style)],
    },
  ];
}

export const standard: Protocol<StandardParams> = {
  id: 'standard',
  version: 1,
  title: 'StandardLLM',
  paper: 'Linguistic Reasoning: How Multi-Agent Debate Courtroom Simulations Can Improve Recidivism Predictions',
  roles: ['predictor'],
  params: paramsSchema,
  preset: { style: 'cot', shots: 30, temperature: 0 },
  contract: standardContract,
  accepts: { kinds: ['tabular', 'text', 'pair', 'sections'], labels: [2, 1000], multiLabel: true, open: false },
  templates,
  armTemplates: ({ style }, multiLabel) => templatesOf(style, multiLabel),
  sees: { predictor: { utterances: true, ownNotes: true, examples: true } },
  swaps: ({ style, shots }) => ({
    ...(withExamples.includes(style) && shots > 1 ? { order: { does: 'The known cases stand in the other order.' } } : {}),
    labels: labelsReversed,
  }),
  shots: ({ style, shots }) => (withExamples.includes(style) ? shots : 0),
  plannedCalls: (_kase, { style }) => (style === 'reflexion' ? { min: 3, max: 3 } : { min: 1, max: 1 }),
  plannedBeliefs: (_kase, { style }) => (style === 'reflexion' ? { min: 2, max: 2 } : { min: 1, max: 1 }),

  async run(court, kase, { style, temperature }) {
    if (style === 'reflexion') {
      const texts = { persona: personaOf(court, kase), facts: factsOf(court, kase), verdict: verdictWords(court, kase) };
      await reflect(court, kase, texts, { temperature });
      return;
    }
    const answer = await court.ask('answer', 'predictor', promptParts(court, kase, style), answerSpec(style, kase), {
      temperature,
    });
    court.rule('ruling', {
      role: 'predictor',
      ...(await court.belief(answer, usualOrder(court, kase.labels))),
      opinion: answer.text,
    });
  },
};
