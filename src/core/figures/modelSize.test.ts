import { expect, test } from 'vitest';
import { modelSize } from './modelSize.ts';

test.each([
  ['llama3.1:8b', 8],
  ['llama3.2:1b-instruct-q4_K_M', 1],
  ['qwen2.5:0.5b', 0.5],
  ['Qwen2.5-7B-Instruct', 7],
  ['mistral-7b', 7],
  ['hf.co/bartowski/Llama-3.2-3B-Instruct-GGUF:Q4_K_M', 3],
  ['mixtral:8x7b', 56],
  ['mixtral-8x22b-instruct', 176],
  ['gemma3:270m', 0.27],
  ['smollm_135m', 0.135],
  ['kimi-k2:1t', 1000],
  ['deepseek-r1:671b', 671],
  ['qwen3:30b-a3b', 30],
  ['yi-34b:34b', 34],
])('%s has %d billion parameters', (name, billions) => {
  expect(modelSize(name)).toBe(billions);
});

test.each([
  'mistral:latest',
  'gpt-4o',
  'o3-mini',
  'llama3.1',
  'gemma3n:e4b',
  'merged-7b-13b',
  'model-8bit',
  'phi-0b',
  '',
  '8x',
  '-b',
])('%s says no size', (name) => {
  expect(modelSize(name)).toBeNull();
});

test('a long hostile name is read in a moment', () => {
  expect(modelSize(`${'1'.repeat(100_000)}x${'9.'.repeat(100_000)}b`)).toBeNull();
});
