import { describe, expect, it } from 'vitest';
import { areaUnderCurve } from '../statistics/areaUnderCurve.ts';
import { learnEncoding } from './features.ts';
import { columnsTried, forestProbabilities } from './randomForest.ts';
import { referenceSets } from './reference.fixture.ts';

const votesOf = (set: (typeof referenceSets)[number], seed: number, trees = set.forest.trees) => {
  const encoding = learnEncoding(set.training);
  const cases = encoding.encode(set.onTrial);
  return forestProbabilities(encoding.encode(set.training), set.classes, set.labels.length, cases, {
    trees,
    tried: columnsTried(encoding.width),
    seed,
  });
};

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('random forest', () => {
  // The mean over three forests has a standard error of sd / √3; scikit-learn's own mean, over twenty, of sd / √20.
  const within = (sd: number) => 4 * sd * Math.sqrt(1 / 3 + 1 / 20);

  it.each(referenceSets)('is as good on held-out cases as scikit-learn: $name', (set) => {
    const count = set.labels.length;
    const forests = [1, 2, 3].map((seed) => votesOf(set, seed));
    const accuracy = (votes: Float64Array) =>
      mean(
        set.testLabels.map((truth, row) => {
          const own = [...votes.subarray(row * count, (row + 1) * count)];
          return set.labels[own.indexOf(Math.max(...own))] === truth ? 1 : 0;
        }),
      );
    const expected = set.forest.accuracy;
    expect(Math.abs(mean(forests.map(accuracy)) - (expected?.mean ?? 0))).toBeLessThan(within(expected?.sd ?? 0));
    if (set.forest.area === null) return;
    const area = (votes: Float64Array) =>
      areaUnderCurve(
        set.testLabels.map((_, row) => votes[row * 2 + 1] ?? 0),
        set.testLabels.map((truth) => truth === set.labels[1]),
      );
    expect(Math.abs(mean(forests.map((votes) => area(votes) ?? 0)) - set.forest.area.mean)).toBeLessThan(
      within(set.forest.area.sd),
    );
  });

  it('gives a distribution for every case, and the same one for the same seed', () => {
    const [, set] = referenceSets;
    if (set === undefined) throw new Error('there are no reference sets');
    const votes = votesOf(set, 7, 20);
    for (let row = 0; row < set.onTrial.length; row++) {
      const own = votes.subarray(row * 4, (row + 1) * 4);
      expect(own.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
      expect(Math.max(...own)).toBeLessThanOrEqual(1);
    }
    expect(votesOf(set, 7, 20)).toEqual(votes);
    expect(votesOf(set, 8, 20)).not.toEqual(votes);
  });

  it('looks at the square root of the columns, and at one at least', () => {
    expect([1, 3, 4, 30, 100].map(columnsTried)).toEqual([1, 1, 2, 5, 10]);
  });
});
