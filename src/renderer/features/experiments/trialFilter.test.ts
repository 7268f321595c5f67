import { expect, test } from 'vitest';
import { noFilter, noTrialText, queryOf, queryWithin } from './trialFilter.ts';

test('without a filter only the order is asked for', () => {
  expect(queryOf(noFilter)).toEqual({ order: 'newest' });
});

test('each part filters by itself', () => {
  expect(
    queryOf({
      ...noFilter,
      ...{ queue: 'failed', outcome: 'timeout', correct: 'wrong', verdict: 'YES', order: 'case', search: '12' },
    }),
  ).toEqual({
    queue: 'failed',
    outcome: 'timeout',
    correct: false,
    prediction: 'YES',
    order: 'case',
    search: '12',
  });
  expect(queryOf({ ...noFilter, correct: 'correct' })).toEqual({ order: 'newest', correct: true });
});

test('a running trial has no outcome to filter by', () => {
  expect(queryOf({ ...noFilter, outcome: 'running' })).toEqual({ order: 'newest', status: 'running' });
});

test('another verdict than that of a figure leaves nothing', () => {
  const within = { prediction: 'YES', subset: { arms: ['court'] } };
  expect(queryWithin(queryOf({ ...noFilter, verdict: 'NO' }), within)).toMatchObject({ subset: { arms: ['court'] }, trials: [] });
});

test('an empty cell of the table of cases does not say of a part that no trial has begun', () => {
  expect(noTrialText({})).toContain('has begun no trial');
  expect(noTrialText({ confidence: { from: 0.9, to: 1 } })).toContain('in this part');
});
