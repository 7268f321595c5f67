import { expect, test } from 'vitest';
import { commonCases } from './commonCases.ts';

test('places in both lists, in the order of the first', () => {
  expect(commonCases(['c', 'a', 'x'], ['a', 'b', 'c'])).toEqual([
    { first: 0, second: 2 },
    { first: 1, second: 0 },
  ]);
  expect(commonCases([], ['a'])).toEqual([]);
});

test('refuses a case that is listed twice', () => {
  expect(() => commonCases(['a'], ['b', 'a', 'b'])).toThrow(/case "b" is listed twice/);
});
