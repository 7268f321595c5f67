import { expect, it } from 'vitest';
import type { Measure } from '../../shared/statistics.ts';
import { ledF1In, ledF1Name } from './ledF1.ts';

const measures = [
  { name: 'f1', label: 'NO', over: 'decided', value: 0.5 },
  { name: 'f1', label: 'YES', over: 'decided', value: 0.4 },
  { name: 'macro_f1', label: null, over: 'decided', value: 0.45 },
] as unknown as Measure[];

it('is of the positive label, and is called so', () => {
  expect(ledF1In(measures, 'YES')?.value).toBe(0.4);
  expect(ledF1Name('YES')).toBe('F1 of YES');
});

it('is the mean over the labels where none is positive, and is called so', () => {
  expect(ledF1In(measures, null)?.value).toBe(0.45);
  expect(ledF1Name(null)).toBe('macro-F1');
  expect(ledF1In([], null)).toBeUndefined();
});
