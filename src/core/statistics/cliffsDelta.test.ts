import fc from 'fast-check';
import { expect, test } from 'vitest';
import reference from '../../../docs/reference/values/cliffsDelta.json' with { type: 'json' };
import { expectAgreement } from './agreement.fixture.ts';
import { cliffsDelta } from './cliffsDelta.ts';

test.each(reference.sets)('scipy mannwhitneyu, 2 U / (n m) - 1: $name', ({ first, second, expected }) => {
  expectAgreement(cliffsDelta(first, second), expected);
});

test('by hand: 2 pairs greater, 3 less, of 6', () => {
  expect(cliffsDelta([1, 3], [2, 2, 3])).toBe(-1 / 6);
});

test('property: the mean sign over all pairs', () => {
  const group = fc.array(fc.oneof(fc.integer({ min: 0, max: 6 }), fc.constantFrom(-Infinity, Infinity)), {
    minLength: 1,
    maxLength: 30,
  });
  fc.assert(
    fc.property(group, group, (first, second) => {
      const sum = first.flatMap((a) => second.map((b) => Number(a > b) - Number(a < b))).reduce((total, sign) => total + sign, 0);
      expect(cliffsDelta(first, second)).toBe(sum / (first.length * second.length));
    }),
  );
});

test('numbers that differ by rounding alone are ties', () => {
  expect(cliffsDelta([0.1 + 0.2], [0.3])).toBe(0);
  expect(cliffsDelta([-0.3], [-(0.1 + 0.2)])).toBe(0);
  expect(cliffsDelta([0.3 + 1e-9], [0.3])).toBe(1);
});

test('refuses NaN, in an empty comparison too', () => {
  expect(() => cliffsDelta([1, Number.NaN, 2], [1])).toThrow(RangeError);
  expect(() => cliffsDelta([], [Number.NaN])).toThrow(RangeError);
});
