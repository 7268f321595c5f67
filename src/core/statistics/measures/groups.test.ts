import { expect, test } from 'vitest';
import { plannedGroups } from './groups.ts';
import { trial } from './trials.fixture.ts';

test('a case without a value of a column is of the empty group, also where every object has something of the column’s name', () => {
  const trials = [trial('c0', { groups: { constructor: 'Lotus' } }), trial('c1')];
  const { groups } = plannedGroups(trials, ['constructor', 'team'], { labels: [], positive: null });
  expect(groups.map(({ attribute, value, n }) => [attribute, value, n])).toEqual([
    ['constructor', '', 1],
    ['constructor', 'Lotus', 1],
    ['team', '', 2],
  ]);
});
