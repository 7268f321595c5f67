import { describe, expect, test } from 'vitest';
import { bootstrap } from './bootstrap.ts';
import { commonCases, pairedDifference } from './pairedDifference.ts';
import { sumsStatistic } from './sumsStatistic.ts';

const mean = (numbers: readonly number[]) => sumsStatistic(Float64Array.from(numbers), 1, ([sum = 0]) => sum / numbers.length);
const settings = { resamples: 2000, seed: 9 };

describe('pairedDifference', () => {
  // Cases differ much more from each other than the arms do.
  const second = Array.from({ length: 60 }, (_, index) => (index * 37) % 60);
  const first = second.map((number, index) => number + (index % 3));

  test('is the interval of the differences case by case', () => {
    const given = pairedDifference(mean(first), mean(second), settings);
    const direct = bootstrap(mean(first.map((number, index) => number - (second[index] ?? 0))), settings);
    expect(given?.difference.value).toBeCloseTo(1, 12);
    expect(given?.difference.low).toBeCloseTo(direct?.low ?? Number.NaN, 9);
    expect(given?.difference.high).toBeCloseTo(direct?.high ?? Number.NaN, 9);
    expect(given?.first).toEqual(bootstrap(mean(first), settings));
  });

  test('what makes cases hard for both falls out', () => {
    const given = pairedDifference(mean(first), mean(second), settings);
    const width = ({ low, high }: { low: number | null; high: number | null }) => (high ?? 0) - (low ?? 0);
    if (given === null) throw new Error('no result');
    expect(width(given.difference)).toBeLessThan(width(given.first) / 10);
  });

  test('an arm against itself: no difference, and no variance', () => {
    expect(pairedDifference(mean(first), mean(first), settings)?.difference).toMatchObject({
      value: 0,
      low: 0,
      high: 0,
      gap: 'no-variance',
    });
  });

  test('stops when told', () => {
    expect(pairedDifference(mean(first), mean(second), { ...settings, shouldStop: () => true })).toBeNull();
  });
});

describe('commonCases', () => {
  test('places in both lists, in the order of the first', () => {
    expect(commonCases(['c', 'a', 'x'], ['a', 'b', 'c'])).toEqual([
      { first: 0, second: 2 },
      { first: 1, second: 0 },
    ]);
    expect(commonCases([], ['a'])).toEqual([]);
  });

  test('refuses a case that is listed twice', () => {
    expect(() => commonCases(['a'], ['b', 'a', 'b'])).toThrow(/case "b" is listed twice/);
  });
});
