import { describe, expect, test } from 'vitest';
import { expectAgreement } from './agreement.fixture.ts';
import { confusion } from './confusion.ts';
import { fourClasses } from './fourClasses.fixture.ts';
import { macroRecall, recall } from './recall.ts';
import { classificationSets } from './reference.fixture.ts';

describe('recall', () => {
  test('per class, by hand', () => {
    // A: 2 of the 4 true ones; B: 2 of 3; C: 3 of 5; D never is the truth
    expect(fourClasses.labels.map((label) => recall(fourClasses, label))).toEqual([2 / 4, 2 / 3, 3 / 5, null]);
  });

  test('macro average with a class that does not occur', () => {
    // scikit-learn 1.9.1: recall_score(truth, prediction, labels=[...'ABCD'], average='macro', zero_division=0)
    const average = macroRecall(fourClasses);
    expect(average.value).toBeCloseTo(0.44166666666666665, 14);
    expect(average).toMatchObject({ classes: 4, undefinedClasses: 1 });
  });

  test('a class that is true but never predicted', () => {
    // A 1 of 2, B 1 of 2, C 0 of 1: defined for all; (1/2 + 1/2 + 0) / 3 = 1/3
    // scikit-learn 1.9.1 gives the same with zero_division=0
    const pairs = [
      ['A', 'A'],
      ['A', 'B'],
      ['B', 'B'],
      ['B', 'A'],
      ['C', 'A'],
    ] as const;
    const matrix = confusion(
      pairs.map(([truth, prediction]) => ({ truth, prediction })),
      ['A', 'B', 'C'],
    );
    expect(matrix.labels.map((label) => recall(matrix, label))).toEqual([1 / 2, 1 / 2, 0]);
    expect(macroRecall(matrix).value).toBeCloseTo(1 / 3, 14);
    expect(macroRecall(matrix).undefinedClasses).toBe(0);
  });

  test('refuses a label that is not listed', () => {
    expect(() => recall(fourClasses, 'X')).toThrow(RangeError);
  });

  test.each(classificationSets)('scikit-learn recall_score: $name', ({ pairs, labels, weights, ...reference }) => {
    for (const [matrix, expected] of [
      [confusion(pairs, labels), reference.expected],
      [confusion(pairs, labels, weights), reference.weighted],
    ] as const) {
      labels.forEach((label, place) => {
        expectAgreement(recall(matrix, label), expected.recall[place] ?? null);
      });
      expectAgreement(macroRecall(matrix).value, expected.macroRecall);
    }
  });
});
