import { expect, test } from 'vitest';
import reference from '../../../docs/reference/values/conformal.json' with { type: 'json' };
import { conformalSet, conformalThreshold } from './conformalSets.ts';

test.each(reference.sets)('MAPIE: $name', ({ alpha, calibration, probability, expected }) => {
  const least = conformalThreshold(calibration, alpha);
  expect(probability.map((row) => conformalSet(row, least ?? Number.NaN))).toEqual(expected);
});

test('the threshold is the k-th highest, and there is none for too few cases', () => {
  expect(conformalThreshold([0.9, 0.6, 0.8], 0.25)).toBe(0.6);
  // (9 + 1) (1 - 0.1) is 9 up to rounding.
  expect(conformalThreshold([0.9, 0.6, 0.8, 0.5, 0.7, 0.2, 0.3, 0.4, 0.1], 0.1)).toBe(0.1);
  expect(conformalThreshold([0.9, 0.6, 0.8, 0.5, 0.7, 0.2, 0.3, 0.4], 0.1)).toBeNull();
  expect(conformalSet([0.1 + 0.2, 0.7 - 1e-12], 0.7)).toEqual([1]);
});
