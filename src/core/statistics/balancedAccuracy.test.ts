import { describe, expect, test } from 'vitest';
import { balancedAccuracy } from './balancedAccuracy.ts';
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
