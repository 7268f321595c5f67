import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectAgreement, judged, repeated, weighted } from './agreement.fixture.ts';
import { expectedCalibrationError, prepareExpectedCalibrationError } from './expectedCalibrationError.ts';
import { confidenceSets } from './reference.fixture.ts';

describe('expectedCalibrationError', () => {
  test('values across an edge stay together if they differ by rounding alone', () => {
    const stated = [0.1, 0.3, 0.3, 0.1 + 0.2, 1 - 0.7, 0.9];
    const { bins } = expectedCalibrationError(
      stated,
      stated.map(() => true),
      3,
    );
    expect(bins.map(({ from, to, n }) => ({ from, to, n }))).toEqual([
      { from: 0.1, to: 0.1, n: 1 },
      { from: 0.3, to: 0.3, n: 4 },
      { from: 0.9, to: 0.9, n: 1 },
    ]);
  });

  test('no cases', () => {
    expect(expectedCalibrationError([], [])).toEqual({ value: null, n: 0, bins: [] });
    expect(prepareExpectedCalibrationError([0.5], [true])([0])).toBeNull();
  });

  test('refuses what does not fit', () => {
    expect(() => expectedCalibrationError([1.1], [true])).toThrow(/1.1 is no confidence/);
    expect(() => expectedCalibrationError([-0.1], [true])).toThrow(RangeError);
    expect(() => expectedCalibrationError([Number.NaN], [true])).toThrow(RangeError);
    expect(() => expectedCalibrationError([0.5], [])).toThrow(/1 confidences for 0 cases/);
    expect(() => expectedCalibrationError([0.5], [true], 0)).toThrow(/no number of bins/);
    expect(() => expectedCalibrationError([0.5], [true], 15, [-1])).toThrow(RangeError);
  });

  test.each(confidenceSets)('brute force in numpy: $name', ({ confidence, isCorrect, weights, expected, weighted: again }) => {
    for (const [given, reference] of [
      [expectedCalibrationError(confidence, isCorrect), expected],
      [expectedCalibrationError(confidence, isCorrect, 15, weights), again],
    ] as const) {
      expectAgreement(given.value, reference.calibrationError);
      expect(given.bins.map(({ from, to, n }) => ({ from, to, n }))).toEqual(
        reference.bins.map(({ from, to, n }) => ({ from, to, n })),
      );
      given.bins.forEach((bin, index) => {
        expectAgreement(bin.confidence, reference.bins[index]?.confidence ?? null);
        expectAgreement(bin.accuracy, reference.bins[index]?.accuracy ?? null);
      });
    }
  });

  test('property: a weight is a repetition, also from one call of the prepared form to the next', () => {
    fc.assert(
      fc.property(weighted(judged), fc.integer({ min: 1, max: 20 }), ({ items, weights }, bins) => {
        const columns = (given: typeof items) =>
          [given.map(({ confidence }) => confidence), given.map(({ isCorrect }) => isCorrect), bins] as const;
        const prepared = prepareExpectedCalibrationError(...columns(items));
        const values = [prepared(weights), prepared(items.map(() => 1)), prepared(Uint32Array.from(weights))];
        const once = expectedCalibrationError(...columns(repeated(items, weights)));
        expectAgreement(values[0] ?? null, once.value);
        expectAgreement(values[1] ?? null, expectedCalibrationError(...columns(items)).value);
        expect(values[2]).toBe(values[0]);
        expect(once.bins.reduce((sum, bin) => sum + bin.n, 0)).toBe(once.n);
        expect(once.value === null || (once.value >= 0 && once.value <= 1)).toBe(true);
      }),
    );
  });
});
