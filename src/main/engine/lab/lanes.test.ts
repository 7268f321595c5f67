import { expect, test } from 'vitest';
import type { BackendDefinition } from '../../../shared/experiment.ts';
import { callsAtATime, lanesOf, trialsAtATime } from './lanes.ts';

const backends: Readonly<Record<string, BackendDefinition>> = {
  near: { kind: 'ollama', url: 'http://127.0.0.1:1' },
  gpu: { kind: 'openai', url: 'http://127.0.0.1:2/v1', concurrency: 16 },
  small: { kind: 'openai', url: 'http://127.0.0.1:3/v1', concurrency: 2 },
};
const asked: Readonly<Record<string, readonly string[]>> = {
  one: ['near', 'near'],
  two: ['gpu'],
  three: ['small', 'gpu'],
  four: ['gpu', 'small', 'small'],
};

test('trials that ask the same servers share a lane in their order, as wide as the widest server', () => {
  const trials = ['two', 'one', 'four', 'three', 'one'].map((arm, number) => ({ arm, number }));
  const lanes = lanesOf(
    trials,
    (arm) => asked[arm] ?? [],
    (name) => trialsAtATime(backends[name] ?? {}, 3, null),
  );
  expect(lanes.map((lane) => [lane.width, lane.trials.map(({ number }) => number)])).toEqual([
    [16, [0]],
    [3, [1, 4]],
    [16, [2, 3]],
  ]);
});

test('as many trials at a time are done as the entry of the server says, else the run, else its slots, else 1', () => {
  expect(trialsAtATime({ concurrency: 16 }, 3, 8)).toBe(16);
  expect(trialsAtATime({}, 3, 8)).toBe(3);
  expect(trialsAtATime({}, null, 8)).toBe(8);
  expect(trialsAtATime({}, null, null)).toBe(1);
});

test('as many calls at a time are made as the entry of the server says, else its slots, else the run, else 1', () => {
  expect(callsAtATime({ concurrency: 16 }, 3, 8)).toBe(16);
  expect(callsAtATime({ concurrency: 2 }, 3, 8)).toBe(2);
  expect(callsAtATime({}, 3, 8)).toBe(8);
  expect(callsAtATime({}, 3, null)).toBe(3);
  expect(callsAtATime({}, null, null)).toBe(1);
});
