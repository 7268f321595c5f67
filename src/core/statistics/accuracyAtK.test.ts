import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accuracyAtK, hitAtK } from './accuracyAtK.ts';
import { believedCase, expectAgreement, repeated, weighted } from './agreement.fixture.ts';
import { rankOfTruth } from './rankOfTruth.ts';
import { beliefSets } from './reference.fixture.ts';

describe('accuracyAtK', () => {
  test('by hand: ranks 1, 2 and 4', () => {
    const belief = { A: 0.4, B: 0.3, C: 0.2, D: 0.1 };
    const cases = ['A', 'B', 'D'].map((truth) => ({ belief, truth }));
    expect([1, 2, 3, 4, 9].map((k) => accuracyAtK(cases, ['A', 'B', 'C', 'D'], k))).toEqual([1 / 3, 2 / 3, 2 / 3, 1, 1]);
  });

  test('no cases; k that is no number of labels', () => {
    expect(accuracyAtK([], ['A', 'B'], 1)).toBeNull();
    for (const k of [0, -1, 1.5, Number.NaN]) {
      expect(() => hitAtK({ belief: { A: 1 }, truth: 'A' }, ['A', 'B'], k)).toThrow(/k is a whole number/);
    }
  });

  test.each(beliefSets)(
    'scipy rankdata of method max: $name',
    ({ cases, labels, weights, expected, weighted: repeatedCases }) => {
      labels.forEach((_, place) => {
        expectAgreement(accuracyAtK(cases, labels, place + 1), expected.accuracyAtK[place] ?? null);
        expectAgreement(accuracyAtK(cases, labels, place + 1, weights), repeatedCases.accuracyAtK[place] ?? null);
      });
    },
  );

  const isTied = ({ cases, labels }: (typeof beliefSets)[number]) =>
    cases.some((each) => new Set(labels.map((label) => each.belief[label])).size < labels.length);
  const ranked = beliefSets.filter(({ expected }) => expected.topK !== null);

  test.each(ranked.filter((set) => !isTied(set)))('scikit-learn top_k_accuracy_score, no ties: $name', (set) => {
    expect(set.labels.map((_, place) => accuracyAtK(set.cases, set.labels, place + 1))).toEqual(set.expected.topK);
  });

  test.each(ranked.filter(isTied))('never above top_k_accuracy_score, which orders ties by label: $name', (set) => {
    set.labels.forEach((_, place) => {
      expect(accuracyAtK(set.cases, set.labels, place + 1)).toBeLessThanOrEqual(set.expected.topK?.[place] ?? 0);
    });
  });

  test('four equal labels: never within three, of which scikit-learn finds two thirds', () => {
    const set = beliefSets.find(({ name }) => name === 'four labels, all equal');
    expect(set?.expected.topK?.[2]).toBeCloseTo(2 / 3, 12);
    expect(accuracyAtK(set?.cases ?? [], set?.labels ?? [], 3)).toBe(0);
  });

  test('property: grows with k up to 1; a weight is a repetition', () => {
    fc.assert(
      fc.property(weighted(believedCase(['A', 'B', 'C'])), ({ items, weights }) => {
        const values = [1, 2, 3].map((k) => accuracyAtK(items, ['A', 'B', 'C'], k, weights));
        const again = [1, 2, 3].map((k) => accuracyAtK(repeated(items, weights), ['A', 'B', 'C'], k));
        values.forEach((value, index) => {
          expectAgreement(value, again[index] ?? null);
          expect(value ?? 0).toBeGreaterThanOrEqual(values[index - 1] ?? 0);
        });
        if (weights.some((weight) => weight > 0)) expect(values[2]).toBe(1);
      }),
    );
  });

  test('property: does not depend on the order of the labels', () => {
    fc.assert(
      fc.property(
        believedCase(['A', 'B', 'C', 'D']),
        fc.shuffledSubarray(['A', 'B', 'C', 'D'], { minLength: 4 }),
        (each, order) => {
          expect(rankOfTruth(each, order)).toBe(rankOfTruth(each, ['A', 'B', 'C', 'D']));
        },
      ),
    );
  });
});
