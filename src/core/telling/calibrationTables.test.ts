import { describe, expect, test } from 'vitest';
import type { ArmStatistics } from '../../shared/outputs.ts';
import { meanProbabilityText, plainSureness, surenessTexts } from './calibrationTables.ts';

/** An arm of 100 trials in one bin. */
const armOf = (confidence: number, accuracy: number) =>
  ({
    arm: 'court',
    reliability: [{ n: 100, confidence, accuracy }],
    measures: [{ name: 'expected_calibration_error', over: 'stated', label: null, n: 100, cases: 100, value: 0.1 }],
  }) as unknown as ArmStatistics;

describe('how sure an arm is and how often it is right', () => {
  test.each([
    [0.9, 0.6, 'it is too sure by 30 points'],
    [0.4, 0.6, 'it is not sure enough, by 20 points'],
    [0.62, 0.6, 'the difference can be chance'],
  ])('%f against %f: %s, in both sentences with the same numbers', (sure, right, verdict) => {
    const arm = armOf(sure, right);
    expect(surenessTexts([arm], {})[0]).toMatch(new RegExp(`60% of 100 trials are right .*: ${verdict}\\.$`));
    expect(plainSureness(arm, 'were right')).toBe(
      `says on average that it is ${100 * sure}% sure of its verdict, and 60 of 100 decisions were right (60%, probably 50 to 70 of 100): ${verdict}.`,
    );
  });

  test('the gap is that of the shares as they are shown', () => {
    const arm = armOf(0, 0);
    const of700 = {
      ...arm,
      reliability: [{ n: 700, confidence: 0.6986, accuracy: 579 / 700 }],
      measures: arm.measures.map((measure) => ({ ...measure, n: 700, cases: 700 })),
    } as unknown as ArmStatistics;
    expect(surenessTexts([of700], {})[0]).toMatch(/69\.9% sure of its verdict, and 82\.7% .* by 12\.8 points\.$/);
  });

  test('predictions with less than their highest probability are named where there are some', () => {
    const own = { ...armOf(0.7, 0.83), own_probability: { of: 100, against: 12 } };
    const words = 'by 13 points. 12 predictions are not the label with the highest probability and count with a lower one';
    expect(surenessTexts([own], {})[0]).toContain(words);
    expect(plainSureness(own, 'were right')).toContain(words);
    expect(surenessTexts([{ ...own, own_probability: { of: 100, against: 0 } }], {})[0]).toMatch(/points\.$/);
  });

  test('nothing is said where no confidence was stated', () => {
    expect(plainSureness({ ...armOf(0.6, 0.6), reliability: [] }, 'were right')).toBeNull();
  });
});

test.each([
  [0.06, 0.13, 'too high by 9.8 points (95% interval 6 to 13)'],
  [-0.02, 0.2, '+9.8 points, which can be chance (95% interval −2 to 20)'],
  [null, null, '+9.8 points; how far that can be chance is not known'],
])('a mean probability with an interval from %s to %s', (low, high, verdict) => {
  const measure = (name: string, value: number) => ({ name, label: 'YES', value, low, high, level: 0.95, n: 400 });
  const measures = [measure('mean_probability', 0.471), measure('observed_share', 0.373), measure('probability_excess', 0.098)];
  expect(meanProbabilityText({ measures } as unknown as ArmStatistics, 'YES', {})).toBe(
    `gives YES a probability of 47.1% on average, and YES was right in 37.3% of 400: ${verdict}.`,
  );
});
