import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectAgreement } from './agreement.fixture.ts';
import { balancedAccuracy, cohenKappa, matthewsCorrelation } from './agreementScores.ts';
import { confusion, confusionOfCells } from './confusion.ts';

describe('balancedAccuracy', () => {
  test('by hand: recalls 9/10 and 1/2; a third label without a case is left out', () => {
    expect(balancedAccuracy(confusionOfCells(['A', 'B'], [9, 1, 1, 1]))).toBeCloseTo(0.7, 15);
    expect(balancedAccuracy(confusionOfCells(['A', 'B', 'C'], [9, 0, 1, 1, 1, 0, 0, 0, 0]))).toBeCloseTo(0.7, 15);
  });

  test('no cases, no value', () => {
    expect(balancedAccuracy(confusion([], ['A', 'B']))).toBeNull();
  });
});

describe('cohenKappa', () => {
  test('undefined without cases and where both always say the same; 0 where one side alone never varies', () => {
    expect(cohenKappa(confusion([], ['A', 'B']))).toBeNull();
    expect(cohenKappa(confusionOfCells(['A', 'B'], [1, 0, 0, 0]))).toBeNull();
    expect(cohenKappa(confusionOfCells(['A', 'B'], [3, 2, 0, 0]))).toBe(0);
  });

  test('property: the two sides may change places', () => {
    const label = fc.constantFrom('A', 'B', 'C');
    fc.assert(
      fc.property(fc.array(fc.record({ truth: label, prediction: label })), (pairs) => {
        const turned = pairs.map(({ truth, prediction }) => ({ truth: prediction, prediction: truth }));
        expectAgreement(cohenKappa(confusion(pairs, ['A', 'B', 'C'])), cohenKappa(confusion(turned, ['A', 'B', 'C'])));
      }),
    );
  });
});

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
