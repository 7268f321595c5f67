// Logistic regression, solved to the optimum.
import type { Matrix, SparseMatrix } from './features.ts';
import { minimize } from './minimize.ts';

export type LinearRows = Matrix | SparseMatrix;

export interface LogisticModel {
  /** Classes with their own score: one for two classes (the second), else all classes. */
  readonly scores: number;
  /** For each score its coefficients and then its intercept. */
  readonly weights: Float64Array;
  readonly iterations: number;
  readonly gradientNorm: number;
  readonly isConverged: boolean;
}

export interface LogisticOptions {
  /** Inverse of the strength of the penalty, as scikit-learn's C. */
  readonly inversePenalty: number;
  readonly onIteration?: (() => void) | undefined;
}

/** The penalty makes the function strongly convex: at this norm of the gradient no coefficient is off by more than about this. */
export const gradientTolerance = 1e-6;
export const mostIterations = 5000;

/** The score of a row by the coefficients from `offset` on and the intercept after them. */
function scoreOf(matrix: LinearRows, row: number, weights: Float64Array, offset: number): number {
  const { values, width } = matrix;
  let sum = weights[offset + width] ?? 0;
  if ('starts' in matrix) {
    const { columns, starts } = matrix;
    const end = starts[row + 1] ?? 0;
    for (let k = starts[row] ?? 0; k < end; k++) sum += (weights[offset + (columns[k] ?? 0)] ?? 0) * (values[k] ?? 0);
  } else {
    for (let column = 0; column < width; column++) sum += (weights[offset + column] ?? 0) * (values[row * width + column] ?? 0);
  }
  return sum;
}

/** Adds `factor` times the entries of a row to `into` from `offset` on. */
function addRow(matrix: LinearRows, row: number, factor: number, into: Float64Array, offset: number): void {
  const { values, width } = matrix;
  if ('starts' in matrix) {
    const { columns, starts } = matrix;
    const end = starts[row + 1] ?? 0;
    for (let k = starts[row] ?? 0; k < end; k++) {
      const at = offset + (columns[k] ?? 0);
      into[at] = (into[at] ?? 0) + factor * (values[k] ?? 0);
    }
  } else {
    for (let column = 0; column < width; column++) {
      into[offset + column] = (into[offset + column] ?? 0) + factor * (values[row * width + column] ?? 0);
    }
  }
}

/** Writes the scores of a row into `into`: with two classes the first one's is 0. */
function scoreRow(matrix: LinearRows, row: number, weights: Float64Array, scores: number, into: Float64Array): void {
  const first = scores === 1 ? 1 : 0;
  into[0] = 0;
  for (let score = 0; score < scores; score++) {
    into[score + first] = scoreOf(matrix, row, weights, score * (matrix.width + 1));
  }
}

/** Turns scores into probabilities in place and returns the logarithm of the sum of their exponentials. */
export function softmax(scores: Float64Array): number {
  const most = scores.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  let sum = 0;
  for (let index = 0; index < scores.length; index++) {
    scores[index] = Math.exp((scores[index] ?? 0) - most);
    sum += scores[index] ?? 0;
  }
  for (let index = 0; index < scores.length; index++) scores[index] = (scores[index] ?? 0) / sum;
  return most + Math.log(sum);
}

/**
 * Logistic regression with an L2 penalty on the coefficients and none on the intercepts: the minimum of
 *   sum over rows of -log P(class of the row) + |coefficients|² / (2 C)
 * which is scikit-learn's `LogisticRegression(C=C)`. Two classes have one score (the log odds of the second), more have a
 * score each (multinomial).
 *
 * Source: C. M. Bishop, Pattern Recognition and Machine Learning (2006), sections 4.3.2 and 4.3.4.
 * @param classes class of each row, 0 to `count` - 1; each class has a row at least
 */
export function fitLogisticRegression(
  matrix: LinearRows,
  classes: Int32Array,
  count: number,
  { inversePenalty, onIteration }: LogisticOptions,
): LogisticModel {
  if (count < 2) throw new RangeError(`a classifier needs two classes, not ${count}`);
  const { rows, width } = matrix;
  const scores = count === 2 ? 1 : count;
  const first = scores === 1 ? 1 : 0;
  const probabilities = new Float64Array(count);

  const loss = (weights: Float64Array, gradient: Float64Array): number => {
    gradient.fill(0);
    let total = 0;
    for (let row = 0; row < rows; row++) {
      scoreRow(matrix, row, weights, scores, probabilities);
      const own = classes[row] ?? 0;
      const ownScore = probabilities[own] ?? 0;
      total += softmax(probabilities) - ownScore;
      for (let score = 0; score < scores; score++) {
        const residual = (probabilities[score + first] ?? 0) - (own === score + first ? 1 : 0);
        const offset = score * (width + 1);
        addRow(matrix, row, residual, gradient, offset);
        gradient[offset + width] = (gradient[offset + width] ?? 0) + residual;
      }
    }
    for (let index = 0; index < weights.length; index++) {
      if (index % (width + 1) === width) continue;
      const weight = weights[index] ?? 0;
      total += weight ** 2 / (2 * inversePenalty);
      gradient[index] = (gradient[index] ?? 0) + weight / inversePenalty;
    }
    return total;
  };

  const start = new Float64Array(scores * (width + 1));
  const minimum = minimize(loss, start, { tolerance: gradientTolerance, iterations: mostIterations, onIteration });
  const { point, gradientNorm, iterations, isReached } = minimum;
  return { scores, weights: point, iterations, gradientNorm, isConverged: isReached };
}

/** P(class) of each row: `count` numbers a row, one after the other, each 0-1. */
export function logisticProbabilities({ scores, weights }: LogisticModel, matrix: LinearRows): Float64Array {
  const count = scores === 1 ? 2 : scores;
  const result = new Float64Array(matrix.rows * count);
  for (let row = 0; row < matrix.rows; row++) {
    const own = result.subarray(row * count, (row + 1) * count);
    scoreRow(matrix, row, weights, scores, own);
    softmax(own);
  }
  return result;
}
