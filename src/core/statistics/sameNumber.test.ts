import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSame } from './sameNumber.ts';

test.each([
  [0.1 + 0.2, 0.3],
  [1 - 0.9, 0.1],
  [1 - 0.7, 0.3],
  [1 - 0.7 - 0.3, 0],
  [-0, 0],
  [3e9 + 1e-6, 3e9],
])('%d and %d differ by rounding alone', (one, other) => {
  expect(isSame(one, other)).toBe(true);
  expect(isSame(other, one)).toBe(true);
});

test.each([
  [0.3 + 1e-9, 0.3],
  [1e-9, 0],
  [3e9 + 1, 3e9],
  [0.3, -0.3],
  [Infinity, -Infinity],
  [Infinity, 1e300],
  [Number.NaN, Number.NaN],
])('%d and %d are two numbers', (one, other) => {
  expect(isSame(one, other)).toBe(false);
  expect(isSame(other, one)).toBe(false);
});

test('property: a share of hundredths and its complement of the complement are one number, and so is the sum of its parts', () => {
  const hundredths = fc.integer({ min: 0, max: 100 });
  fc.assert(
    fc.property(hundredths, hundredths, (first, second) => {
      expect(isSame(first / 100, second / 100)).toBe(first === second);
      expect(isSame(1 - first / 100, (100 - second) / 100)).toBe(first === second);
      expect(isSame(first / 100 + second / 100, (first + second) / 100)).toBe(true);
    }),
  );
});
