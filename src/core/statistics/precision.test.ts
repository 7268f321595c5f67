import { describe, expect, test } from 'vitest';
import { expectAgreement } from './agreement.fixture.ts';
import { confusion } from './confusion.ts';
import { fourClasses } from './fourClasses.fixture.ts';
import { macroPrecision, precision } from './precision.ts';
import { classificationSets } from './reference.fixture.ts';

describe('precision', () => {
  test('per class, by hand', () => {
    // A: 2 of the 4 predicted; B: 2 of 4; C: 3 of 4; D is never predicted
    expect(fourClasses.labels.map((label) => precision(fourClasses, label))).toEqual([2 / 4, 2 / 4, 3 / 4, null]);
  });

  test('macro average with a class that does not occur', () => {
    // scikit-learn 1.9.1: precision_score(truth, prediction, labels=[...'ABCD'], average='macro', zero_division=0)
    const average = macroPrecision(fourClasses);
    expect(average.value).toBeCloseTo(0.4375, 14);
    expect(average).toMatchObject({ classes: 4, undefinedClasses: 1 });
  });

  test('a class that is true but never predicted', () => {
    // C is never predicted: A 1/3, B 1/2, C undefined; (1/3 + 1/2 + 0) / 3 = 5/18
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
    expect(matrix.labels.map((label) => precision(matrix, label))).toEqual([1 / 3, 1 / 2, null]);
    expect(macroPrecision(matrix).value).toBeCloseTo(5 / 18, 14);
    expect(macroPrecision(matrix).undefinedClasses).toBe(1);
  });

  test('refuses a label that is not listed', () => {
    expect(() => precision(fourClasses, 'X')).toThrow(RangeError);
  });

  test.each(classificationSets)('scikit-learn precision_score: $name', ({ pairs, labels, weights, ...reference }) => {
    for (const [matrix, expected] of [
      [confusion(pairs, labels), reference.expected],
      [confusion(pairs, labels, weights), reference.weighted],
    ] as const) {
      labels.forEach((label, place) => {
        expectAgreement(precision(matrix, label), expected.precision[place] ?? null);
      });
      expectAgreement(macroPrecision(matrix).value, expected.macroPrecision);
    }
  });
});
