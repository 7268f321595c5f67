import { expect, test } from 'vitest';
import { brierSkill } from './brierSkill.ts';

test('probabilities against the base rate of the same cases', () => {
  // P(YES) 0.8, 0.4 with the truths YES, NO.
  expect(brierSkill([0.04 + 0.16, 1, 1])).toBeCloseTo(0.6, 12);
  // Twice the second: loss (0.04 + 2 * 0.16) / 3, base 1/3 * 2/3.
  expect(brierSkill([0.04 + 2 * 0.16, 2, 1])).toBeCloseTo(1 - 0.12 / (2 / 9), 12);
  expect(brierSkill([0.08, 0, 2])).toBeNull();
  expect(brierSkill([0.25 + 0.25, 1, 1])).toBeCloseTo(0, 12);
  expect(brierSkill([0, 0, 0])).toBeNull();
});
