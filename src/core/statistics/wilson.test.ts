import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wilson } from './wilson.ts';

describe('wilson', () => {
  // statsmodels 0.15.0: proportion_confint(successes, n, alpha=1 - level, method='wilson')
  test.each([
    [0, 10, 0.95, 0, 0.2775327998628892],
    [10, 10, 0.95, 0.7224672001371107, 1],
    [1, 10, 0.95, 0.017876213095072896, 0.4041500267952385],
    [7, 20, 0.95, 0.18119182410108206, 0.5671457233147638],
    [50, 100, 0.95, 0.4038315303659956, 0.5961684696340044],
    [81, 263, 0.95, 0.2552885198782742, 0.36620957698280004],
    [7, 20, 0.9, 0.202260040056761, 0.5334873111515284],
    [7, 20, 0.99, 0.1463934413769388, 0.6283381789526871],
    [1, 1, 0.95, 0.20654931437723745, 1],
    [999, 1000, 0.999, 0.9873882793907756, 0.9999215580137806],
  ])('%d of %d at %d', (successes, n, level, low, high) => {
    const interval = wilson(successes, n, level);
    expect(interval?.low).toBeCloseTo(low, 12);
    expect(interval?.high).toBeCloseTo(high, 12);
    expect(interval?.level).toBe(level);
  });

  test('no successes: the upper end is z²/(n + z²), by hand', () => {
    // p = 0: (z²/2n + z·z/2n) / (1 + z²/n) = (z²/n) / (1 + z²/n) = z²/(n + z²); z = 1.959963984540054, n = 10
    const z = 1.959963984540054;
    expect(wilson(0, 10)?.high).toBeCloseTo((z * z) / (10 + z * z), 14);
  });

  test('no trials, no interval', () => {
    expect(wilson(0, 0)).toBeNull();
  });

  test.each([
    [-1, 5, 0.95],
    [6, 5, 0.95],
    [1.5, 5, 0.95],
    [1, Number.NaN, 0.95],
    [1, 5, 0],
    [1, 5, 1],
    [0, 0, 2],
  ])('refuses %d of %d at %d', (successes, n, level) => {
    expect(() => wilson(successes, n, level)).toThrow(RangeError);
  });

  test('property: contains the share, stays within 0-1, mirrors', () => {
    const counts = fc.integer({ min: 1, max: 100_000 }).chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)));
    fc.assert(
      fc.property(counts, fc.double({ min: 0.01, max: 0.9999, noNaN: true }), ([successes, n], level) => {
        const interval = wilson(successes, n, level);
        const mirrored = wilson(n - successes, n, level);
        if (interval === null || mirrored === null) return false;
        const share = successes / n;
        return (
          interval.low >= 0 &&
          interval.high <= 1 &&
          interval.low <= share + 1e-12 &&
          interval.high >= share - 1e-12 &&
          Math.abs(interval.low - (1 - mirrored.high)) < 1e-12
        );
      }),
    );
  });
});
