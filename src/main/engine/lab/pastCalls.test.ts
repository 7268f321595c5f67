import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { CompletionRequest } from '../../../shared/model.ts';
import { readDataset } from '../datasets/dataset.ts';
import { startDemoServer } from '../models/demo/demoServer.ts';
import type { LanguageModel } from '../models/port.ts';
import { kept } from '../testing/kept.ts';
import { modelAt, noPastCalls, pastCalls, withMeasured } from './callEstimate.ts';
import { readExperiment } from './experimentFile.ts';
import { measureModels } from './fitChecks.ts';
import { loadFrozen } from './frozen.ts';
import { planExperiment } from './plan.ts';
import { recordedData } from './recordedData.ts';
import { openLaboratory } from './testing/laboratory.ts';

const all = readExperiment(resolve(import.meta.dirname, '../../../../resources/experiments/nlsy97-demo.json'));
const data = await readDataset(all.dataPath, all.experiment.dataset, { seed: all.experiment.seed });
/** One arm of 13 calls, for any answers. */
const prepared = { ...all, arms: all.arms.filter(({ definition }) => definition.name === 'court') };
const models = [...new Set(prepared.arms.flatMap(({ definition }) => Object.values(definition.cast).map(({ model }) => model)))];
const url = prepared.experiment.backends.default?.url ?? '';
const planWith = (past = noPastCalls) => planExperiment(prepared, data, { done: new Map(), missingModels: null, past });

test('without a measurement no time is given; with one, that of the calls one after the other', async () => {
  const { timing } = await planWith();
  expect(timing).toMatchObject({ speeds: [], unmeasured: models });
  expect(timing.sentence).toMatch(/^not known: there is no measurement of /);
  const speeds = models.map((model) => ({
    of: modelAt(url, model),
    prompt: 1000,
    completion: 50,
    calls: 1,
    source: 'measurement' as const,
  }));
  const past = withMeasured(noPastCalls, speeds);
  const plan = await planWith(past);
  expect(plan.timing.unmeasured).toEqual([]);
  expect(plan.timing.sentence).toMatch(
    /, counted as one call after the other; with 4 at a time \d.*, if the server takes 4 at a time and answers each as fast as one; .* writes 50 tokens\/s and reads 1,000 \(measured just now\)/,
  );
  // A server that says that it has one slot takes no more.
  const ofOne = await planExperiment(prepared, data, { done: new Map(), missingModels: null, past, slots: 1 });
  expect(ofOne.timing.sentence).toMatch(/, counted as one call after the other; .* writes 50/);
  expect(ofOne.timing.sentence).not.toContain('at a time');
  // Prompts are as many in both bounds; what is written is bounded by the schemas.
  expect(plan.hours.min).toBeCloseTo((plan.prompt_tokens / 1000 + plan.completion_tokens.min / 50) / 3600, 3);
  expect(plan.hours.max).toBeCloseTo((plan.prompt_tokens / 1000 + plan.completion_tokens.max / 50) / 3600, 3);
});

test('every server of this machine is one place; the demo model is its address', () => {
  expect(modelAt('http://127.0.0.1:1234', 'M')).toBe(modelAt('http://localhost:11434', 'm:latest'));
  expect(modelAt('http://127.0.0.1:1', 'm', true)).not.toBe(modelAt('http://127.0.0.1:2', 'm', true));
  expect(modelAt('http://gpu.example:1', 'm')).toBe('m:latest at gpu.example');
});

test('the calls of a run show how fast its model is, and how many tokens each step takes', async () => {
  const standin = kept(await startDemoServer({ port: 0 }));
  const lab = kept(await openLaboratory({ url: standin.url, cases: 2 }));
  await lab.run();
  const past = pastCalls(lab.store, { fileHash: 'another file' });
  expect(past.speeds).toEqual([
    expect.objectContaining({ of: modelAt(standin.url, 'm:1', true), source: 'record', completion: expect.any(Number) }),
  ]);
  const answers = lab.trials
    .flatMap(({ id }) => lab.chain(id))
    .flatMap((event) => (event.kind === 'call-answer' ? [event.payload] : []));
  const rulings = answers.filter(({ key }) => key.startsWith('ruling/')).map(({ completionTokens }) => completionTokens);
  const step = past.steps.find((each) => each.step.startsWith('agentic-sim | ruling/judge |'));
  expect(step).toMatchObject({ completionTokens: Math.min(...rulings), promptTokens: null });
  const recorded = pastCalls(lab.store, recordedData(lab.store, loadFrozen(lab.store, 'laboratory')));
  expect(recorded.steps.find((each) => each.step === step?.step)).toMatchObject({ promptTokens: expect.any(Number) });
});

test('a measurement asks each model twice, and takes the times that the server does not report from the text', async () => {
  let time = 0;
  const asked: CompletionRequest[] = [];
  const server = {
    kind: 'openai',
    url,
    complete(request: CompletionRequest, _signal: AbortSignal, onText: (soFar: string) => void) {
      asked.push(request);
      time += 500;
      onText('{');
      time += request.options.numPredict * 100;
      const figures = { promptTokens: 100, completionTokens: request.options.numPredict, modelMs: 0, loadMs: 0 };
      return Promise.resolve({ text: '{', thinking: null, doneReason: 'length', ...figures, standin: false });
    },
  } as unknown as LanguageModel;
  const found = await measureModels(
    new Map([['default', server]]),
    { ...prepared.experiment, arms: prepared.arms.map(({ definition }) => definition) },
    new AbortController().signal,
    () => time,
  );
  expect(found.checks).toEqual([]);
  expect(found.speeds).toEqual(
    models.map((model) => ({ of: modelAt(url, model), prompt: 200, completion: 10, calls: 1, source: 'measurement' })),
  );
  // Ten tokens a second: the answer that counts is to take six.
  expect(asked.map(({ options }) => options.numPredict)).toEqual(models.flatMap(() => [16, 60]));
});
