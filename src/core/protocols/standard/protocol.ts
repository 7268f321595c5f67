import { z } from 'zod';
import type { Case } from '../../../shared/domain.ts';
import type { AnswerSpec } from '../../answers/answer.ts';
import { narrate } from '../../cases/narrative.ts';
import type { Court, PromptMessage } from '../court.ts';
import { certaintyShape, labelSchema } from '../labelBelief.ts';
import type { Protocol } from '../protocol.ts';
import { inTurn, labelsReversed, usualOrder } from '../swaps.ts';
import { templates } from './prompts.ts';

/**
 * StandardLLM: one call, one answer.
 *
 * Source: "Linguistic Reasoning: How Multi-Agent Debate Courtroom Simulations Can Improve Recidivism
 * Predictions", section 3 and appendix A. The paper's `system1` asks about "high risk" and its other two
 * styles about re-arrest; here all three ask the data set's question, so that they can be compared.
 * Missing values are left out of the narrative. With more than two labels a full distribution is asked
 * for in place of one confidence.
 */
const paramsSchema = z.strictObject({
  style: z.enum(['system1', 'cot', 'cot-nshot']).default('cot'),
  /** Labelled examples of `cot-nshot`. */
  shots: z.int().min(1).max(200).default(30),
  temperature: z.number().min(0).max(2).default(0),
});
export type StandardParams = z.infer<typeof paramsSchema>;

const factor = z.strictObject({
  factor: z.string().max(60),
  weight: z.enum(['low', 'medium', 'high']),
  reasoning: z.string().max(90),
});

/** Room for the points of a text, which are not counted beforehand. */
const leastRoom = 40;

function answerSpec(style: StandardParams['style'], { facts, labels }: Case): AnswerSpec<{ prediction: string }> {
  const verdict = { prediction: labelSchema(labels), ...certaintyShape(labels) };
  return {
    name: style,
    schema:
      style === 'system1'
        ? z.object(verdict)
        : z.object({ factors: z.array(factor).max(Math.max(leastRoom, facts.length)), ...verdict }),
    labelFields: ['prediction'],
    labels,
  };
}

function promptParts(court: Court, kase: Case, params: StandardParams): PromptMessage[] {
  const labels = kase.labels.join(', ');
  const certainty = court.text(kase.labels.length === 2 ? 'certaintyOfOne' : 'certaintyOfMany');
  const examples =
    params.style === 'cot-nshot'
      ? [
          court.text('exampleHeading', { count: String(court.examples.length) }),
          ...inTurn(court, court.examples).map(({ facts, label }, index) =>
            court.text('example', { number: String(index + 1), facts: narrate(facts, kase.kind), label }),
          ),
        ]
      : [];
  return [
    { role: 'system', parts: [court.text('persona', { question: kase.question, labels })] },
    {
      role: 'user',
      parts: [
        ...examples,
        court.text('facts', { facts: narrate(kase.facts, kase.kind) }),
        court.text(params.style, { certainty }),
      ],
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
  contract: [
    {
      subject: 'question',
      paper:
        'system1 asks whether the factors indicate high risk, cot and cot-nshot ask about re-arrest within 3 years (appendix A)',
      gap: 'three styles, two questions',
      decision: "all three ask the data set's question",
    },
    {
      subject: 'shots',
      paper: 'n = 30 labelled examples (section 3)',
      gap: 'how they are drawn is not stated',
      decision: 'drawn once per arm from the training split by the experiment seed, at the base rate of the labels',
    },
    { subject: 'temperature', paper: '0.0 (section 3)', gap: null, decision: '0' },
    {
      subject: 'split',
      paper: '60/20/20 test/train/validation, 150 of the 847 test cases (section 3)',
      gap: null,
      decision: 'set by the experiment: dataset.split and dataset.sample',
    },
  ],
  accepts: { kinds: ['tabular', 'text', 'pair', 'sections'], labels: [2, 1000], multiLabel: false, open: false },
  templates,
  sees: { predictor: { utterances: false, ownNotes: false, examples: true } },
  swaps: ({ style, shots }) => ({
    ...(style === 'cot-nshot' && shots > 1 ? { order: { does: 'The known cases stand in the other order.' } } : {}),
    labels: labelsReversed,
  }),
  shots: (params) => (params.style === 'cot-nshot' ? params.shots : 0),
  plannedCalls: () => ({ min: 1, max: 1 }),
  plannedBeliefs: () => ({ min: 1, max: 1 }),

  async run(court, kase, params) {
    const answer = await court.ask('answer', 'predictor', promptParts(court, kase, params), answerSpec(params.style, kase), {
      temperature: params.temperature,
    });
    court.rule('ruling', {
      role: 'predictor',
      ...(await court.belief(answer, usualOrder(court, kase.labels))),
      opinion: answer.text,
    });
  },
};
