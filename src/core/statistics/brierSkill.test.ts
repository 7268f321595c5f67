import { expect, test } from 'vitest';
import { prepareBrierSkill } from './brierSkill.ts';

const labels = ['NO', 'YES'];
const believed = (yes: number, truth: string) => ({ truth, belief: { YES: yes, NO: 1 - yes } });

test('probabilities against the base rate of the same cases', () => {
  const skill = prepareBrierSkill([believed(0.8, 'YES'), believed(0.4, 'NO')], labels);
  expect(skill([1, 1])).toBeCloseTo(0.6, 12);
  // Twice the second: loss (0.04 + 2 * 0.16) / 3, base 1/3 * 2/3.
  expect(skill([1, 2])).toBeCloseTo(1 - 0.12 / (2 / 9), 12);
  expect(skill([2, 0])).toBeNull();
  expect(prepareBrierSkill([believed(0.5, 'YES'), believed(0.5, 'NO')], labels)([1, 1])).toBeCloseTo(0, 12);
});
