import { expect, test } from 'vitest';
import { brierLoss } from './brierScore.ts';

test('by hand: (0.3² + 0.3²) / 2', () => {
  expect(brierLoss({ belief: { A: 0.7, B: 0.3 }, truth: 'A' }, ['A', 'B'])).toBeCloseTo(0.09, 15);
});

test('0 for certain and right, 1 for certain and wrong, for any number of labels', () => {
  const labels = ['A', 'B', 'C'];
  expect(brierLoss({ belief: { A: 1 }, truth: 'A' }, labels)).toBe(0);
  expect(brierLoss({ belief: { A: 1 }, truth: 'C' }, labels)).toBe(1);
});

test('refuses a belief that is no distribution, and a truth that is no label', () => {
  expect(() => brierLoss({ belief: { A: 0.7, B: 0.7 }, truth: 'A' }, ['A', 'B'])).toThrow(RangeError);
  expect(() => brierLoss({ belief: { A: 1 }, truth: 'X' }, ['A', 'B'])).toThrow(/"X"/);
});
