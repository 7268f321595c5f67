// Logistic regression as a baseline, of a table or of texts.
import type { Baseline, BaselineName } from './baseline.ts';
import { type BaselineTask, type Lessons, predictionsOf } from './learning.ts';
import { fitLogisticRegression, gradientTolerance, type LinearRows, logisticProbabilities } from './logisticRegression.ts';

const inversePenalty = 1;

/** Fits it to rows of numbers. @param parameters what else to report of it */
export function fittedLogistic(
  name: BaselineName,
  task: BaselineTask,
  known: Lessons,
  { training, cases }: { training: LinearRows; cases: LinearRows },
  parameters: Baseline['about']['parameters'],
): Baseline {
  const { about, present, classes } = known;
  const model = fitLogisticRegression(training, classes, present.length, {
    inversePenalty,
    onIteration: () => task.onProgress?.(0),
  });
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
