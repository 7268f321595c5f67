import { describe, expect, it } from 'vitest';
import { learnEncoding } from './features.ts';
import { fitLogisticRegression, logisticProbabilities } from './logisticRegression.ts';
import { referenceSets } from './reference.fixture.ts';

describe('logistic regression', () => {
  // scikit-learn 1.9.1; its own solver stops at a gradient too, so the last digits are not reliable.
  it.each(referenceSets)('gives the probabilities of scikit-learn: $name', (set) => {
    const encoding = learnEncoding(set.training);
    expect(encoding.width).toBe(set.width);
    const model = fitLogisticRegression(encoding.encode(set.training), set.classes, set.labels.length);
    expect(model.isConverged).toBe(true);
    const probabilities = logisticProbabilities(model, encoding.encode(set.onTrial));
    const expected = set.probabilities.flat();
    expect(probabilities).toHaveLength(expected.length);
    const worst = expected.reduce((most, value, index) => Math.max(most, Math.abs(value - (probabilities[index] ?? 0))), 0);
    expect(worst).toBeLessThan(1e-5);
    const coefficients = model.weights.filter((_, index) => index % (encoding.width + 1) !== encoding.width);
    expect(Math.hypot(...coefficients)).toBeCloseTo(set.coefficientNorm, 5);
  });

  it('has the log odds of the classes as intercept where no column tells them apart', () => {
    // Three of four rows are of class 1 and the one column is 0 throughout.
    const matrix = { values: new Float64Array(4), rows: 4, width: 1 };
    const model = fitLogisticRegression(matrix, Int32Array.from([1, 0, 1, 1]), 2);
    expect([...model.weights]).toEqual([0, expect.closeTo(Math.log(3), 5)]);
    expect([...logisticProbabilities(model, { ...matrix, rows: 1 })]).toEqual([expect.closeTo(0.25, 6), expect.closeTo(0.75, 6)]);
  });

  it('stays finite with scores that overflow an exponential', () => {
    const model = { scores: 1, weights: Float64Array.from([1000, 0]), iterations: 0, gradientNorm: 0, isConverged: true };
    const certain = logisticProbabilities(model, { values: Float64Array.from([5, -5]), rows: 2, width: 1 });
    expect([...certain]).toEqual([0, 1, 1, 0]);
  });

  it('refuses a single class', () => {
    const matrix = { values: new Float64Array(2), rows: 2, width: 1 };
    expect(() => fitLogisticRegression(matrix, new Int32Array(2), 1)).toThrow(RangeError);
  });
});
