import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { confusion, confusionOfCells } from './confusion.ts';
import { matthewsCorrelation } from './matthewsCorrelation.ts';

describe('matthewsCorrelation', () => {
  test('1 where all is right, -1 where all is wrong on two labels', () => {
    expect(matthewsCorrelation(confusionOfCells(['A', 'B', 'C'], [3, 0, 0, 0, 5, 0, 0, 0, 7]))).toBe(1);
    expect(matthewsCorrelation(confusionOfCells(['A', 'B'], [0, 3, 5, 0]))).toBe(-1);
  });

  test('no cases, one case, one class: undefined, where scikit-learn 1.9.1 says 0', () => {
    expect(matthewsCorrelation(confusion([], ['A', 'B']))).toBeNull();
    expect(matthewsCorrelation(confusionOfCells(['A', 'B'], [1, 0, 0, 0]))).toBeNull();
    expect(matthewsCorrelation(confusionOfCells(['A', 'B'], [3, 2, 0, 0]))).toBeNull();
  });

  test('property: never beyond its bounds and never NaN, also for shares of cases', () => {
    const cells = fc.array(fc.constantFrom(0, 0, 1, 2, 1 / 3, 0.1, 0.7), { minLength: 9, maxLength: 9 });
    fc.assert(
      fc.property(cells, (counts) => {
        const value = matthewsCorrelation(confusionOfCells(['A', 'B', 'C'], counts));
        return value === null || (value >= -1 && value <= 1);
      }),
    );
  });
});
