import { expect, it } from 'vitest';
import type { TrialView } from '../../../shared/api/trials.ts';
import { type Experiment, recordedExperimentSchema } from '../../../shared/experiment.ts';
import { checkTry } from './tryForm.ts';
import { carriedText, tryOfTrial } from './tryOfTrial.ts';

const labels = ['NONE', 'LOW', 'MIDDLE', 'HIGH'];
const view = {
  ...{ kind: 'text', facts: [{ name: 'text', value: 'One.\nTwo.' }], question: 'How high?', labels, positive: null },
  line: { arm: 'try', standin: true, prompts: { name: 'my words', hash: 'a' } },
} as unknown as TrialView;

const experiment = (arm: object, more: object = {}): Experiment =>
  recordedExperimentSchema.parse({
    version: 1,
    name: 'x',
    dataset: { path: 'facts.txt', kind: 'text', question: 'How high?', labels },
    backends: { default: { kind: 'ollama', url: 'http://127.0.0.1:11434' } },
    arms: [{ name: 'try', protocol: 'agentic-sim', cast: { '*': { model: 'demo' } }, ...arm }],
    ...more,
  });

it('carries the court of a trial over whole: protocol, labels in dispute, cast, context and prompts', () => {
  const params = { contested: ['LOW', 'HIGH'], turns: 2 };
  const cast = { '*': { model: 'demo' }, judge: { model: 'demo-judge' } };
  const form = tryOfTrial(view, experiment({ params, cast }, { runtime: { numCtx: 16_384 } }));
  expect(form).toMatchObject({ protocol: 'agentic-sim', params, facts: 'One.\nTwo.', labels, lost: [] });
  expect(checkTry(form, { backend: 'ollama', server: 'default', model: 'other' }).draft).toMatchObject({
    ...{ model: 'demo', roles: { judge: 'demo-judge' }, backend: 'standin', numCtx: 16_384, prompts: 'my words', params },
  });
  expect(carriedText(form)).toMatch(/^This is the case of a trial, with its court: AgenticSimLLM\. To try it without a line/);
});

it('says what of a court a single trial cannot have', () => {
  const cast = { '*': { model: 'demo', options: { temperature: 1 } } };
  const arm = { protocol: 'courtroom', cast, mask: 'names', belief: 'logprobs' };
  const form = tryOfTrial(view, experiment(arm));
  expect(form).toMatchObject({ protocol: 'courtroom', params: { shots: 0 } });
  expect(form.lost).toHaveLength(4);
  expect(carriedText(form)).toContain(
    'Not carried over: the earlier cases that the court was shown; the options of single models;',
  );
});

it('keeps the side of each advocate where the prosecution argues for the first of two labels in dispute', () => {
  const form = tryOfTrial({ ...view, positive: 'LOW' }, experiment({ params: { contested: ['LOW', 'HIGH'] } }));
  expect(form.params).toEqual({ contested: ['HIGH', 'LOW'] });
});
