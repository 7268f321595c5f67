import { describe, expect, test } from 'vitest';
import type { ArmStatistics } from '../../shared/outputs.ts';
import { plainSureness, surenessTexts } from './calibrationTables.ts';

/** An arm of 100 trials in one bin. */
const armOf = (confidence: number, accuracy: number, debiased: number | null) =>
  ({
    arm: 'court',
    reliability: [{ n: 100, confidence, accuracy }],
    measures: [
      { name: 'expected_calibration_error', over: 'stated', label: null, n: 100, cases: 100, value: 0.1 },
      { name: 'debiased_calibration_error', over: 'stated', label: null, n: 100, cases: 100, value: debiased },
    ],
  }) as unknown as ArmStatistics;

describe('how sure an arm is and how often it is right', () => {
  test.each([
    [0.9, 0.6, 'it is too sure by 30 points'],
    [0.4, 0.6, 'it is not sure enough, by 20 points'],
    [0.62, 0.6, 'the difference can be chance'],
  ])('%f against %f: %s, in both sentences with the same numbers', (sure, right, verdict) => {
    const arm = armOf(sure, right, 0.123);
    expect(surenessTexts([arm], {})[0]).toMatch(new RegExp(`60% of 100 trials are right .*: ${verdict}\\.$`));
    expect(plainSureness(arm, 'were right')).toBe(
      `says on average that it is ${100 * sure}% sure, and 60 of 100 decisions were right (60%, probably 50 to 70 of 100): ${verdict}. From its least to its most sure decisions, the two are 12.3 points apart beyond what chance explains.`,
    );
  });

  test('an error that chance explains is said so, and one that is not known is left out', () => {
    expect(plainSureness(armOf(0.6, 0.6, 0), 'were right')).toContain('no further apart than chance explains');
    expect(plainSureness(armOf(0.6, 0.6, null), 'were right')).toMatch(/chance\.$/);
    expect(plainSureness({ ...armOf(0.6, 0.6, 0), reliability: [] }, 'were right')).toBeNull();
  });
});
