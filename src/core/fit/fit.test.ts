import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FitQuestion, type FreeMemory, fitModel } from './fit.ts';
import { keyValueBytes, overheadBytes } from './memory.ts';
import { hasHiddenLists, type ModelShape, modelShape } from './modelShape.ts';

const mebi = 2 ** 20;
const gibi = 2 ** 30;

const llama = {
  'general.architecture': 'llama',
  'llama.block_count': 32,
  'llama.context_length': 131072,
  'llama.embedding_length': 4096,
  'llama.attention.head_count': 32,
  'llama.attention.head_count_kv': 8,
  'llama.vocab_size': 128256,
};
const qwen = {
  'general.architecture': 'qwen2',
  'qwen2.block_count': 28,
  'qwen2.context_length': 32768,
  'qwen2.embedding_length': 3584,
  'qwen2.attention.head_count': 28,
  'qwen2.attention.head_count_kv': 4,
};
const gemma = {
  'general.architecture': 'gemma2',
  'gemma2.block_count': 42,
  'gemma2.context_length': 8192,
  'gemma2.embedding_length': 3584,
  'gemma2.attention.head_count': 16,
  'gemma2.attention.head_count_kv': 8,
  'gemma2.attention.key_length': 256,
  'gemma2.attention.value_length': 256,
  'gemma2.attention.sliding_window': 4096,
};

function shapeOf(info: Readonly<Record<string, unknown>>): ModelShape {
  const reading = modelShape(info);
  if ('missing' in reading) throw new Error(reading.missing);
  return reading.shape;
}

test('llama3.1:8b: 2 x 32 layers x 8 heads x 128 numbers x 2 bytes = 131,072 bytes a token, 1 GiB at 8192', () => {
  expect(keyValueBytes(shapeOf(llama), 1, 1)).toBe(131_072);
  expect(keyValueBytes(shapeOf(llama), 8192, 1)).toBe(gibi);
  expect(keyValueBytes(shapeOf(llama), 8192, 4)).toBe(4 * gibi);
});

test('qwen2.5:7b: 2 x 28 layers x 4 heads x 128 numbers x 2 bytes = 57,344 bytes a token, 448 MiB at 8192', () => {
  expect(keyValueBytes(shapeOf(qwen), 8192, 1)).toBe(448 * mebi);
});

test('gemma2:9b: 21 layers keep everything, 21 a window of 4096 tokens and a batch of 512, 8192 bytes each a token', () => {
  // 8 heads x (256 + 256) numbers x 2 bytes = 8192 bytes.
  expect(keyValueBytes(shapeOf(gemma), 8192, 1)).toBe(21 * 8192 * 8192 + 21 * 8192 * (4096 + 512));
  expect(keyValueBytes(shapeOf(gemma), 8192, 3)).toBe(21 * 8192 * 8192 * 3 + 21 * 8192 * (4096 * 3 + 512));
  // A context that is shorter than the window is kept whole by all 42.
  expect(keyValueBytes(shapeOf(gemma), 4096, 1)).toBe(42 * 8192 * 4096);
});

test('heads reported for each layer are added up; layers without heads keep nothing', () => {
  const mixed = {
    'general.architecture': 'mixed',
    'mixed.block_count': 3,
    'mixed.embedding_length': 512,
    'mixed.attention.head_count': [8, 8, 8],
    'mixed.attention.head_count_kv': [8, 0, 4],
  };
  // Heads of 512 / 8 = 64 numbers: (8 + 0 + 4) x (64 + 64) x 2 bytes = 3072 bytes a token.
  expect(keyValueBytes(shapeOf(mixed), 1000, 2)).toBe(3072 * 2000);
});

test('a window counts for the layers that the file names, and for none where it names none', () => {
  const base = {
    'general.architecture': 'other',
    'other.block_count': 2,
    'other.embedding_length': 64,
    'other.attention.head_count': 1,
    'other.attention.sliding_window': 100,
  };
  // One head of 64 numbers: (64 + 64) x 2 = 256 bytes a token and layer.
  expect(keyValueBytes(shapeOf(base), 10_000, 1)).toBe(2 * 256 * 10_000);
  const flagged = { ...base, 'other.attention.sliding_window_pattern': [true, false] };
  expect(keyValueBytes(shapeOf(flagged), 10_000, 1)).toBe(256 * 612 + 256 * 10_000);
  const everyOther = { ...base, 'other.attention.sliding_window_pattern': 2 };
  expect(keyValueBytes(shapeOf(everyOther), 10_000, 1)).toBe(256 * 612 + 256 * 10_000);
});

test('a model for vectors that looks both ways keeps no keys and values', () => {
  expect(keyValueBytes(shapeOf({ ...llama, 'llama.attention.causal': false }), 8192, 4)).toBe(0);
});

test('the overhead is the reserve of a GPU and one batch of scores: 457 MiB + 258.5 MiB for Llama 3 8B', () => {
  expect(overheadBytes(shapeOf(llama))).toBe(457 * mebi + 258.5 * mebi);
  // 4 x 512 x (3584 + 262,144) where the vocabulary is not reported.
  expect(overheadBytes(shapeOf(qwen))).toBe(457 * mebi + 519 * mebi);
});

