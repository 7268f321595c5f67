import { describe, expect, test } from 'vitest';
import { distributionOver, placeOfTruth } from './distribution.ts';

describe('distributionOver', () => {
  test('in the order of the labels, 0 where the belief is silent', () => {
    expect(distributionOver(['A', 'B', 'C'], { C: 0.75, A: 0.25 })).toEqual([0.25, 0, 0.75]);
    expect(distributionOver(['toString', 'A'], { A: 1 })).toEqual([0, 1]);
  });

  test('a sum of 0.999999 is not rescaled', () => {
    expect(distributionOver(['A', 'B', 'C'], { A: 0.333333, B: 0.333333, C: 0.333333 })).toEqual([0.333333, 0.333333, 0.333333]);
    expect(distributionOver(['A', 'B'], { A: 0.500001, B: 0.5 })).toEqual([0.500001, 0.5]);
  });

  test.each([
    [{ A: 0.5, B: 0.4 }, /add up to 0.9, not to 1/],
    [{ A: 0.9999, B: 0 }, /add up/],
    [{ A: 0, B: 0 }, /add up to 0/],
    [{}, /add up to 0/],
    [{ A: 1.5, B: -0.5 }, /1.5 is no probability/],
    [{ A: Number.NaN, B: 1 }, /NaN is no probability/],
    [{ A: 0.5, X: 0.5 }, /"X"/],
  ])('refuses %j', (belief, message) => {
    expect(() => distributionOver(['A', 'B'], belief)).toThrow(message);
    expect(() => distributionOver(['A', 'B'], belief)).toThrow(RangeError);
  });

  test('refuses labels that are not distinct', () => {
    expect(() => distributionOver(['A', 'A'], { A: 1 })).toThrow(/distinct/);
  });
});

test('the place of the truth', () => {
  expect(placeOfTruth(['A', 'B'], 'B')).toBe(1);
  expect(() => placeOfTruth(['A', 'B'], 'X')).toThrow(/"X"/);
});
