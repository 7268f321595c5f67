import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectAgreement, repeated, weighted } from './agreement.fixture.ts';
import { weightedMean } from './weightedMean.ts';

test('by hand: (1 + 1 + 4) / 3', () => {
  expect(weightedMean([1, 4, 9], [2, 1, 0])).toBe(2);
  expect(weightedMean([1, 4])).toBe(2.5);
});

test('nothing to average', () => {
  expect(weightedMean([])).toBeNull();
  expect(weightedMean([3], [0])).toBeNull();
});

test('refuses what is no value and weights that do not fit', () => {
  expect(() => weightedMean([1, Number.NaN])).toThrow(/value 1 is NaN/);
  expect(() => weightedMean([1, Number.POSITIVE_INFINITY], [1, 0])).toThrow(RangeError);
  expect(() => weightedMean([1], [1, 1])).toThrow(RangeError);
});

test('property: a weight is a repetition', () => {
  fc.assert(
    fc.property(weighted(fc.double({ min: -10, max: 10, noNaN: true })), ({ items, weights }) => {
      expectAgreement(weightedMean(items, weights), weightedMean(repeated(items, weights)));
    }),
  );
});
