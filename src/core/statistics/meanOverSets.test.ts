import { expect, test } from 'vitest';
import { meanOverSets } from './meanOverSets.ts';
import { sumsStatistic } from './sumsStatistic.ts';

const settings = { resamples: 2000, seed: 42, level: 0.95 };
const share = (right: number, n: number) =>
  sumsStatistic(
    Float64Array.from({ length: 2 * n }, (_, place) => (place % 2 === 1 || place < 2 * right ? 1 : 0)),
    2,
    ([sum = 0, cases = 0]) => (cases === 0 ? null : sum / cases),
  );

test('every set counts the same, however many cases it has', () => {
  expect(meanOverSets([share(9, 10), share(100, 200)], settings)?.value).toBeCloseTo(0.7, 12);
});

test('the interval is that of independent sets: its variance is the sum of theirs over the square of their number', () => {
  // Standard error: sqrt(0.5 * 0.5 / 100) = 0.05 of each, 0.05 / sqrt(2) of the mean. Sets drawn alike would have 0.05.
  const found = meanOverSets([share(50, 100), share(50, 100)], settings);
  expect(((found?.high ?? 0) - (found?.low ?? 0)) / 2).toBeCloseTo((1.96 * 0.05) / Math.SQRT2, 2);
});

test('the largest seed that a file can give draws every set', () => {
  const found = meanOverSets([share(5, 10), share(5, 10)], { ...settings, seed: Number.MAX_SAFE_INTEGER });
  expect(found?.low).toBeLessThan(0.5);
});

test('a set without a value leaves no mean', () => {
  expect(meanOverSets([share(1, 2), sumsStatistic(Float64Array.from([1]), 1, () => null)], settings)).toBeNull();
  expect(meanOverSets([], settings)).toBeNull();
});
