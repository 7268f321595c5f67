import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type SeatAnswer, seatWeights } from './seatWeights.ts';

const answers = (role: string, right: number, n: number): SeatAnswer[] =>
  Array.from({ length: n }, (_, index) => ({ role, right: index < right }));

describe('the weight of a seat', () => {
  test('is the log of its odds, as derived by hand', () => {
    const [first, second] = seatWeights(['judge1', 'judge2'], [...answers('judge2', 1, 2), ...answers('judge1', 8, 10)], 2);
    expect(first).toMatchObject({ role: 'judge1', n: 10, right: 8, accuracy: 0.8 });
    expect(first?.weight).toBeCloseTo(Math.log(3), 12);
    expect(second?.weight).toBe(0);
    // (8 + 1) / (10 + 4) of four labels: 3 * 9 / 5.
    expect(seatWeights(['judge1'], answers('judge1', 8, 10), 4)[0]?.weight).toBeCloseTo(Math.log(27 / 5), 12);
  });

  test('is 0 without an answer and where chance does as well', () => {
    expect(seatWeights(['judge1'], [], 3)[0]).toMatchObject({ n: 0, accuracy: null, low: null, weight: expect.closeTo(0, 12) });
    expect(seatWeights(['judge1'], answers('judge1', 1, 20), 2)[0]?.weight).toBe(0);
    expect(() => seatWeights(['judge1'], [], 1)).toThrow(RangeError);
  });

  test('grows with each right answer', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 2, max: 20 }), (n, labels) => {
        const weights = Array.from(
          { length: n + 1 },
          (_, right) => seatWeights(['a'], answers('a', right, n), labels)[0]?.weight ?? -1,
        );
        for (const [index, weight] of weights.slice(1).entries()) expect(weight).toBeGreaterThanOrEqual(weights[index] ?? 0);
        expect(weights.at(-1)).toBeGreaterThan(0);
      }),
    );
  });
});
