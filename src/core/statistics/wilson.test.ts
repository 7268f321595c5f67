import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shareSets } from './reference.fixture.ts';
import { wilson } from './wilson.ts';

describe('wilson', () => {
  test.each(shareSets)('statsmodels proportion_confint: $successes of $n at $level', ({ successes, n, level, expected }) => {
    const interval = wilson(successes, n, level);
    expect(interval?.low).toBeCloseTo(expected.low, 12);
    expect(interval?.high).toBeCloseTo(expected.high, 12);
    expect(interval?.level).toBe(level);
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
