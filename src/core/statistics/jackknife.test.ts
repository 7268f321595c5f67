import { expect, test } from 'vitest';
import type { CaseStatistic } from './caseStatistic.ts';
import { jackknives } from './jackknife.ts';

const leaveOneOut = (statistic: CaseStatistic) => [...jackknives([statistic])(0)];

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
  expect(leaveOneOut(mean([5]))).toEqual([Number.NaN]);
  expect(leaveOneOut({ cases: 2, at: () => 0, without: (index) => index + 7 })).toEqual([7, 8]);
});

test('of many cases without a cheaper way groups are left out, with the same acceleration', () => {
  const numbers = Array.from({ length: 4000 }, (_, index) => (((index * 7919) % 4001) / 4001) ** 4);
  let passes = 0;
  const byPass: CaseStatistic = {
    cases: numbers.length,
    at(weights) {
      passes++;
      let [sum, n] = [0, 0];
      for (const [index, number] of numbers.entries()) {
        sum += (weights[index] ?? 0) * number;
        n += weights[index] ?? 0;
      }
      return n === 0 ? null : sum / n;
    },
  };
  const singly = {
    ...byPass,
    without: (index: number) => (numbers.reduce((sum, each) => sum + each, 0) - (numbers[index] ?? 0)) / 3999,
  };
  const acceleration = (values: readonly (number | null)[]) => {
    const all = values.map(Number);
    const mean = all.reduce((sum, each) => sum + each, 0) / all.length;
    const power = (exponent: number) => all.reduce((sum, each) => sum + (mean - each) ** exponent, 0);
    return power(3) / (6 * power(2) ** 1.5);
  };
  const grouped = acceleration(leaveOneOut(byPass));
  expect(passes).toBe(500);
  // The skewness of 500 sums has a standard error of sqrt(6 / 500) = 0.11, the acceleration one of 0.11 / (6 sqrt(500)) = 0.0008.
  expect(Math.abs(acceleration(leaveOneOut(singly)) - grouped)).toBeLessThan(0.0016);
});

test('statistics that need passes have them together, each with what it would have alone', () => {
  const some = [mean([1, 2, 6]), { cases: 3, at: () => 0, without: (index: number) => index }, mean([3, 3, 9])];
  const jackknifeOf = jackknives(some);
  expect(some.map((_, place) => [...jackknifeOf(place)])).toEqual(some.map(leaveOneOut));
});
