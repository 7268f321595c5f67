import { expect, test } from 'vitest';
import type { Fit } from '../../../shared/api/models.ts';
import { warning } from '../../../shared/checks.ts';
import { AssizeError } from '../../../shared/errors.ts';
import { runtimeSchema } from '../../../shared/experiment.ts';
import { BackendOutage } from '../../../shared/model.ts';
import { createDispatcher } from '../models/dispatcher.ts';
import type { FitsAsked } from '../models/library/fits.ts';
import { serve } from '../models/testing/server.ts';
import { kept } from '../testing/kept.ts';
import { fitChecks, fitChecksOf } from './fitChecks.ts';

const never = new AbortController().signal;
const one = { count: 1, known: true };

/** Models of which those in the list have these verdicts; it keeps what was asked for. */
function manager(verdicts: Readonly<Record<string, Fit['verdict']>>, standin = false) {
  const asked: FitsAsked[] = [];
  const sized = (model: string, { context, slots }: FitsAsked): Fit => ({
    model,
    context,
    slots,
    verdict: verdicts[model] ?? 'unknown',
    weights: null,
    key_values: null,
    overhead: null,
    needed: null,
    gpu_free: null,
    memory_free: null,
    gpu_room: null,
    gpu_context: null,
    conclusion: 'conclusion.',
    reason: `reason of ${context}.`,
  });
  return {
    asked,
    read: async () => ({ standin, installed: Object.keys(verdicts).map((name) => ({ name })) }),
    async fits(question: FitsAsked) {
      asked.push(question);
      return Object.keys(verdicts).map((model) => sized(model, question));
    },
  };
}

test('models that will not be on the GPU are reported, each for the context that its calls need and the slots of the server', async () => {
  const models = manager({ 'big:latest': 'no', 'half:8b': 'partly', 'fine:1b': 'gpu', 'main:1b': 'memory', 'odd:1b': 'unknown' });
  const needed = new Map([
    ['Big', 8192],
    ['half:8b', 4096],
    ['fine:1b', 8192],
    ['main:1b', 8192],
    ['odd:1b', 8192],
    ['vectors:1b', 0],
    ['absent:1b', 4096],
  ]);
  const checks = await fitChecks(models, needed, { count: 4, known: true }, never);
  expect(checks).toEqual([warning('model Big: reason of 8192.'), warning('model half:8b: reason of 4096.')]);
  expect(models.asked).toEqual([
    { context: 8192, slots: 4, models: ['Big', 'fine:1b', 'main:1b', 'odd:1b'] },
    { context: 4096, slots: 4, models: ['half:8b'] },
  ]);
});

test('slots that no server states are described as assumed', async () => {
  const [check] = await fitChecks(manager({ 'big:1b': 'no' }), new Map([['big:1b', 8192]]), { count: 3, known: false }, never);
  expect(check?.text).toContain('a slot for each of the 3 calls at a time');
  expect(check?.text).toContain('OLLAMA_NUM_PARALLEL');
});

test('a demo model, a server that is away and a plan without models have no checks', async () => {
  const needed = new Map([['big', 8192]]);
  expect(await fitChecks(manager({ 'big:latest': 'no' }, true), needed, one, never)).toEqual([]);
  for (const error of [new AssizeError('no-backend', 'away'), new BackendOutage('away')]) {
    expect(await fitChecks({ ...manager({}), read: () => Promise.reject(error) }, needed, one, never)).toEqual([]);
  }
  const none = manager({ big: 'no' });
  expect(await fitChecks(none, new Map([['vectors', 0]]), one, never)).toEqual([]);
  expect(none.asked).toEqual([]);
  const broken = { ...manager({ big: 'no' }), fits: () => Promise.reject(new TypeError('a fault of the program')) };
  await expect(fitChecks(broken, needed, one, never)).rejects.toThrow('a fault of the program');
});

/** 32 layers, 8 heads of 128 numbers: 1 GiB of keys and values for each slot of 8192 tokens. */
const llama = {
  'general.architecture': 'llama',
  'llama.block_count': 32,
  'llama.embedding_length': 4096,
  'llama.attention.head_count': 32,
  'llama.attention.head_count_kv': 8,
};

test('before a run each Ollama is asked only about the models that it needs, and the calls at a time decide', async () => {
  const gibi = 2 ** 30;
  const server = await serve((request, response) => {
    const answers: Readonly<Record<string, unknown>> = {
      '/api/version': { version: '0.33.0' },
      '/api/tags': { models: ['llama3.1:8b', 'other:8b'].map((name) => ({ name, digest: name, size: 5 * gibi })) },
      '/api/ps': { models: [] },
      '/api/show': { model_info: llama },
    };
    response.end(JSON.stringify(answers[request.url ?? '']));
  });
  kept(server);
  const dispatcher = kept(createDispatcher({ allowedHosts: [] }));
  const backends = {
    default: { kind: 'ollama', url: server.url },
    vllm: { kind: 'openai', url: 'http://127.0.0.1:1' },
  } as const;
  const needed = new Map([
    ['default', new Map([['llama3.1:8b', 8192]])],
    ['vllm', new Map([['large', 8192]])],
  ]);
  const memory = async () => ({
    gpus: [{ vendor: 'nvidia', memory_total: 8 * gibi, memory_used: 0, unified: false } as const],
    memory: 32 * gibi,
  });
  const runtime = runtimeSchema.parse({});
  const look = (concurrency: number) =>
    fitChecksOf(dispatcher, { backends, runtime }, needed, { concurrency, memory, signal: never });
  expect(await look(1)).toEqual([]);
  const [check, more] = await look(4);
  expect(more).toBeUndefined();
  expect(check?.text).toMatch(/^model llama3\.1:8b: It needs about .*8,192 tokens x 4 slots.*partly on the GPU/);
  const shown = server.requests.filter(({ path }) => path === '/api/show').map(({ body }) => JSON.parse(body).model);
  expect(new Set(shown)).toEqual(new Set(['llama3.1:8b']));
});
