import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectAgreement, repeated, weighted } from './agreement.fixture.ts';
import { columnSets } from './reference.fixture.ts';
import { prepareSpearmanCorrelation } from './spearmanCorrelation.ts';
import { equalWeights, type Weights } from './weights.ts';

const spearmanCorrelation = (x: readonly number[], y: readonly number[], weights: Weights = equalWeights(x.length)) =>
  prepareSpearmanCorrelation(x, y)(weights);

describe('spearmanCorrelation', () => {
  test('by hand, ranks that rounding would separate: [1, 2.5, 2.5] and [1, 2, 3]', () => {
    expect(spearmanCorrelation([0.1, 0.1 + 0.2, 0.3], [1, 2, 3])).toBeCloseTo(1.5 / Math.sqrt(3), 14);
    expect(spearmanCorrelation([0.3, 0.1 + 0.2], [1, 2])).toBeNull();
  });

  test('all equal, one item, none: undefined', () => {
    expect(spearmanCorrelation([0.1, 0.1, 0.1], [1, 2, 3])).toBeNull();
    expect(spearmanCorrelation([1, 2], [3, 3])).toBeNull();
    expect(spearmanCorrelation([1], [2])).toBeNull();
    expect(spearmanCorrelation([], [])).toBeNull();
    expect(spearmanCorrelation([1, 2], [1, 2], [0, 3])).toBeNull();
  });

  test('refuses what does not fit', () => {
    expect(() => spearmanCorrelation([1, 2], [1])).toThrow(/2 values in one column and 1/);
    expect(() => spearmanCorrelation([1, Number.NaN], [1, 2])).toThrow(RangeError);
    expect(() => spearmanCorrelation([1, 2], [1, 2], [1])).toThrow(RangeError);
  });

  test.each(columnSets)('scipy spearmanr: $name', ({ x, y, weights, expected, ...set }) => {
    const prepared = prepareSpearmanCorrelation(x, y);
    expectAgreement(spearmanCorrelation(x, y), expected.spearman);
    expectAgreement(prepared(weights), set.weighted.spearman);
  });

  test('property: a weight is a repetition, and only the order of the values counts', () => {
    const pair = fc.tuple(fc.integer({ min: -5, max: 5 }), fc.integer({ min: 0, max: 3 }));
    fc.assert(
      fc.property(weighted(pair), ({ items, weights }) => {
        const columns = (given: typeof items) => [given.map(([x]) => x), given.map(([, y]) => y)] as const;
        const prepared = prepareSpearmanCorrelation(...columns(items));
        const value = prepared(weights);
        prepared(items.map(() => 1));
        expect(prepared(weights)).toBe(value);
        expectAgreement(value, spearmanCorrelation(...columns(repeated(items, weights))));
        const stretched = items.map(([x, y]) => [x ** 3, y] as [number, number]);
        expect(spearmanCorrelation(...columns(stretched), weights)).toBe(value);
      }),
    );
  });
});
