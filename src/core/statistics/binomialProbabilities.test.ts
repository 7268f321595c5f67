import fc from 'fast-check';
import { expect, test } from 'vitest';
import { binomialCdf } from './binomialCdf.ts';
import { binomialProbabilities } from './binomialProbabilities.ts';

test('by hand: two coins, and what is certain', () => {
  expect(binomialProbabilities(2, 0.5)).toEqual({ from: 0, probabilities: Float64Array.of(0.25, 0.5, 0.25) });
  expect(binomialProbabilities(7, 1)).toEqual({ from: 7, probabilities: Float64Array.of(1) });
  expect(binomialProbabilities(7, 0)).toEqual({ from: 0, probabilities: Float64Array.of(1) });
  expect(binomialProbabilities(0, 0.3)).toEqual({ from: 0, probabilities: Float64Array.of(1) });
});

test('property: running sums are the distribution function', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20_000 }), fc.double({ min: 1e-6, max: 0.999999, noNaN: true }), (n, p) => {
      const { from, probabilities } = binomialProbabilities(n, p);
      let sum = 0;
      for (const [place, probability] of probabilities.entries()) {
        sum += probability;
        expect(Math.abs(sum - binomialCdf(from + place, n, p))).toBeLessThan(1e-10);
      }
      expect(sum).toBeCloseTo(1, 12);
    }),
    { numRuns: 40 },
  );
});

test.each([
  [-1, 0.5],
  [1.5, 0.5],
  [3, -0.1],
  [3, Number.NaN],
])('refuses %d trials at %d', (n, p) => {
  expect(() => binomialProbabilities(n, p)).toThrow(RangeError);
});
