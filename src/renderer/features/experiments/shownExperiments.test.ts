import { expect, test } from 'vitest';
import { listedTitle, shownAs, titleOf, withShown } from './shownExperiments.ts';

test('a title and a place are kept with the name, for any name, and go when both are as usual', () => {
  const titled = withShown([], { name: '__proto__', title: 'Recidivism', place: 'listed' });
  expect(titleOf(titled, '__proto__')).toBe('Recidivism');
  expect(titleOf(titled, 'another')).toBe('another');
  const archived = withShown(titled, { ...shownAs(titled, '__proto__'), place: 'archived' });
  expect(shownAs(archived, '__proto__')).toEqual({ name: '__proto__', title: 'Recidivism', place: 'archived' });
  expect(archived).toHaveLength(1);
  expect(withShown(archived, { name: '__proto__', title: '', place: 'listed' })).toEqual([]);
});

test('a case described in words is listed by its question, and what tries it again says so', () => {
  const asked = { name: 'try-1', question: 'Must he pay?', single: true, retrial: false };
  expect(listedTitle([], asked)).toBe('Must he pay?');
  expect(listedTitle([], { ...asked, name: 'trial 1 again', single: false, retrial: true })).toBe('Changes to: Must he pay?');
  expect(listedTitle([], { ...asked, name: 'study', single: false })).toBe('study');
  expect(listedTitle([{ name: 'try-1', title: 'Mine', place: 'listed' }], asked)).toBe('Mine');
  expect(listedTitle([], { ...asked, question: 'word '.repeat(100) })).toHaveLength(121);
});
