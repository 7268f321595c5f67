import { expect, test } from 'vitest';
import { commonCases } from './commonCases.ts';

test('places in both lists, in the order of the first', () => {
  const places = (first: string[], second: string[]) => {
    const common = commonCases(first, second);
    return [...common.first].map((place, index) => [place, common.second[index]]);
  };
  expect(places(['c', 'a', 'x'], ['a', 'b', 'c'])).toEqual([
    [0, 2],
    [1, 0],
  ]);
  expect(places(['b', 'a'], ['b', 'a'])).toEqual([
    [0, 0],
    [1, 1],
  ]);
  expect(places([], ['a'])).toEqual([]);
});

test('refuses a case that is listed twice', () => {
  expect(() => commonCases(['a'], ['b', 'a', 'b'])).toThrow(/case "b" is listed twice/);
});
