import { describe, expect, test } from 'vitest';
import { accuracy, isCorrect } from './accuracy.ts';
import { expectAgreement } from './agreement.fixture.ts';
import { classificationSets } from './reference.fixture.ts';

describe('isCorrect', () => {
  test.each([
    ['A', 'A', true],
    ['A', 'a', false],
    [['A', 'B'], ['B', 'A'], true],
    [['A', 'B'], ['A'], false],
    [['A'], ['A', 'B'], false],
    [['A', 'B'], ['A', 'C'], false],
    [['A'], ['A', 'A'], true],
    [[], [], true],
    [['A'], [], false],
    ['A', ['A'], false],
  ])('%j and %j: %s', (truth, prediction, expected) => {
    expect(isCorrect(truth, prediction)).toBe(expected);
  });
});

describe('accuracy', () => {
  test('7 of 12; scikit-learn 1.9.1 accuracy_score gives 0.5833333333333334', () => {
    const share = accuracy(7, 12);
    expect(share).toMatchObject({ correct: 7, n: 12 });
    expect(share.value).toBeCloseTo(0.5833333333333334, 15);
    expect(share.interval?.low).toBeLessThan(7 / 12);
  });

  test('nothing to count', () => {
    expect(accuracy(0, 0)).toEqual({ correct: 0, n: 0, value: null, interval: null });
  });

  test('refuses impossible counts', () => {
    expect(() => accuracy(2, 1)).toThrow(RangeError);
  });

  test.each(classificationSets)('scikit-learn accuracy_score: $name', ({ pairs, expected }) => {
    const correct = pairs.filter(({ truth, prediction }) => isCorrect(truth, prediction)).length;
    expectAgreement(accuracy(correct, pairs.length).value, expected.accuracy);
  });
});
