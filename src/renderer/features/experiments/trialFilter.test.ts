import { expect, test } from 'vitest';
import { noFilter, queryOf } from './trialFilter.ts';

test('without a filter only the order is asked for', () => {
  expect(queryOf(noFilter)).toEqual({ order: 'newest' });
});

test('each part filters by itself', () => {
  expect(queryOf({ arm: 'court', outcome: 'timeout', correct: 'wrong', order: 'case', search: '12' })).toEqual({
    arm: 'court',
    outcome: 'timeout',
    correct: false,
    order: 'case',
    search: '12',
  });
  expect(queryOf({ ...noFilter, correct: 'correct' })).toEqual({ order: 'newest', correct: true });
});

test('what is on trial now has no outcome to be asked for', () => {
  expect(queryOf({ ...noFilter, outcome: 'running' })).toEqual({ order: 'newest', status: 'running' });
});
