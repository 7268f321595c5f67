import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tieGroups } from './tieGroups.ts';

const groupsOf = (values: readonly number[]) => {
  const { order, ends } = tieGroups(values);
  return [...ends].map((end, group) => [...order.slice(ends[group - 1] ?? 0, end)].sort((a, b) => a - b));
};

test('equal values are together, lowest first', () => {
  expect(groupsOf([0.7, 0.5, 0.7, -1])).toEqual([[3], [1], [0, 2]]);
  expect(groupsOf([0, -0, 0])).toEqual([[0, 1, 2]]);
  expect(groupsOf([])).toEqual([]);
});

test('values that differ by rounding alone are one group, in any order', () => {
  expect([0.1 + 0.2, 1 - 0.7, 1 - 0.9].every((value) => ![0.3, 0.1].includes(value))).toBe(true);
  expect(groupsOf([0.3, 0.1 + 0.2, 1 - 0.7])).toEqual([[0, 1, 2]]);
  expect(groupsOf([0.1, 0.1 + 0.2, 1 - 0.9, 0.3])).toEqual([
    [0, 2],
    [1, 3],
  ]);
  expect(groupsOf([0, 1 - 0.7 - 0.3, 1e-9])).toEqual([[0, 1], [2]]);
});

test('a chain of near values does not join far ones: all are near the first of their group', () => {
  expect(groupsOf([0.5, 0.5 + 0.7e-10, 0.5 + 1.4e-10, 0.5 + 2.1e-10])).toEqual([
    [0, 1],
    [2, 3],
  ]);
});

test('refuses what has no place in an order', () => {
  expect(() => tieGroups([1, Number.NaN])).toThrow(/value 1 is NaN/);
  expect(() => tieGroups([Number.POSITIVE_INFINITY])).toThrow(RangeError);
});

test('property: every index is in one group, of one value, and values rise from group to group', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -3, max: 3 }), { maxLength: 40 }), (values) => {
      const groups = groupsOf(values);
      expect(groups.flat().sort((a, b) => a - b)).toEqual([...values.keys()]);
      const valuesOfGroups = groups.map((group) => [...new Set(group.map((index) => values[index]))]);
      expect(valuesOfGroups).toEqual([...new Set(values)].sort((a, b) => a - b).map((value) => [value]));
    }),
  );
});
