import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sumsStatistic } from './sumsStatistic.ts';
import { valuesTogether } from './valuesTogether.ts';

const ratio = ([a = 0, b = 0]: Float64Array) => (b === 0 ? null : a / b);
const cell = fc.oneof(fc.constantFrom(0, 1, 1 / 3), fc.double({ min: 0, max: 1, noNaN: true }));

describe('valuesTogether', () => {
  test('property: what each statistic gives by itself, with any others', () => {
    const cases = fc.array(fc.tuple(fc.array(cell, { minLength: 8, maxLength: 8 }), fc.nat(4)), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(cases, (drawn) => {
        const weights = Uint32Array.from(drawn, ([, weight]) => weight);
        const columns = [0, 2, 4, 6].map((first) => Float64Array.from(drawn.flatMap(([row]) => row.slice(first, first + 2))));
        const statistics = columns.map((rows) => sumsStatistic(rows, 2, ratio));
        const values = valuesTogether(statistics)(weights);
        statistics.forEach((statistic, place) => {
          const [value, expected] = [values[place] ?? null, statistic.at(weights)];
          expect(value === null).toBe(expected === null);
          expect(value ?? 0).toBeCloseTo(expected ?? 0, 12);
        });
      }),
    );
  });

  test('more different rows than one bank holds', () => {
    // Both columns have 16 values, as many as a bank of 300 cases holds, and together 256.
    const rows = Float64Array.from({ length: 600 }, (_, place) => (place % 2 === 0 ? (place >> 1) % 16 : (place >> 5) % 16));
    const whole = sumsStatistic(rows, 2, ([a = 0, b = 0]) => a * 1e6 + b);
    const single = sumsStatistic(
      Float64Array.from({ length: 300 }, (_, place) => place),
      1,
      ([sum = 0]) => sum,
    );
    const weights = Uint32Array.from({ length: 300 }, (_, place) => place % 3);
    expect(valuesTogether([whole, single])(weights)).toEqual([whole.at(weights), single.at(weights)]);
  });

  test('what statistics share is counted once under each weights, and before it is asked', () => {
    const counted: number[] = [];
    let drawn = 0;
    const count = (weights: Uint32Array) => {
      drawn = weights.reduce((sum, weight) => sum + weight, 0);
      counted.push(drawn);
    };
    const sharing = (times: number) => ({
      cases: 2,
      at: (weights: Uint32Array) => times * weights.reduce((sum, weight) => sum + weight, 0),
      counted: { count, value: () => times * drawn },
    });
    const valuesUnder = valuesTogether([sharing(1), sharing(10)]);
    expect([...valuesUnder(Uint32Array.of(1, 2))]).toEqual([3, 30]);
    expect([...valuesUnder(Uint32Array.of(4, 0))]).toEqual([4, 40]);
    expect(counted).toEqual([3, 4]);
  });
});
