import { describe, expect, test } from 'vitest';
import { failureOutcomes, type Outcome } from '../../shared/domain.ts';
import { type OutcomeTrial, summarizeOutcomes } from './outcomes.ts';

const trial = (outcome: Outcome, truth: OutcomeTrial['truth'], prediction: OutcomeTrial['prediction'] = null): OutcomeTrial => ({
  outcome,
  truth,
  prediction,
});

describe('summarizeOutcomes', () => {
  test('both accuracies, by hand', () => {
    // 8 trials: 5 decided (3 right, 1 wrong, 1 without truth), 3 failures (one of them without truth).
    // Decided with truth: 3 of 4. All with truth: 4 decided + 2 failures, 3 of 6.
    const summary = summarizeOutcomes([
      trial('decided', 'YES', 'YES'),
      trial('decided', 'NO', 'NO'),
      trial('decided', 'NO', 'NO'),
      trial('decided', 'YES', 'NO'),
      trial('decided', null, 'NO'),
      trial('timeout', 'YES'),
      trial('malformed', 'NO'),
      trial('malformed', null),
    ]);
    expect(summary).toMatchObject({ n: 8, decided: 5, withoutTruth: 2 });
    expect(summary.failures).toMatchObject({ timeout: 1, malformed: 2, undecided: 0 });
    expect(summary.accuracyDecided).toMatchObject({ correct: 3, n: 4, value: 0.75 });
    expect(summary.accuracyAll).toMatchObject({ correct: 3, n: 6, value: 0.5 });
    // statsmodels 0.15.0: proportion_confint(3, 6, alpha=0.05, method='wilson')
    expect(summary.accuracyAll.interval?.low).toBeCloseTo(0.18761630648265054, 12);
    expect(summary.accuracyAll.interval?.high).toBeCloseTo(0.8123836935173494, 12);
  });

  test('label sets must match exactly', () => {
    const summary = summarizeOutcomes([
      trial('decided', ['A', 'B'], ['B', 'A']),
      trial('decided', ['A', 'B'], ['A']),
      trial('decided', [], []),
    ]);
    expect(summary.accuracyDecided).toMatchObject({ correct: 2, n: 3 });
  });

  test('every kind of failure is counted as itself, and a failure is never right', () => {
    const summary = summarizeOutcomes(failureOutcomes.map((outcome) => trial(outcome, 'YES', 'YES')));
    expect(summary.failures).toEqual(Object.fromEntries(failureOutcomes.map((outcome) => [outcome, 1])));
    expect(summary.accuracyDecided).toEqual({ correct: 0, n: 0, value: null, interval: null });
    expect(summary.accuracyAll).toMatchObject({ correct: 0, n: failureOutcomes.length, value: 0 });
  });

  test('a decided trial without prediction is not right where the truth is known', () => {
    expect(summarizeOutcomes([trial('decided', 'YES')]).accuracyDecided).toMatchObject({ correct: 0, n: 1 });
  });

  test('the level reaches both intervals', () => {
    const summary = summarizeOutcomes([trial('decided', 'YES', 'YES')], 0.9);
    expect([summary.accuracyDecided.interval?.level, summary.accuracyAll.interval?.level]).toEqual([0.9, 0.9]);
  });

  test('no trials', () => {
    expect(summarizeOutcomes([])).toMatchObject({ n: 0, decided: 0, withoutTruth: 0, accuracyAll: { n: 0, value: null } });
  });
});
