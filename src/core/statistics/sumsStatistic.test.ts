import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CaseStatistic } from './caseStatistic.ts';
import { jackknives } from './jackknife.ts';
import { sumsStatistic } from './sumsStatistic.ts';

const leaveOneOut = (statistic: CaseStatistic) => [...jackknives([statistic])(0)];

const share = (sums: Float64Array) => (sums[1] === 0 ? null : (sums[0] ?? 0) / (sums[1] ?? 0));

test('sums count each case with its weight', () => {
  // Three cases: 1 of 2 right, 3 of 3, 0 of 1
  const accuracy = sumsStatistic(Float64Array.of(1, 2, 3, 3, 0, 1), 2, share);
  expect(accuracy.cases).toBe(3);
  expect(accuracy.at(Uint32Array.of(1, 1, 1))).toBe(4 / 6);
  expect(accuracy.at(Uint32Array.of(2, 0, 1))).toBe(2 / 5);
  expect(accuracy.at(Uint32Array.of(0, 0, 0))).toBeNull();
  expect(leaveOneOut(accuracy)).toEqual([3 / 4, 1 / 3, 4 / 5]);
});

test('property: leaving a case out by subtraction is a weight of 0', () => {
  const rows = fc.array(fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: 0, max: 3 })), {
    minLength: 1,
    maxLength: 20,
  });
  fc.assert(
    fc.property(rows, (pairs) => {
      const statistic = sumsStatistic(Float64Array.from(pairs.flat()), 2, share);
      const { without: _, ...byWeights } = statistic;
      expect(leaveOneOut(statistic)).toEqual(leaveOneOut(byWeights));
    }),
  );
});

test('no cases at all', () => {
  expect(sumsStatistic(new Float64Array(), 2, share).at(new Uint32Array())).toBeNull();
});

test('refuses rows that do not fit and numbers that are none', () => {
  expect(() => sumsStatistic(new Float64Array(5), 2, share)).toThrow(/rows of 2/);
  expect(() => sumsStatistic(new Float64Array(4), 0, share)).toThrow(RangeError);
  expect(() => sumsStatistic(Float64Array.of(1, 2, 3, Number.NaN), 2, share)).toThrow(/case 1 adds NaN/);
});
