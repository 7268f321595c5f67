// A random forest of classification trees.
import { randomSource } from '../cases/shuffle.ts';
import type { Matrix } from './features.ts';
import { addVotes, growTree, layOut } from './tree.ts';

export interface ForestOptions {
  readonly trees: number;
  /** Columns looked at for each cut, 1 to the number of columns. */
  readonly tried: number;
  readonly seed: number;
  /** Gets the number of trees grown; may throw to give up. */
  readonly onTree?: ((grown: number) => void) | undefined;
}

/** Columns looked at for each cut by default: the square root of all, rounded down. */
export const columnsTried = (width: number): number => Math.max(1, Math.floor(Math.sqrt(width)));

/**
 * Random forest: trees grown on bootstrap samples of the training rows, each cut chosen among a few random columns.
 * Returns P(class) of each row of `cases`, `count` numbers a row, each 0-1: the mean over the trees of the class shares in the
 * row's leaf, as scikit-learn's `RandomForestClassifier` has it. Each tree has its own random source under the seed.
 *
 * Source: L. Breiman, Random Forests, Machine Learning 45 (2001), 5-32; the mean of shares in place of one vote a tree is
 * scikit-learn's. The trees differ from scikit-learn's by their random numbers, so that the two agree in quality and not
 * case by case.
 * @param classes class of each training row, 0 to `count` - 1
 */
export function forestProbabilities(
  training: Matrix,
  classes: Int32Array,
  count: number,
  cases: Matrix,
  { trees, tried, seed, onTree }: ForestOptions,
): Float64Array {
  if (training.rows === 0) throw new RangeError('there is no training row');
  const data = layOut(training, classes, count);
  const sum = new Float64Array(cases.rows * count);
  for (let tree = 0; tree < trees; tree++) {
    const random = randomSource(seed, `baseline/random-forest/${tree}`);
    const sample = Uint32Array.from({ length: training.rows }, () => random.below(training.rows));
    addVotes(growTree(data, sample, tried, random), cases, sum);
    onTree?.(tree + 1);
  }
  return sum.map((total) => Math.min(1, total / trees));
}
