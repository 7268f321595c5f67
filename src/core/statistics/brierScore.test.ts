import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { believedCase, expectAgreement, repeated, weighted } from './agreement.fixture.ts';
import { brierLoss, brierScore } from './brierScore.ts';
import { beliefSets } from './reference.fixture.ts';

describe('brierScore', () => {
  test('by hand: 0.3² + 0.3²; half is the usual one of two labels', () => {
    const believed = { belief: { A: 0.7, B: 0.3 }, truth: 'A' };
    expect(brierLoss(believed, ['A', 'B'], 'sum')).toBeCloseTo(0.18, 15);
    expect(brierLoss(believed, ['A', 'B'], 'half')).toBeCloseTo(0.09, 15);
  });

  test('0 for certain and right, 2 or 1 for certain and wrong, whatever the number of labels', () => {
    const labels = ['A', 'B', 'C'];
    expect(brierLoss({ belief: { A: 1 }, truth: 'A' }, labels, 'sum')).toBe(0);
    expect(brierLoss({ belief: { A: 1 }, truth: 'C' }, labels, 'sum')).toBe(2);
    expect(brierLoss({ belief: { A: 1 }, truth: 'C' }, labels, 'half')).toBe(1);
  });

  test('no cases; a belief that is no distribution', () => {
    expect(brierScore([], ['A', 'B'], 'sum')).toBeNull();
    expect(() => brierScore([{ belief: { A: 0.7, B: 0.7 }, truth: 'A' }], ['A', 'B'], 'sum')).toThrow(RangeError);
    expect(() => brierScore([{ belief: { A: 1 }, truth: 'X' }], ['A', 'B'], 'sum')).toThrow(/"X"/);
  });

  test.each(beliefSets)(
    'scikit-learn brier_score_loss: $name',
    ({ cases, labels, weights, expected, weighted: repeatedCases }) => {
      expectAgreement(brierScore(cases, labels, 'sum'), expected.brierSum);
      expectAgreement(brierScore(cases, labels, 'half'), expected.brierHalf);
      expectAgreement(brierScore(cases, labels, 'sum', weights), repeatedCases.brierSum);
      expectAgreement(brierScore(cases, labels, 'half', weights), repeatedCases.brierHalf);
    },
  );

  test('property: a weight is a repetition', () => {
    fc.assert(
      fc.property(weighted(believedCase(['A', 'B', 'C'])), ({ items, weights }) => {
        const labels = ['A', 'B', 'C'];
        expectAgreement(brierScore(items, labels, 'sum', weights), brierScore(repeated(items, weights), labels, 'sum'));
      }),
    );
  });
});
