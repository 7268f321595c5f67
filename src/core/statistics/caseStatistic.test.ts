import { expect, test } from 'vitest';
import { type CaseStatistic, leaveOneOut, valueOfAll } from './caseStatistic.ts';

/** The mean, only by weights. */
function mean(numbers: readonly number[]): CaseStatistic {
  return {
    cases: numbers.length,
    at(weights) {
      const count = weights.reduce((sum, weight) => sum + weight, 0);
      return count === 0 ? null : numbers.reduce((sum, number, index) => sum + number * (weights[index] ?? 0), 0) / count;
    },
  };
}

test('leaves out each case in turn, by weights where there is no cheaper way', () => {
  expect(leaveOneOut(mean([1, 2, 6]))).toEqual([4, 3.5, 1.5]);
  expect(leaveOneOut(mean([5]))).toEqual([null]);
  expect(leaveOneOut({ cases: 2, at: () => 0, without: (index) => index + 7 })).toEqual([7, 8]);
  expect(valueOfAll(mean([1, 2, 6]))).toBe(3);
});
