import { expect, test } from 'vitest';
import { lanesOf } from './lanes.ts';

const backends = {
  near: { kind: 'ollama', url: 'http://127.0.0.1:1' },
  gpu: { kind: 'openai', url: 'http://127.0.0.1:2/v1', concurrency: 16 },
  small: { kind: 'openai', url: 'http://127.0.0.1:3/v1', concurrency: 2 },
} as const;
const asked: Readonly<Record<string, readonly string[]>> = {
  one: ['near', 'near'],
  two: ['gpu'],
  three: ['small', 'gpu'],
  four: ['gpu', 'small', 'small'],
};

test('trials that ask the same servers share a lane in their order, as wide as the widest server', () => {
  const trials = ['two', 'one', 'four', 'three', 'one'].map((arm, number) => ({ arm, number }));
  const lanes = lanesOf(trials, (arm) => asked[arm] ?? [], backends, 3);
  expect(lanes.map((lane) => [lane.width, lane.trials.map(({ number }) => number)])).toEqual([
    [16, [0]],
    [3, [1, 4]],
    [16, [2, 3]],
  ]);
});
