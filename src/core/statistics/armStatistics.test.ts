import { describe, expect, test } from 'vitest';
import { failureOutcomes, type Outcome, type Prediction, type Truth } from '../../shared/domain.ts';
import { armStatistics } from './armStatistics.ts';
import { line, trial } from './measures/trials.fixture.ts';

const outcomesOf = (trials: readonly (readonly [Outcome, Truth, Prediction?])[]) =>
  armStatistics(
    trials.map(([outcome, truth, prediction = null], index) => line('arm', trial(`c${index}`, { outcome, truth, prediction }))),
    ['NO', 'YES'],
    'YES',
  );

describe('outcomes', () => {
  test('both accuracies, by hand', () => {
    // 8 trials: 5 decided (3 right, 1 wrong, 1 without truth), 3 failures (one of them without truth).
    // Decided with truth: 3 of 4. All with truth: 4 decided + 2 failures, 3 of 6.
    const found = outcomesOf([
      ['decided', 'YES', 'YES'],
      ['decided', 'NO', 'NO'],
      ['decided', 'NO', 'NO'],
      ['decided', 'YES', 'NO'],
      ['decided', null, 'NO'],
      ['timeout', 'YES'],
      ['malformed', 'NO'],
      ['malformed', null],
    ]);
    expect(found).toMatchObject({ n: 8, decided: 5, without_truth: 2, failures: { timeout: 1, malformed: 2 } });
    expect(found.accuracy_decided).toMatchObject({ count: 3, n: 4, value: 0.75 });
    expect(found.accuracy_all).toMatchObject({ count: 3, n: 6, value: 0.5 });
    // statsmodels 0.15.0: proportion_confint(3, 6, alpha=0.05, method='wilson')
    expect(found.accuracy_all.low).toBeCloseTo(0.18761630648265054, 12);
    expect(found.accuracy_all.high).toBeCloseTo(0.8123836935173494, 12);
    // The four with a truth and a verdict: 1 true positive, 2 true negatives, 1 false negative.
    expect(found).toMatchObject({ counts: { tp: 1, tn: 2, fp: 0, fn: 1 }, precision: 1, recall: 1 / 2, f1: 2 / 3 });
  });

  test('label sets must match exactly', () => {
    const found = outcomesOf([
      ['decided', ['A', 'B'], ['B', 'A']],
      ['decided', ['A', 'B'], ['A']],
      ['decided', [], []],
    ]);
    expect(found.accuracy_decided).toMatchObject({ count: 2, n: 3 });
  });

  test('every kind of failure is counted as itself, and a failure is never right', () => {
    const found = outcomesOf(failureOutcomes.map((outcome) => [outcome, 'YES', 'YES']));
    expect(Object.entries(found.failures)).toEqual(failureOutcomes.map((outcome) => [outcome, 1]));
    expect(found.accuracy_decided).toEqual({ count: 0, n: 0, value: null, low: null, high: null });
    expect(found.accuracy_all).toMatchObject({ count: 0, n: failureOutcomes.length, value: 0 });
  });

  test('a decided trial without prediction is not right where the truth is known', () => {
    expect(outcomesOf([['decided', 'YES']]).accuracy_decided).toMatchObject({ count: 0, n: 1 });
  });

  test('no trials', () => {
    expect(outcomesOf([])).toMatchObject({ n: 0, decided: 0, without_truth: 0, accuracy_all: { n: 0, value: null } });
  });
});
