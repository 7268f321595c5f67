import { describe, expect, test } from 'vitest';
import { repeated } from './agreement.fixture.ts';
import { chanceDisagreement, classCounts, confusion, confusionOfCells, marginals } from './confusion.ts';
import { fourClasses } from './fourClasses.fixture.ts';
import { classificationSets } from './reference.fixture.ts';

describe('confusion', () => {
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

  test.each(classificationSets)('scikit-learn confusion_matrix: $name', ({ pairs, labels, weights, ...reference }) => {
    expect(confusion(pairs, labels).counts).toEqual(reference.expected.confusion);
    expect(confusion(repeated(pairs, weights), labels).counts).toEqual(reference.weighted.confusion);
  });

  test('of cells that are known already, also parts of a case', () => {
    const flat = fourClasses.counts.flat();
    expect(confusionOfCells(fourClasses.labels, Float64Array.from(flat))).toEqual(fourClasses);
    expect(confusionOfCells(['A', 'B'], [0.5, 0.5, 0, 2])).toEqual({
      labels: ['A', 'B'],
      counts: [
        [0.5, 0.5],
        [0, 2],
      ],
      n: 3,
    });
    expect(() => confusionOfCells(['A', 'B'], [1, 2, 3])).toThrow(/4 cells, not 3/);
    expect(() => confusionOfCells(['A'], [-1])).toThrow(/-1 is no count/);
    expect(() => confusionOfCells(['A'], [Number.NaN])).toThrow(RangeError);
  });

  test('its edges, by hand', () => {
    expect(marginals(fourClasses)).toEqual({ agreed: 7, rows: [4, 3, 5, 0], columns: [4, 4, 4, 0] });
    // 144 - 4 * 4 - 3 * 4 - 5 * 4
    expect(chanceDisagreement([4, 3, 5, 0], [4, 4, 4, 0])).toBe(96);
  });
});
