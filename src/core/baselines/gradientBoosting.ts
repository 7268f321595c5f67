// Gradient boosting of classification trees.
import { randomSource, shuffled } from '../cases/shuffle.ts';
import { type BinnedRows, binned, learnBins } from './binning.ts';
import { addBoosts, growBoostedTree, layOutBins } from './boostedTree.ts';
import type { Matrix } from './features.ts';
import { softmax } from './logisticRegression.ts';

export const learningRate = 0.1;
export const mostRounds = 100;
/** With more training rows than this some are held out, to stop when they get no better. */
export const mostWithoutStopping = 10_000;
const heldOutShare = 0.1;
/** Rounds without a better loss of the rows held out, by this much, after which it stops. */
const patience = 10;
const leastImprovement = 1e-7;

function rowsOf({ values, width }: Matrix, rows: readonly number[]): Matrix {
  const own = new Float64Array(rows.length * width);
  rows.forEach((row, index) => {
    own.set(values.subarray(row * width, (row + 1) * width), index * width);
  });
  return { values: own, rows: rows.length, width };
}

/** A tenth of the rows of each class, drawn by the seed, and the others; none of few rows. */
function heldOut(classes: Int32Array, count: number, seed: number): { fitted: number[]; held: number[] } {
  const rows = [...classes.keys()];
  if (rows.length <= mostWithoutStopping) return { fitted: rows, held: [] };
  const order = shuffled(rows, randomSource(seed, 'baseline/gradient-boosting'));
  const isHeld = new Uint8Array(rows.length);
  for (let kind = 0; kind < count; kind++) {
    const own = order.filter((row) => classes[row] === kind);
    for (const row of own.slice(0, Math.round(own.length * heldOutShare))) isHeld[row] = 1;
  }
  return { fitted: rows.filter((row) => isHeld[row] === 0), held: rows.filter((row) => isHeld[row] === 1) };
}

interface Scored {
  readonly rows: BinnedRows;
  /** `stride` numbers a row. */
  readonly scores: Float64Array;
}

/** P(class) of a row by its scores, into `probabilities`; with two classes the first one's score is 0. */
function probabilitiesOf({ scores }: Scored, row: number, stride: number, probabilities: Float64Array): void {
  const first = probabilities.length - stride;
  probabilities[0] = 0;
  for (let score = 0; score < stride; score++) probabilities[score + first] = scores[row * stride + score] ?? 0;
  softmax(probabilities);
}

function isStuck(losses: readonly number[]): boolean {
  const before = losses.at(-patience - 1);
  return before !== undefined && losses.slice(-patience).every((loss) => loss >= before - leastImprovement);
}

/**
 * Gradient boosting by the logistic loss (two classes: one score, the log odds of the second) or the multinomial one (a score
 * each): 100 rounds at a learning rate of 0.1, in each a tree for every score. With more than 10,000 rows a tenth of each class
 * is held out, and the rounds end when the loss of these gets no better.
 *
 * This is scikit-learn's `HistGradientBoostingClassifier` with its defaults, but for the draw of the rows held out.
 *
 * Source: J. H. Friedman, Greedy function approximation: a gradient boosting machine, Annals of Statistics 29 (2001),
 * 1189-1232, with second derivatives as in `growBoostedTree`.
 * @param training rows with NaN where a value is missing
 * @param classes class of each training row, 0 to `count` - 1; each class has a row at least
 * @param onRound gets the number of rounds done; may throw to give up
 */
export function boostedProbabilities(
  training: Matrix,
  classes: Int32Array,
  count: number,
  cases: Matrix,
  { seed, onRound }: { readonly seed: number; readonly onRound?: ((done: number) => void) | undefined },
) {
  if (count < 2) throw new RangeError(`a classifier needs two classes, not ${count}`);
  const { fitted, held } = heldOut(classes, count, seed);
  const stride = count === 2 ? 1 : count;
  const first = count - stride;
  const fittedRows = held.length === 0 ? training : rowsOf(training, fitted);
  const limits = learnBins(fittedRows);
  const shares = new Float64Array(count);
  for (const row of fitted) shares[classes[row] ?? 0] = (shares[classes[row] ?? 0] ?? 0) + 1 / fitted.length;
  const logarithms = shares.map(Math.log);
  const base = (score: number) => (logarithms[score + first] ?? 0) - (stride === 1 ? (logarithms[0] ?? 0) : 0);
  const scored = (matrix: Matrix): Scored => ({
    rows: binned(matrix, limits),
    scores: Float64Array.from({ length: matrix.rows * stride }, (_, index) => base(index % stride)),
  });
  const own = scored(fittedRows);
  const watched = scored(rowsOf(training, held));
  const result = scored(cases);
  const data = layOutBins(own.rows, limits);
  const row = new Float64Array(count);
  const gradients = new Float32Array(fitted.length * stride);
  const hessians = new Float32Array(fitted.length * stride);
  const differentiate = () => {
    for (let index = 0; index < fitted.length; index++) {
      probabilitiesOf(own, index, stride, row);
      for (let score = 0; score < stride; score++) {
        const share = row[score + first] ?? 0;
        const at = score * fitted.length + index;
        gradients[at] = share - (classes[fitted[index] ?? 0] === score + first ? 1 : 0);
        hessians[at] = share * (1 - share);
      }
    }
  };
  const watchedLoss = () =>
    held.reduce((sum, from, index) => {
      probabilitiesOf(watched, index, stride, row);
      return sum - Math.log(row[classes[from] ?? 0] ?? 0) / held.length;
    }, 0);
  const losses = held.length === 0 ? [] : [watchedLoss()];
  let rounds = 0;
  while (rounds < mostRounds && !isStuck(losses)) {
    differentiate();
    for (let score = 0; score < stride; score++) {
      const [from, to] = [score * fitted.length, (score + 1) * fitted.length];
      const tree = growBoostedTree(data, gradients.subarray(from, to), hessians.subarray(from, to), learningRate);
      for (const { rows, scores } of [own, watched, result]) addBoosts(tree, rows, limits, scores, stride, score);
    }
    if (held.length > 0) losses.push(watchedLoss());
    rounds += 1;
    onRound?.(rounds);
  }
  const probabilities = new Float64Array(cases.rows * count);
  for (let index = 0; index < cases.rows; index++) {
    probabilitiesOf(result, index, stride, probabilities.subarray(index * count, (index + 1) * count));
  }
  return {
    /** P(class) of each case: as many numbers a row as there are classes, each 0-1. */
    probabilities,
    /** Rounds made, each with a tree for every score. */
    rounds,
    heldOut: held.length,
  };
}
