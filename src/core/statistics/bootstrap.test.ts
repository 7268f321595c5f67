import { describe, expect, test } from 'vitest';
import reference from '../../../docs/reference/values/bootstrap.json' with { type: 'json' };
import { bootstrap, bootstrapDifferences, bootstrapMany } from './bootstrap.ts';
import type { CaseStatistic } from './caseStatistic.ts';
import { sumsStatistic } from './sumsStatistic.ts';

function mean(numbers: readonly number[]): CaseStatistic {
  return sumsStatistic(Float64Array.from(numbers.flatMap((number) => [number, 1])), 2, ([sum = 0, n = 0]) =>
    n === 0 ? null : sum / n,
  );
}

/** F1 by hits and by what is true or predicted. */
function f1(truth: readonly number[], prediction: readonly number[]): CaseStatistic {
  const rows = truth.flatMap((isTrue, index) => [isTrue * (prediction[index] ?? 0), isTrue + (prediction[index] ?? 0)]);
  return sumsStatistic(Float64Array.from(rows), 2, ([hits = 0, both = 0]) => (both === 0 ? null : (2 * hits) / both));
}

const difference = (first: CaseStatistic, second: CaseStatistic): CaseStatistic => ({
  cases: first.cases,
  at: (weights) => (first.at(weights) ?? Number.NaN) - (second.at(weights) ?? Number.NaN),
});

describe('bootstrap', () => {
  test.each(reference.sets)('scipy bootstrap(method="BCa") within 0.005 at as many resamples: $cases cases', (set) => {
    const first = f1(set.truth, set.first);
    const second = f1(set.truth, set.second);
    const statistics = [mean(set.score), first, difference(first, second)];
    const drawn = { resamples: set.resamples, seed: 7, level: set.level };
    const results = bootstrapMany(statistics, drawn);
    const [less] = bootstrapDifferences([second, first], [[1, 0]], drawn);
    expect(less?.value).toBe(results[2]?.value);
    // Of 2,000 cases `difference` leaves groups out, which moves the acceleration a little.
    expect(less?.low).toBeCloseTo(results[2]?.low ?? 9, 3);
    expect(less?.high).toBeCloseTo(results[2]?.high ?? 9, 3);
    for (const [place, expected] of [set.expected.mean, set.expected.f1, set.expected.f1Difference].entries()) {
      const interval = results[place];
      expect(interval).toMatchObject({ method: 'bca', gap: null, undefinedResamples: 0, cases: set.cases, seed: 7 });
      expect(interval?.value).toBeCloseTo(expected.value, 12);
      expect(Math.abs((interval?.low ?? 9) - expected.low), `low ${place}`).toBeLessThan(0.005);
      expect(Math.abs((interval?.high ?? 9) - expected.high), `high ${place}`).toBeLessThan(0.005);
    }
  });

  const settings = { resamples: 500, seed: 3 };
  const numbers = [0.1, 0.5, 0.2, 0.9, 0.4, 0.4, 0.7];

  test('the same seed gives the same interval, alone or with others, and another seed another', () => {
    const alone = bootstrap(mean(numbers), settings);
    expect(bootstrapMany([mean(numbers.map((number) => number * 2)), mean(numbers)], settings)[1]).toEqual(alone);
    expect(bootstrap(mean(numbers), { ...settings, seed: 4 })?.low).not.toBe(alone.low);
  });

  test('each resample draws as many cases as there are, each equally often in the long run', () => {
    const drawn = new Float64Array(5);
    const sizes = new Set<number>();
    const watch: CaseStatistic = {
      cases: 5,
      at(weights) {
        sizes.add(weights.reduce((sum, weight) => sum + weight, 0));
        weights.forEach((weight, index) => {
          drawn[index] = (drawn[index] ?? 0) + weight;
        });
        return weights[0] ?? 0;
      },
      without: () => 0,
    };
    bootstrap(watch, { resamples: 20_000, seed: 1 });
    expect([...sizes]).toEqual([5]);
    // 100,000 draws of probability 1/5 have a standard deviation of 126; the observed value counts each once more
    for (const count of drawn) expect(Math.abs(count - 1 - 20_000)).toBeLessThan(4 * 126);
  });

  test('a case stays with all of its trials: replicates do not narrow the interval', () => {
    // Four cases of which two are always right. Taking each trial ten times changes nothing.
    const cases = (trials: number) =>
      sumsStatistic(
        Float64Array.of(trials, trials, 0, trials, trials, trials, 0, trials),
        2,
        ([right = 0, all = 0]) => right / all,
      );
    expect(bootstrap(cases(10), settings)).toEqual(bootstrap(cases(1), settings));
  });

  test('a statistic that never varies: percentiles, with the reason', () => {
    expect(bootstrap(mean([1, 1, 1]), settings)).toEqual({
      value: 1,
      low: 1,
      high: 1,
      level: 0.95,
      method: 'percentile',
      gap: 'no-variance',
      resamples: 500,
      undefinedResamples: 0,
      seed: 3,
      cases: 3,
    });
  });

  test('one case, no case', () => {
    expect(bootstrap(mean([0.4]), settings)).toMatchObject({
      value: 0.4,
      low: 0.4,
      high: 0.4,
      method: 'percentile',
      gap: 'one-case',
    });
    expect(bootstrap(mean([]), settings)).toMatchObject({
      value: null,
      low: null,
      high: null,
      method: null,
      gap: 'undefined',
      cases: 0,
    });
  });

  test('resamples on which it is undefined are counted and left out of the percentiles', () => {
    // Precision of three cases of which one is predicted positive, and rightly: undefined in (2/3)^3 of the resamples
    const precision = sumsStatistic(Float64Array.of(1, 1, 0, 0, 0, 0), 2, ([right = 0, all = 0]) =>
      all === 0 ? null : right / all,
    );
    const interval = bootstrap(precision, { resamples: 10_000, seed: 2 });
    expect(interval).toMatchObject({ value: 1, low: 1, high: 1, method: 'percentile', gap: 'undefined-resamples' });
    expect(Math.abs((interval?.undefinedResamples ?? 0) - 10_000 * (2 / 3) ** 3)).toBeLessThan(200);
  });

  test('defined over all cases and on no resample that was drawn', () => {
    const whole: CaseStatistic = { cases: 40, at: (weights) => (weights.every((weight) => weight === 1) ? 1 : null) };
    expect(bootstrap(whole, settings)).toMatchObject({
      value: 1,
      low: null,
      high: null,
      method: null,
      gap: 'no-resamples',
      undefinedResamples: 500,
    });
  });

  test('refuses what does not fit', () => {
    expect(() => bootstrapMany([mean([1]), mean([1, 2])], settings)).toThrow(RangeError);
    expect(() => bootstrap(mean([1, 2]), { resamples: 0, seed: 1 })).toThrow(/0 resamples/);
    expect(() => bootstrap(mean([1, 2]), { resamples: 10, seed: 1, level: 1 })).toThrow(/level 1/);
    expect(() => bootstrap(mean([1, 2]), { resamples: 10, seed: 0.5 })).toThrow(RangeError);
    expect(() => bootstrap({ cases: 2, at: () => Number.NaN }, settings)).toThrow(/statistic 0 is NaN/);
    expect(bootstrapMany([], settings)).toEqual([]);
  });
});
