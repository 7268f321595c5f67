import { describe, expect, test } from 'vitest';
import { expectAgreement } from './agreement.fixture.ts';
import { confusion } from './confusion.ts';
import { f1, macroF1 } from './f1.ts';
import { fourClasses } from './fourClasses.fixture.ts';
import { classificationSets } from './reference.fixture.ts';

describe('f1', () => {
  test('per class, by hand', () => {
    // A: 4 / (4 + 2 + 2); B: 4 / (4 + 2 + 1); C: 6 / (6 + 1 + 2); D occurs nowhere
    expect(fourClasses.labels.map((label) => f1(fourClasses, label))).toEqual([4 / 8, 4 / 7, 6 / 9, null]);
  });

  test('macro average with a class that does not occur', () => {
    // scikit-learn 1.9.1: f1_score(truth, prediction, labels=[...'ABCD'], average='macro', zero_division=0)
    const average = macroF1(fourClasses);
    expect(average.value).toBeCloseTo(0.43452380952380953, 14);
    expect(average).toMatchObject({ classes: 4, undefinedClasses: 1 });
  });

  test('a class that is true but never predicted', () => {
    // A: 2 / (2 + 2 + 1); B: 2 / (2 + 1 + 1); C: 0 / (0 + 0 + 1) = 0, defined; (0.4 + 0.5 + 0) / 3 = 0.3
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
    expect(matrix.labels.map((label) => f1(matrix, label))).toEqual([2 / 5, 2 / 4, 0]);
    expect(macroF1(matrix).value).toBeCloseTo(0.3, 14);
    expect(macroF1(matrix).undefinedClasses).toBe(0);
  });

  test('refuses a label that is not listed', () => {
    expect(() => f1(fourClasses, 'X')).toThrow(RangeError);
  });

  test.each(classificationSets)('scikit-learn f1_score: $name', ({ pairs, labels, weights, ...reference }) => {
    for (const [matrix, expected] of [
      [confusion(pairs, labels), reference.expected],
      [confusion(pairs, labels, weights), reference.weighted],
    ] as const) {
      labels.forEach((label, place) => {
        expectAgreement(f1(matrix, label), expected.f1[place] ?? null);
      });
      expectAgreement(macroF1(matrix).value, expected.macroF1);
    }
  });
});
