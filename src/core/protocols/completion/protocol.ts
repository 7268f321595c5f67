// Asks for the next cell of a row: a probe of what a model remembers of a data file.
import { z } from 'zod';
import { unlabelled } from '../../answers/answer.ts';
import type { Protocol } from '../protocol.ts';
import { singleTelling } from '../single/tell.ts';
import { textOf } from '../texts.ts';
import { prompts } from './prompts.ts';

const paramsSchema = z.strictObject({ temperature: z.number().min(0).max(2).default(0) });

const spec = unlabelled('completion', z.object({ value: textOf(100, 0) }));

/**
 * A model is shown the beginning of a row in the order of its file and says what follows; no possible answers are named. The
 * verdict is the value of the column that it wrote exactly, apart from white space around it, and none where no row has it.
 * The column is the label of the cases, so accuracy is the share of cells that were completed.
 *
 * Source: S. Bordt et al., Elephants Never Forget: Memorization and Learning of Tabular Data in Large Language Models,
 * Conference on Language Modeling 2024, section 3.
 */
export const completion: Protocol<z.infer<typeof paramsSchema>> = {
  id: 'completion',
  version: 1,
  title: 'Completion of rows',
  paper: 'Elephants Never Forget: Memorization and Learning of Tabular Data in Large Language Models',
  roles: ['predictor'],
  params: paramsSchema,
  preset: { temperature: 0 },
  contract: [
    {
      subject: 'what is completed',
      paper: 'row completion (rows in a row predict the next one), and feature completion (one value of a row from the others)',
      gap: null,
      decision:
        'one value, from the columns before it: one column has one most frequent value and baselines to compare with, and an exact match of one cell can be counted',
    },
    {
      subject: 'control',
      paper: 'the feature with the most different values is completed, since it can hardly be guessed',
      gap: null,
      decision:
        'the paired difference from the most frequent value of the column, and from baselines that learned the column from other rows',
    },
    {
      subject: 'examples',
      paper: 'few-shot examples of other data sets show the form of the answer',
      gap: null,
      decision: 'none: the answer is a JSON object whose form the prompt shows',
    },
  ],
  accepts: { kinds: ['tabular'], labels: [2, 1000], multiLabel: false, open: false },
  prompts,
  sees: { predictor: { utterances: false, ownNotes: false, examples: false } },
  telling: singleTelling,
  plannedCalls: () => ({ min: 1, max: 1 }),
  plannedBeliefs: () => ({ min: 0, max: 0 }),

  async run(court, kase, { temperature }) {
    const row = kase.facts.map(({ name, value }) => `${name} = ${value}`).join(', ');
    const prompt = court.prompt('completion', { question: kase.question, row, task: court.text('task', {}) });
    const answer = await court.ask('completion', 'predictor', prompt, spec, { temperature });
    const prediction = kase.labels.find((label) => label.trim() === answer.value.value.trim()) ?? null;
    const stated = { prediction, confidence: null, belief: null, source: 'verbal', inconsistent: false } as const;
    court.rule('ruling', { role: 'predictor', ...stated, opinion: answer.text });
  },
};
