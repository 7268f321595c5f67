import { expect, test } from 'vitest';
import { macroAverage } from './macroAverage.ts';

test('undefined values count as zero and are told: (0.5 + 0 + 1) / 3', () => {
  expect(macroAverage([0.5, null, 1])).toEqual({ value: 0.5, classes: 3, undefinedClasses: 1 });
});

test('a zero is not undefined', () => {
  expect(macroAverage([0, 1])).toEqual({ value: 0.5, classes: 2, undefinedClasses: 0 });
});

test('no class, no value', () => {
  expect(macroAverage([])).toEqual({ value: null, classes: 0, undefinedClasses: 0 });
});
