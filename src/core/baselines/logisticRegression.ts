// Logistic regression, solved to the optimum, and as a baseline of a table or of texts.
import type { Baseline, BaselineName } from './baseline.ts';
import type { Matrix, SparseMatrix } from './features.ts';
import { type BaselineTask, type Lessons, predictionsOf } from './learning.ts';
import { minimize } from './minimize.ts';

type LinearRows = Matrix | SparseMatrix;

/** Of the strength of the penalty: scikit-learn's C. */
export const inversePenalty = 1;
/** The penalty makes the function strongly convex: at this norm of the gradient no coefficient is off by more than about this. */
const gradientTolerance = 1e-6;
const mostIterations = 5000;

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
export function fitLogisticRegression(matrix: LinearRows, classes: Int32Array, count: number, onIteration?: () => void) {
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
  const limits = { tolerance: gradientTolerance, iterations: mostIterations, onIteration };
  const { point: weights, isReached: isConverged, ...rest } = minimize(loss, start, limits);
  /** `scores`: classes with their own, the second of two, else all. `weights`: for each score its coefficients and then its intercept. */
  return { scores, weights, isConverged, ...rest };
}

/** P(class) of each row: `count` numbers a row, one after the other, each 0-1. */
export function logisticProbabilities(
  { scores, weights }: ReturnType<typeof fitLogisticRegression>,
  matrix: LinearRows,
): Float64Array {
  const count = scores === 1 ? 2 : scores;
  const result = new Float64Array(matrix.rows * count);
  for (let row = 0; row < matrix.rows; row++) {
    const own = result.subarray(row * count, (row + 1) * count);
    scoreRow(matrix, row, weights, scores, own);
    softmax(own);
  }
  return result;
}

/** Fits it to rows of numbers. @param parameters what else to report of it */
export function fittedLogistic(
  name: BaselineName,
  task: BaselineTask,
  known: Lessons,
  { training, cases }: { training: LinearRows; cases: LinearRows },
  parameters: Baseline['about']['parameters'],
): Baseline {
  const { about, present, classes } = known;
  const model = fitLogisticRegression(training, classes, present.length, () => task.onProgress?.(0));
  const unfinished = `the fit ended before its minimum, at a gradient of ${model.gradientNorm.toExponential(1)}`;
  return {
    name,
    predictions: predictionsOf(task, known, logisticProbabilities(model, cases)),
    about: {
      ...about,
      parameters: { penalty: 'l2', C: inversePenalty, ...parameters, iterations: model.iterations, tolerance: gradientTolerance },
      notes: model.isConverged ? about.notes : [...about.notes, unfinished],
    },
  };
}
