import { expect, test } from 'vitest';
import { makespan, type VirtualServer } from '../../../bench/support/virtualRun.ts';

const server: VirtualServer = { room: 1, loadSeconds: 20, slots: 4, speed: 1 };

/** Trials of arms of one model each, whose calls take two seconds, arm by arm. */
const trialsOf = (arms: number, cases: number, calls: number) =>
  Array.from({ length: arms }, (_, arm) =>
    Array.from({ length: cases }, () => ({ calls: Array(calls).fill({ model: `m${arm}`, seconds: 2 }) })),
  ).flat();

test('with fewer cases than slots, an arm of another model waits until those under way have ended', () => {
  // Each arm takes a load and its longest trial; 80 s more are what it may take to learn that two models do not fit.
  expect(makespan(trialsOf(16, 3, 20), [server], 'ours')).toBeLessThanOrEqual(16 * (20 + 40) + 90);
  expect(makespan(trialsOf(4, 3, 12), [server], 'ours')).toBeLessThanOrEqual(4 * (20 + 24));
  expect(makespan(trialsOf(16, 10, 12), [{ ...server, slots: 16 }], 'ours')).toBeLessThanOrEqual(16 * (20 + 24) + 90);
});

test('where all models fit, only as much time is lost as it takes to learn that', () => {
  const roomy = { ...server, room: 16 };
  const bound = 20 + (16 * 3 * 20 * 2) / 4;
  expect(makespan(trialsOf(16, 3, 20), [roomy], 'ours')).toBeLessThan(bound + 150);
});

test.each([2.5, 10, 20])('a server %d times slower holds up nothing at the end', (times) => {
  const slow = { ...server, speed: 1 / times };
  for (const [cases, calls] of [
    [20, 12],
    [200, 12],
    [50, 20],
  ] as const) {
    const bound = 20 + (cases * calls * 2) / (4 + 4 / times);
    expect(makespan(trialsOf(1, cases, calls), [server, slow], 'ours') / bound).toBeLessThan(1.1);
  }
});