test.each([
  [{}, 'architecture'],
  [{ 'general.architecture': '../../etc' }, 'architecture'],
  [{ ...llama, 'llama.block_count': undefined }, 'llama.block_count'],
  [{ ...llama, 'llama.block_count': 1e9 }, 'llama.block_count'],
  [{ ...llama, 'llama.embedding_length': '4096' }, 'llama.embedding_length'],
  [{ ...llama, 'llama.attention.head_count': -1 }, 'llama.attention.head_count'],
  [{ ...llama, 'llama.attention.head_count_kv': [8, 8] }, 'llama.attention.head_count_kv'],
  [{ ...llama, 'llama.attention.head_count_kv': null }, 'llama.attention.head_count_kv'],
  [{ ...llama, 'llama.attention.kv_lora_rank': 512 }, 'compressed'],
  [{ ...llama, 'llama.ssm.state_size': 128 }, 'state'],
])('what is not reported is not guessed: %j', (info, word) => {
  const reading = modelShape(info);
  expect('missing' in reading && reading.missing).toContain(word);
  const fit = fitModel({ ...question, shape: reading });
  expect(fit).toMatchObject({ verdict: 'unknown', needed: null, key_values: null });
  expect(fit.reason).toContain(word);
});

test('lists that a short answer leaves out are noticed', () => {
  expect(hasHiddenLists(llama)).toBe(false);
  expect(hasHiddenLists({ ...llama, 'llama.attention.head_count_kv': [] })).toBe(true);
  expect(hasHiddenLists({ ...llama, 'llama.attention.head_count_kv': null })).toBe(true);
  expect(hasHiddenLists({ ...llama, 'tokenizer.ggml.tokens': null })).toBe(false);
});

const weights = 4.6 * gibi;
const free = (gpus: number[] | null, memory: number | null, unified = false): FreeMemory => ({
  gpus: gpus?.map((each) => each * gibi) ?? null,
  memory: memory === null ? null : memory * gibi,
  unified,
  unknown: null,
});
const question: FitQuestion = {
  model: 'llama3.1:8b',
  context: 8192,
  slots: 1,
  weights,
  shape: modelShape(llama),
  free: free([8], 16),
};

test.each<[string, FreeMemory, string]>([
  // Needed: 4.6 + 1 + 0.70 = 6.30 GiB.
  ['a GPU with room', free([8], 16), 'gpu'],
  ['a GPU with too little', free([6], 16), 'partly'],
  ['a GPU with less than the overhead', free([0.5], 16), 'memory'],
  ['no GPU', free([], 16), 'memory'],
  ['no GPU and little memory', free([], 4), 'no'],
  ['neither holds it, both together do', free([4], 3), 'partly'],
  ['two GPUs that hold it together', free([4, 4], 1), 'gpu'],
  ['two GPUs, each with its own overhead', free([3.2, 3.2], 16), 'partly'],
  ['nobody knows of a GPU, memory is enough', free(null, 16), 'memory'],
  ['nobody knows of a GPU, memory is not enough', free(null, 4), 'unknown'],
  ['nothing is known', free(null, null), 'unknown'],
  ['one memory for both is counted once', free([4], 6, true), 'no'],
])('%s', (_, memory, verdict) => {
  const fit = fitModel({ ...question, free: memory });
  expect(fit.verdict).toBe(verdict);
  expect(fit.reason).toMatch(/^It needs about 6\.3 GiB: weights 4\.6 GiB, context 1 GiB \(8,192 tokens\), overhead 715\.\d MiB/);
  expect(fit.reason.endsWith(fit.conclusion)).toBe(true);
  expect(fit.conclusion).not.toMatch(/GiB/);
  // Who says "wholly" and "not wholly" must show figures that say the same.
  if (fit.gpu_room !== null) expect(fit.gpu_room >= (fit.needed ?? Number.NaN)).toBe(verdict === 'gpu');
});

test('the reason names the longest context that stays on the GPU', () => {
  // 7 GiB - 4.6 - 0.69873 = 1.70127 GiB, at 128 KiB a token 13,936 tokens: 54 steps of 256.
  const roomy = fitModel({ ...question, free: free([7], 16) });
  expect(roomy).toMatchObject({ verdict: 'gpu', gpu_context: 54 * 256, gpu_free: 7 * gibi });
  const long = fitModel({ ...question, context: 32768, free: free([7], 16) });
  expect(long).toMatchObject({ verdict: 'partly', gpu_context: 13_824 });
  expect(long.reason).toContain('With a context of up to 13,824 tokens it would be wholly on the GPU.');
  expect(fitModel({ ...question, free: free([5], 16) }).gpu_context).toBe(0);
  expect(fitModel({ ...question, free: free([500], 16) }).gpu_context).toBe(131_072);
});

test('a context beyond that of the model is reported, and so is a server on another machine', () => {
  expect(fitModel({ ...question, context: 200_000 }).reason).toContain('131,072 tokens of context at most');
  const away = { gpus: null, memory: null, unified: false, unknown: 'the server runs on another machine' };
  expect(fitModel({ ...question, free: away }).reason).toMatch(
    /How much memory is free is unknown: the server runs on another machine\.$/,
  );
  expect(fitModel({ ...question, weights: null })).toMatchObject({ verdict: 'unknown', needed: null });
});

test('more room never makes a verdict worse, more context never better', () => {
  const rank = ['no', 'memory', 'partly', 'gpu'];
  const size = fc.double({ min: 0, max: 64, noNaN: true });
  fc.assert(
    fc.property(
      size,
      size,
      size,
      fc.integer({ min: 256, max: 131_072 }),
      fc.integer({ min: 1, max: 8 }),
      (gpu, more, main, context, slots) => {
        const at = (room: number, length: number) =>
          rank.indexOf(fitModel({ ...question, slots, context: length, free: free([room], main) }).verdict);
        expect(at(gpu + more, context)).toBeGreaterThanOrEqual(at(gpu, context));
        expect(at(gpu, Math.max(256, Math.floor(context / 2)))).toBeGreaterThanOrEqual(at(gpu, context));
      },
    ),
  );
});
