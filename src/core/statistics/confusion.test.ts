import { describe, expect, test } from 'vitest';
import { classCounts, confusion } from './confusion.ts';
import { fourClasses } from './fourClasses.fixture.ts';

describe('confusion', () => {
  test('truth in rows, prediction in columns; scikit-learn 1.9.1 gives the same matrix', () => {
    // confusion_matrix(truth, prediction, labels=['A', 'B', 'C', 'D'])
    expect(fourClasses).toEqual({
      labels: ['A', 'B', 'C', 'D'],
      counts: [
        [2, 1, 1, 0],
        [1, 2, 0, 0],
        [1, 1, 3, 0],
        [0, 0, 0, 0],
      ],
      n: 12,
    });
  });

  test('the four counts of a class, by hand', () => {
    // A: diagonal 2; its column has 1 + 1 more; its row has 1 + 1 more; 12 - 2 - 2 - 2 = 6 remain
    expect(classCounts(fourClasses, 'A')).toEqual({ truePositives: 2, falsePositives: 2, falseNegatives: 2, trueNegatives: 6 });
    expect(classCounts(fourClasses, 'D')).toEqual({ truePositives: 0, falsePositives: 0, falseNegatives: 0, trueNegatives: 12 });
  });

  test('no pairs give zeros', () => {
    expect(confusion([], ['A', 'B'])).toEqual({
      labels: ['A', 'B'],
      counts: [
        [0, 0],
        [0, 0],
      ],
      n: 0,
    });
  });

  test('refuses what it would have to drop', () => {
    expect(() => confusion([{ truth: 'X', prediction: 'A' }], ['A'])).toThrow(/truth "X"/);
    expect(() => confusion([{ truth: 'A', prediction: 'X' }], ['A'])).toThrow(/prediction "X"/);
    expect(() => confusion([], ['A', 'A'])).toThrow(/distinct/);
    expect(() => classCounts(fourClasses, 'X')).toThrow(RangeError);
  });
});
