import fc from 'fast-check';
import { expect, test } from 'vitest';
import { labelSetBrierLoss } from './labelSetBrier.ts';

const labels = ['A', 'B', 'C'];

test('by hand: (0.1² + 0.2² + 1²) / 3', () => {
  expect(labelSetBrierLoss({ belief: { A: 0.9, B: 0.2, C: 0 }, truth: ['A', 'C'] }, labels)).toBeCloseTo(0.35, 12);
  expect(labelSetBrierLoss({ belief: { A: 1, B: 0, C: 1 }, truth: ['C', 'A'] }, labels)).toBe(0);
  expect(labelSetBrierLoss({ belief: { A: 1, B: 1, C: 1 }, truth: [] }, labels)).toBe(1);
});

test.each([
  [{ A: 0.5, B: 0.5 }, [], labels],
  [{ A: 0.5, B: 0.5, C: 0, D: 1 }, [], labels],
  [{ A: 0.5, B: 0.5, C: 1.5 }, [], labels],
  [{ A: 0.5, B: 0.5, C: 0 }, ['D'], labels],
  [{ A: 0.5 }, [], ['A', 'A']],
  [{}, [], []],
] as const)('refuses %j with truth %j', (belief, truth, all) => {
  expect(() => labelSetBrierLoss({ belief, truth }, all)).toThrow(RangeError);
});

test('with one label it is the binary score, and the order of the labels does not matter', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(share, share, share, fc.subarray(labels), (a, b, c, truth) => {
      const loss = labelSetBrierLoss({ belief: { A: a, B: b, C: c }, truth }, labels);
      expect(labelSetBrierLoss({ belief: { C: c, A: a, B: b }, truth: truth.toReversed() }, labels.toReversed())).toBeCloseTo(
        loss,
        12,
      );
      expect(loss).toBeGreaterThanOrEqual(0);
      expect(loss).toBeLessThanOrEqual(1);
      expect(labelSetBrierLoss({ belief: { A: a }, truth: truth.includes('A') ? ['A'] : [] }, ['A'])).toBe(
        (a - (truth.includes('A') ? 1 : 0)) ** 2,
      );
    }),
  );
});
