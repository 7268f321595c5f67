import { z } from 'zod';
import type { AnswerSpec } from '../../answers/answer.ts';
import { speech, words } from '../../telling/blocks.ts';
import { ownStep } from '../../telling/sections.ts';
import { casePrompt, verdictAsText } from '../casePrompt.ts';
import { prompts } from '../prompts.ts';
import type { Protocol } from '../protocol.ts';
import { reasonSchema, verdictFields } from '../verdict.ts';

export const objection = ownStep({
  name: 'objecting/objection',
  title: 'Objection',
  form: z.strictObject({ text: z.string(), holds: z.boolean() }),
  tell: ({ text, holds }) => [speech(text), words(holds ? 'It holds.' : 'It does not hold.')],
});

function rulingSpec(labels: readonly string[]): AnswerSpec<{ reason: string }> {
  const { shape, ...rest } = verdictFields({ labels: [...labels], multiLabel: false });
  return { name: 'ruling', schema: z.object({ reason: reasonSchema, ...shape }), ...rest };
}

const messages = [{ role: 'user', body: '{{question}}\n\n{{answers}}\n\n{{facts}}\n\n{{task}}' }] as const;

/** A protocol with a step that no other has: the judge's reason is its objection. */
export const objecting: Protocol<Record<string, never>> = {
  id: 'objecting',
  version: 1,
  title: 'Objecting judge',
  paper: 'none',
  roles: ['judge'],
  params: z.strictObject({}),
  preset: {},
  contract: [],
  accepts: { kinds: ['tabular'], labels: [2, 2], multiLabel: false, open: false },
  prompts: {
    ...prompts,
    ruling: { id: 'ruling', protocol: 'objecting', step: 'ruling/judge', slots: {}, needed: [], messages, texts: {} },
  },
  sees: { judge: { utterances: false, ownNotes: false, examples: false } },
  steps: [objection],
  telling: { title: 'Objections', tell: ({ entries }) => objection.sections(entries) },
  plannedCalls: () => ({ min: 1, max: 1 }),
  plannedBeliefs: () => ({ min: 1, max: 1 }),

  async run(court, kase) {
    const task = casePrompt(court, 'ruling', kase, { rules: [], task: [verdictAsText(court.text, kase)] });
    const answer = await court.ask('ruling/judge', 'judge', task, rulingSpec(kase.labels), { temperature: 0 });
    court.record('step-take', 'ruling/judge/objection', objection.taken('judge', { text: answer.value.reason, holds: true }));
    court.rule('ruling', { role: 'judge', ...(await court.belief(answer, kase.labels)), opinion: answer.text });
  },
};
