import { expect, test } from 'vitest';
import { unsettledTrials } from './unsettledTrials.ts';

const started = (id: string, outcome: string | null, incomplete = 0) =>
  ({ case_id: id, status: outcome === null ? 'running' : 'done', outcome, incomplete }) as const;

test('what was not started, did not end, failed or lost a turn is counted with its cases; what was decided is not', () => {
  const trials = [
    started('a', 'decided'),
    started('a', 'timeout'),
    started('b', null),
    started('c', 'timeout'),
    started('d', 'decided', 1),
  ];
  expect(unsettledTrials(['a', 'b', 'c', 'd'], 2, trials)).toEqual([
    { kind: 'not_begun', trials: 3, cases: 3, first: ['b', 'c', 'd'] },
    { kind: 'not_ended', trials: 1, cases: 1, first: ['b'] },
    { kind: 'timeout', trials: 2, cases: 2, first: ['a', 'c'] },
    { kind: 'turn_lost', trials: 1, cases: 1, first: ['d'] },
  ]);
  // An arm of a file has what the file has.
  expect(unsettledTrials(['a', 'b'], 0, [started('a', 'decided')])).toEqual([]);
});

test('of many cases the first twenty are named', () => {
  const [found] = unsettledTrials(
    Array.from({ length: 30 }, (_none, place) => `c${place}`),
    3,
    [],
  );
  expect(found).toMatchObject({ kind: 'not_begun', trials: 90, cases: 30 });
  expect(found?.first).toHaveLength(20);
});
