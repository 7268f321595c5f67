import { describe, expect, it } from 'vitest';
import { randomSource } from '../cases/shuffle.ts';
import { binned, learnBins } from './binning.ts';
import { addBoosts, growBoostedTree, layOutBins } from './boostedTree.ts';

/** A tree on the derivatives of half the squared difference of a row's score and its target: a leaf's value is their mean. */
function grown(values: readonly number[], targets: readonly number[], rate = 1) {
  const matrix = { values: Float64Array.from(values), rows: values.length, width: 1 };
  const limits = learnBins(matrix);
  const rows = binned(matrix, limits);
  const gradients = Float32Array.from(targets, (target) => -target);
  const tree = growBoostedTree(layOutBins(rows, limits), gradients, new Float32Array(values.length).fill(1), rate);
  const scores = new Float64Array(values.length);
  addBoosts(tree, rows, limits, scores, 1, 0);
  return { tree, scores: [...scores] };
}

describe('a tree of a gradient boosting', () => {
  it('has the mean of its rows in each leaf, times the rate', () => {
    const values = Array.from({ length: 60 }, (_, index) => index);
    const targets = values.map((value) => (value < 30 ? 2 : 5 + (value % 2)));
    const { tree, scores } = grown(values, targets, 0.1);
    expect(tree.filter(({ column }) => column >= 0)).toHaveLength(1);
    expect(scores).toEqual(values.map((value) => expect.closeTo(value < 30 ? 0.2 : 0.55, 12)));
  });

  it('has 31 leaves at most, of 20 rows each at least, and cuts first where most is gained', () => {
    const random = randomSource(1, 'targets');
    // Noise, then 25 steps of 40 rows: a tree that is grown in another order has no leaves left for all of these.
    const targets = Array.from({ length: 2000 }, (_, row) => (row < 1000 ? random.next() : 10 * Math.floor(row / 40)));
    const { tree, scores } = grown(
      targets.map((_, row) => Math.floor(row / 8)),
      targets,
    );
    expect(tree.filter(({ column }) => column < 0)).toHaveLength(31);
    const sizes = Map.groupBy(scores, (score) => score);
    for (const { length } of sizes.values()) expect(length).toBeGreaterThanOrEqual(20);
    expect(scores.slice(1000)).toEqual(targets.slice(1000).map((target) => expect.closeTo(target, 4)));
  });

  it('makes no cut that gains nothing', () => {
    const { tree, scores } = grown(
      [1, 2, 3, 4].flatMap((value) => Array(20).fill(value)),
      Array(80).fill(3),
    );
    expect(tree.map(({ column }) => column)).toEqual([-1]);
    expect(scores).toEqual(Array(80).fill(3));
  });
});
