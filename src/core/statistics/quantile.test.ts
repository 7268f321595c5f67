import { expect, test } from 'vitest';
import { quantile } from './quantile.ts';

test('between two numbers, at a number, at the ends', () => {
  expect(quantile([1, 2, 4], 0.75)).toBe(3);
  expect([0, 0.5, 1].map((share) => quantile([1, 2, 4], share))).toEqual([1, 2, 4]);
  expect(quantile([7], 0.3)).toBe(7);
});

test('numpy 2.4.6: np.quantile([0.1, 0.25, 0.3, 0.8, 0.95], [0.025, 0.1, 0.6, 0.975])', () => {
  const sorted = [0.1, 0.25, 0.3, 0.8, 0.95];
  const expected = [0.115, 0.16, 0.5, 0.935];
  for (const [place, share] of [0.025, 0.1, 0.6, 0.975].entries()) {
    expect(quantile(sorted, share)).toBeCloseTo(expected[place] ?? Number.NaN, 14);
  }
});

test('refuses no numbers and no share', () => {
  expect(() => quantile([], 0.5)).toThrow(RangeError);
  expect(() => quantile([1], 1.01)).toThrow(RangeError);
  expect(() => quantile([1], Number.NaN)).toThrow(RangeError);
});
