import { describe, expect, it } from 'vitest';
import { randomSource } from '../cases/shuffle.ts';
import type { Matrix } from './features.ts';
import { addVotes, growTree, layOut } from './randomForest.ts';

const matrixOf = (rows: readonly (readonly number[])[]): Matrix => ({
  values: Float64Array.from(rows.flat()),
  rows: rows.length,
  width: rows[0]?.length ?? 0,
});

/** A tree over all columns, from each row once. */
const grown = (rows: readonly (readonly number[])[], classes: readonly number[], count = 2) => {
  const matrix = matrixOf(rows);
  const sample = Uint32Array.from(rows.keys());
  return growTree(layOut(matrix, Int32Array.from(classes), count), sample, matrix.width, randomSource(1, 'test'));
};

const votes = (tree: ReturnType<typeof grown>, rows: readonly (readonly number[])[], count = 2) => {
  const into = new Float64Array(rows.length * count);
  addVotes(tree, matrixOf(rows), into);
  return rows.map((_, row) => [...into.subarray(row * count, (row + 1) * count)]);
};

describe('growTree', () => {
  it('cuts where both sides become purest', () => {
    // Column 0 separates the classes between 2 and 4; column 1 does not. Threshold: the middle, 3.
    const tree = grown(
      [
        [1, 5],
        [2, 6],
        [4, 5],
        [8, 6],
      ],
      [0, 0, 1, 1],
    );
    expect({ column: tree[0]?.column, threshold: tree[0]?.threshold, nodes: tree.length }).toEqual({
      column: 0,
      threshold: 3,
      nodes: 3,
    });
  });

  it('chooses by the Gini criterion', () => {
    // Classes in order of value: 0 0 0 1 0 1. Cutting after k rows leaves sum of squares / rows:
    // k=1: 1 + (9 + 4)/5 = 3.6; k=2: 2 + (4 + 4)/4 = 4; k=3: 3 + (1 + 4)/3 = 4.67; k=4: (9 + 1)/4 + (1 + 1)/2 = 3.5;
    // k=5: (16 + 1)/5 + 1 = 4.4. Best after the third.
    const tree = grown([[1], [2], [3], [4], [5], [6]], [0, 0, 0, 1, 0, 1]);
    expect(tree[0]?.threshold).toBe(3.5);
  });

  it('continues until every leaf is pure, through cuts that gain nothing by themselves', () => {
    const corners = [
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
    ];
    expect(votes(grown(corners, [0, 1, 1, 0]), corners)).toEqual([
      [1, 0],
      [0, 1],
      [0, 1],
      [1, 0],
    ]);
  });

  it('has shares in a leaf whose rows no column tells apart', () => {
    const tree = grown([[1], [1], [1], [1]], [0, 2, 2, 2], 3);
    expect(votes(tree, [[1], [9]], 3)).toEqual([
      [0.25, 0, 0.75],
      [0.25, 0, 0.75],
    ]);
  });

  it('counts a row as often as it occurs in the sample', () => {
    const data = layOut(matrixOf([[1], [1]]), Int32Array.from([0, 1]), 2);
    const tree = growTree(data, Uint32Array.from([0, 1, 1, 1]), 1, randomSource(1, 'test'));
    expect(votes(tree, [[1]])).toEqual([[0.25, 0.75]]);
  });

  it('tells neighbouring numbers apart', () => {
    const next = 1 + Number.EPSILON;
    expect(votes(grown([[1], [next]], [0, 1]), [[1], [next]])).toEqual([
      [1, 0],
      [0, 1],
    ]);
  });

  it('looks past constant columns for one that cuts', () => {
    const rows = [
      [0, 0, 0, 1],
      [0, 0, 0, 2],
    ];
    const data = layOut(matrixOf(rows), Int32Array.from([0, 1]), 2);
    for (let seed = 0; seed < 5; seed++) {
      const tree = growTree(data, Uint32Array.from([0, 1]), 1, randomSource(seed, 'test'));
      expect(tree[0]?.column).toBe(3);
    }
  });
});
