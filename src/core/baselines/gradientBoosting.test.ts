import { describe, expect, it } from 'vitest';
import { randomSource } from '../cases/shuffle.ts';
import { learnEncoding } from './features.ts';
import { boostedProbabilities } from './gradientBoosting.ts';
import { referenceSets } from './reference.fixture.ts';

const column = (values: readonly number[]) => ({ values: Float64Array.from(values), rows: values.length, width: 1 });

/** P(second class) of some values after learning from a column. */
const learned = (values: readonly number[], classes: readonly number[], cases: readonly number[], seed = 1) => {
  const { probabilities, ...about } = boostedProbabilities(column(values), Int32Array.from(classes), 2, column(cases), { seed });
  return { shares: cases.map((_, row) => probabilities[2 * row + 1] ?? 0), ...about };
};

const repeated = <T>(n: number, value: T): T[] => Array.from({ length: n }, () => value);

describe('gradient boosting', () => {
  it.each(referenceSets)('gives the probabilities of scikit-learn: $name', (set) => {
    const encoding = learnEncoding(set.training);
    const [training, cases] = [encoding.encode(set.training, Number.NaN), encoding.encode(set.onTrial, Number.NaN)];
    const { probabilities } = boostedProbabilities(training, set.classes, set.labels.length, cases, { seed: 1 });
    const expected = set.boosting.flat();
    expect(probabilities).toHaveLength(expected.length);
    const off = expected.filter((value, index) => Math.abs(value - (probabilities[index] ?? 0)) > 1e-6);
    // Where two cuts are equally good, rounding decides: that moves the few cases between them.
    expect(off.length / expected.length).toBeLessThan(0.01);
  });

  it('puts missing values on the side where they belong', () => {
    const values = [...repeated(40, 1), ...repeated(40, 2), ...repeated(40, Number.NaN)];
    const sides = (classes: readonly number[]) => learned(values, classes, [1, 2, Number.NaN]).shares.map(Math.round);
    expect(sides([...repeated(40, 0), ...repeated(40, 1), ...repeated(40, 0)])).toEqual([0, 1, 0]);
    expect(sides([...repeated(40, 0), ...repeated(40, 1), ...repeated(40, 1)])).toEqual([0, 1, 1]);
    expect(sides([...repeated(40, 0), ...repeated(40, 0), ...repeated(40, 1)])).toEqual([0, 0, 1]);
  });

  it('sends a value that no training row lacks with most of them', () => {
    const classes = [...repeated(60, 0), ...repeated(40, 1)];
    const [low = 0, , missing] = learned([...repeated(60, 1), ...repeated(40, 2)], classes, [1, 2, Number.NaN]).shares;
    expect(missing).toBe(low);
    const [, high = 0, other] = learned([...repeated(40, 1), ...repeated(60, 2)], classes.toReversed(), [
      1,
      2,
      Number.NaN,
    ]).shares;
    expect(other).toBe(high);
  });

  it('has the shares of the classes where there are too few rows for two leaves', () => {
    const values = Array.from({ length: 39 }, (_, index) => index);
    const classes = values.map((value) => (value < 13 ? 1 : 0));
    for (const share of learned(values, classes, [0, 38]).shares) expect(share).toBeCloseTo(1 / 3, 6);
  });

  it('holds out a tenth of many rows by the seed, and stops when they get no better', () => {
    const random = randomSource(1, 'noise');
    const values = Array.from({ length: 10_001 }, () => random.next());
    const classes = values.map(() => random.below(2));
    const cases = [0.1, 0.5, 0.9];
    const noise = learned(values, classes, cases);
    expect(Math.abs(noise.heldOut - 1000)).toBeLessThanOrEqual(1);
    expect(noise.rounds).toBeLessThan(30);
    expect(learned(values, classes, cases)).toEqual(noise);
    expect(learned(values, classes, cases, 2)).not.toEqual(noise);
    // What can be learned keeps lowering the loss of the rows held out, a tenth a round.
    const known = values.map((value) => (value < 0.3 ? 1 : 0));
    expect(learned(values, known, cases).rounds).toBeGreaterThan(60);
    expect(learned(values.slice(1), classes.slice(1), cases)).toMatchObject({ rounds: 100, heldOut: 0 });
  });

  it('refuses a single class', () => {
    const options = { seed: 1 };
    expect(() => boostedProbabilities(column([1, 2]), new Int32Array(2), 1, column([1]), options)).toThrow(RangeError);
  });
});
