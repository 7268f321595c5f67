import { expect, test } from 'vitest';
import { shownAs, titleOf, withShown } from './shownExperiments.ts';

test('a title and a place are kept beside the name, whatever the name is, and go when both are as usual', () => {
  const titled = withShown([], { name: '__proto__', title: 'Recidivism', place: 'listed' });
  expect(titleOf(titled, '__proto__')).toBe('Recidivism');
  expect(titleOf(titled, 'another')).toBe('another');
  const archived = withShown(titled, { ...shownAs(titled, '__proto__'), place: 'archived' });
  expect(shownAs(archived, '__proto__')).toEqual({ name: '__proto__', title: 'Recidivism', place: 'archived' });
  expect(archived).toHaveLength(1);
  expect(withShown(archived, { name: '__proto__', title: '', place: 'listed' })).toEqual([]);
});
