import { expect, test } from 'vitest';
import { noFilter, queryOf, queryWithin } from './trialFilter.ts';

test('without a filter only the order is asked for', () => {
  expect(queryOf(noFilter)).toEqual({ order: 'newest' });
});

test('each part filters by itself', () => {
  expect(
    queryOf({
      ...{ queue: 'failed', arm: 'court', outcome: 'timeout', correct: 'wrong', verdict: 'YES', first: 'NO' },
      ...{ group: ['sex', 'f'], order: 'case', search: '12' },
    }),
  ).toEqual({
    queue: 'failed',
    arm: 'court',
    outcome: 'timeout',
    correct: false,
    prediction: 'YES',
    first: 'NO',
    subset: { groups: { sex: ['f'] } },
    order: 'case',
    search: '12',
  });
  expect(queryOf({ ...noFilter, correct: 'correct' })).toEqual({ order: 'newest', correct: true });
});

test('a running trial has no outcome to filter by', () => {
  expect(queryOf({ ...noFilter, outcome: 'running' })).toEqual({ order: 'newest', status: 'running' });
});

test('a first answer is a condition in addition to the part, so that it makes no other pairs of it', () => {
  const within = {
    subset: { arms: ['court', 'alone'], first: ['YES'] },
    matched: { arms: ['court', 'alone'], by: 'case' as const },
  };
  expect(queryWithin(queryOf({ ...noFilter, first: 'NO' }), within)).toEqual({ order: 'newest', first: 'NO', ...within });
});

test('a group is asked for within what a filter or a figure leaves, and another verdict than that of a figure leaves nothing', () => {
  const within = { prediction: 'YES', subset: { arms: ['court'], groups: { sex: ['f', 'm'] } } };
  expect(queryWithin(queryOf({ ...noFilter, group: ['sex', 'f'], verdict: 'NO' }), within)).toMatchObject({
    subset: { arms: ['court'], groups: { sex: ['f'] } },
    trials: [],
  });
});
