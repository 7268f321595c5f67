import { describe, expect, test } from 'vitest';
import { caseF1, f1, macroF1, microF1, precision, recall } from './classScores.ts';
import { classCounts, confusion } from './confusion.ts';
import { fourClasses } from './fourClasses.fixture.ts';

const countsIn = (matrix: typeof fourClasses) => matrix.labels.map((label) => classCounts(matrix, label));

describe('one label a case', () => {
  const classes = countsIn(fourClasses);

  test('by hand, with a class that occurs nowhere', () => {
    // A: 2 of the 4 predicted, 2 of the 4 true ones; B: 2 of 4, 2 of 3; C: 3 of 4, 3 of 5; D occurs nowhere.
    expect(classes.map(precision)).toEqual([2 / 4, 2 / 4, 3 / 4, null]);
    expect(classes.map(recall)).toEqual([2 / 4, 2 / 3, 3 / 5, null]);
    expect(classes.map(f1)).toEqual([4 / 8, 4 / 7, 6 / 9, null]);
    // scikit-learn 1.9.1: f1_score(truth, prediction, labels=[...'ABCD'], average='macro', zero_division=0)
    expect(macroF1(classes)).toBeCloseTo(0.43452380952380953, 14);
  });

  test('a class that is true but never predicted', () => {
    // A: 2 / (2 + 2 + 1); B: 2 / (2 + 1 + 1); C: 0 / (0 + 0 + 1) = 0, defined; (0.4 + 0.5 + 0) / 3 = 0.3
    const pairs = ['AA', 'AB', 'BB', 'BA', 'CA'].map(([truth = '', prediction = '']) => ({ truth, prediction }));
    const found = countsIn(confusion(pairs, ['A', 'B', 'C']));
    expect(found.map(precision)).toEqual([1 / 3, 1 / 2, null]);
    expect(found.map(recall)).toEqual([1 / 2, 1 / 2, 0]);
    expect(found.map(f1)).toEqual([2 / 5, 2 / 4, 0]);
    expect(macroF1(found)).toBeCloseTo(0.3, 14);
  });

  test('no class, no value', () => {
    expect(macroF1([])).toBeNull();
    expect(microF1([])).toBeNull();
  });
});

test('over classes, by hand: 2/3, 0 and undefined; TP 1, FP 2, FN 1 in all', () => {
  const classes = [
    { truePositives: 1, falsePositives: 1, falseNegatives: 0 },
    { truePositives: 0, falsePositives: 1, falseNegatives: 1 },
    { truePositives: 0, falsePositives: 0, falseNegatives: 0 },
  ];
  expect(macroF1(classes)).toBe(2 / 3 / 3);
  expect(microF1(classes)).toBe(2 / 5);
});

test('one case of several labels: repeats say nothing, and nothing to find is right where nothing was found', () => {
  expect(caseF1({ truth: ['A', 'B'], prediction: ['A', 'C', 'A'] }, ['A', 'B', 'C'])).toBe(2 / 4);
  expect(caseF1({ truth: [], prediction: [] }, ['A'])).toBe(1);
  expect(caseF1({ truth: [], prediction: ['A'] }, ['A'])).toBe(0);
  expect(() => caseF1({ truth: ['X'], prediction: [] }, ['A'])).toThrow(/"X"/);
});
