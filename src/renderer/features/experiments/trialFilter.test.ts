import { expect, test } from 'vitest';
import { noFilter, queryOf, queryWithin } from './trialFilter.ts';

test('without a filter only the order is asked for', () => {
  expect(queryOf(noFilter)).toEqual({ order: 'newest' });
});

test('each part filters by itself', () => {
  expect(queryOf({ arm: 'court', outcome: 'timeout', correct: 'wrong', first: 'NO', order: 'case', search: '12' })).toEqual({
    arm: 'court',
    outcome: 'timeout',
    correct: false,
    subset: { first: ['NO'] },
    order: 'case',
    search: '12',
  });
  expect(queryOf({ ...noFilter, correct: 'correct' })).toEqual({ order: 'newest', correct: true });
});

test('what is on trial now has no outcome to be asked for', () => {
  expect(queryOf({ ...noFilter, outcome: 'running' })).toEqual({ order: 'newest', status: 'running' });
});

test('within a part, a first answer is one of those that the part leaves', () => {
  const query = queryOf({ ...noFilter, first: 'NO' });
  expect(queryWithin(query, { subset: { arms: ['court'] } })).toMatchObject({ subset: { arms: ['court'], first: ['NO'] } });
  expect(queryWithin(query, { subset: { first: ['YES'] } })).toMatchObject({ subset: { first: [] } });
  expect(queryWithin(queryOf(noFilter), { subset: { arms: ['court'] } })).toMatchObject({ subset: { arms: ['court'] } });
});
