import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { turnLimit } from './turnLimit.ts';

test('so many pass in each turn, in their order, and later ones wait behind those that came before', async () => {
  const enter = turnLimit(2);
  const passed: number[] = [];
  const come = (...callers: number[]) => {
    for (const caller of callers) void enter().then(() => passed.push(caller));
  };
  come(1, 2, 3, 4, 5);
  await Promise.resolve();
  expect(passed).toEqual([1, 2]);
  await turn();
  expect(passed).toEqual([1, 2, 3, 4]);
  come(6, 7);
  await Promise.resolve();
  expect(passed).toEqual([1, 2, 3, 4]);
  await turn();
  expect(passed).toEqual([1, 2, 3, 4, 5, 6]);
  await turn();
  expect(passed).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test('after a turn without callers as many pass as at first', async () => {
  const enter = turnLimit(2);
  for (let round = 0; round < 3; round++) {
    let passed = 0;
    for (let caller = 0; caller < 3; caller++) void enter().then(() => (passed += 1));
    await Promise.resolve();
    expect(passed).toBe(2);
    await turn();
    await turn();
    expect(passed).toBe(3);
  }
});
