import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectAgreement, repeated, weighted } from './agreement.fixture.ts';
import { pearsonCorrelation, preparePearsonCorrelation } from './pearsonCorrelation.ts';
import { columnSets } from './reference.fixture.ts';

describe('pearsonCorrelation', () => {
  test('no variance, one item, none: undefined', () => {
    expect(pearsonCorrelation([0.1, 0.1, 0.1], [1, 2, 3])).toBeNull();
    expect(pearsonCorrelation([1, 2, 3], [1, 1, 1])).toBeNull();
    expect(pearsonCorrelation([1], [2])).toBeNull();
    expect(pearsonCorrelation([], [])).toBeNull();
    expect(pearsonCorrelation([1, 2], [1, 2], [5, 0])).toBeNull();
  });

  test('neither the size of the numbers nor their distance from zero matters', () => {
    expect(pearsonCorrelation([0, 1e-7, 3e-7], [0, 5e149, 1e149])).toBeCloseTo(pearsonCorrelation([0, 1, 3], [0, 5, 1]) ?? 0, 8);
    const steps = Array.from({ length: 3001 }, (_, step) => step);
    const squares = steps.map((step) => step ** 2);
    const far = (values: readonly number[]) => values.map((value) => 1e12 + value);
    expect(far(squares).map((value) => value - 1e12)).toEqual(squares);
    expectAgreement(pearsonCorrelation(far(steps), far(squares)), pearsonCorrelation(steps, squares));
  });

  test('a column that only rounding varies has no correlation', () => {
    expect(pearsonCorrelation([0.3, 0.1 + 0.2, 1 - 0.7], [1, 0, 1])).toBeNull();
  });

  test('refuses what does not fit', () => {
    expect(() => pearsonCorrelation([1, 2], [1])).toThrow(/2 values in one column and 1/);
    expect(() => pearsonCorrelation([1, Number.NaN], [1, 2])).toThrow(/value 1 is NaN/);
    expect(() => pearsonCorrelation([1, 1e200], [1, 2])).toThrow(RangeError);
    expect(() => pearsonCorrelation([1, 2], [1, 2], [1])).toThrow(RangeError);
  });

  test.each(columnSets)('scipy pearsonr: $name', ({ x, y, weights, expected, ...set }) => {
    const prepared = preparePearsonCorrelation(x, y);
    expectAgreement(pearsonCorrelation(x, y), expected.pearson);
    expectAgreement(prepared(weights), set.weighted.pearson);
  });

  test('property: a weight is a repetition, never NaN, within its bounds', () => {
    const pair = fc.tuple(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.constantFrom(0, 1, 0.5));
    fc.assert(
      fc.property(weighted(pair), ({ items, weights }) => {
        const columns = (given: typeof items) => [given.map(([x]) => x), given.map(([, y]) => y)] as const;
        const value = preparePearsonCorrelation(...columns(items))(weights);
        expectAgreement(value, pearsonCorrelation(...columns(repeated(items, weights))));
        expect(value === null || (value >= -1 && value <= 1)).toBe(true);
      }),
    );
  });
});
