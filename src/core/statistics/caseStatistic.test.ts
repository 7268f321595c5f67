import { describe, expect, test } from 'vitest';
import { type CaseStatistic, differenceStatistic, leaveOneOut, valueOfAll } from './caseStatistic.ts';

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

describe('differenceStatistic', () => {
  test('first minus second over the same weights', () => {
    const difference = differenceStatistic(mean([1, 2, 6]), mean([0, 2, 1]));
    expect(difference.at(Uint32Array.of(1, 1, 1))).toBe(2);
    expect(difference.at(Uint32Array.of(0, 0, 3))).toBe(5);
    expect(difference.at(Uint32Array.of(0, 0, 0))).toBeNull();
    expect(leaveOneOut(difference)).toEqual([2.5, 3, 0.5]);
  });

  test('takes the cheaper way where both have it', () => {
    const direct = (values: readonly (number | null)[]): CaseStatistic => ({
      cases: 2,
      at: () => 0,
      without: (index) => values[index] ?? null,
    });
    expect(leaveOneOut(differenceStatistic(direct([5, 4]), direct([1, null])))).toEqual([4, null]);
  });

  test('refuses arms of different cases', () => {
    expect(() => differenceStatistic(mean([1]), mean([1, 2]))).toThrow(/over 1 and 2/);
  });
});
