// The baselines that learn from the columns of a table.
import type { DatasetCase } from '../../shared/domain.ts';
import type { Baseline, BaselineName, MissingBaseline } from './baseline.ts';
import { fewestInLeaf, mostLeaves } from './boostedTree.ts';
import { type Encoding, learnEncoding, type Matrix } from './features.ts';
import { boostedProbabilities, learningRate, mostWithoutStopping } from './gradientBoosting.ts';
import { type BaselineTask, type LabelledCase, type Lessons, lessons, missing, mostNumbers, predictionsOf } from './learning.ts';
import { fittedLogistic } from './logisticRegression.ts';
import { columnsTried, forestProbabilities } from './randomForest.ts';

const names = ['logistic-regression', 'random-forest', 'gradient-boosting'] as const satisfies readonly BaselineName[];
const trees = 200;
/** Training cases times labels that are boosted: each round has a tree for every label. */
const mostBoosted = 400_000;
/** Shares of the time after which the linear model and then the forest are fitted, roughly. */
const logisticEnd = 0.15;
const forestEnd = 0.95;

function forest(
  task: BaselineTask,
  { about, present, classes }: Lessons,
  { training, cases }: { training: Matrix; cases: Matrix },
): Baseline {
  const tried = columnsTried(training.width);
  const votes = forestProbabilities(training, classes, present.length, cases, {
    trees,
    tried,
    seed: task.seed,
    onTree: (grown) => task.onProgress?.(forestEnd - (forestEnd - logisticEnd) * (1 - grown / trees)),
  });
  return {
    name: 'random-forest',
    predictions: predictionsOf(task, { present }, votes),
    about: {
      ...about,
      seed: task.seed,
      parameters: { trees, columnsTried: tried, encodedColumns: training.width, criterion: 'gini', fewestInLeaf: 1 },
    },
  };
}

function boosting(
  task: BaselineTask,
  { about, present, classes, used }: Lessons,
  encoding: Encoding,
): Baseline | MissingBaseline {
  const name = 'gradient-boosting';
  if (used.length * present.length > mostBoosted)
    return {
      name,
      why: `a tree for each of ${present.length} labels in every round is too much for ${used.length} training cases`,
    };
  const rowsOf = (cases: readonly DatasetCase[]) => encoding.encode(cases, Number.NaN);
  const { probabilities, rounds, heldOut } = boostedProbabilities(rowsOf(used), classes, present.length, rowsOf(task.onTrial), {
    seed: task.seed,
    onRound: () => task.onProgress?.(forestEnd),
  });
  return {
    name,
    predictions: predictionsOf(task, { present }, probabilities),
    about: {
      ...about,
      seed: used.length > mostWithoutStopping ? task.seed : about.seed,
      parameters: { learningRate, rounds, heldOut, mostLeaves, fewestInLeaf, encodedColumns: encoding.width },
    },
  };
}

/** Logistic regression, random forest and gradient boosting, each or why there is none. */
export function tableBaselines(task: BaselineTask, training: readonly LabelledCase[]): (Baseline | MissingBaseline)[] {
  if (task.kind !== 'tabular') return missing(names, 'only the cases of a table have columns to learn from');
  const learned = lessons(task, training);
  if (typeof learned === 'string') return missing(names, learned);
  const encoding = learnEncoding(learned.used);
  const { columns, dropped, width } = encoding;
  if (width === 0) return missing(names, 'no column of the training cases tells them apart');
  if (width * Math.max(learned.used.length, task.onTrial.length) > mostNumbers)
    return missing(names, `${width} encoded columns are too many for this many cases; exclude some columns`);
  const known: Lessons = { ...learned, about: { ...learned.about, columns, dropped } };
  const rows = { training: encoding.encode(known.used), cases: encoding.encode(task.onTrial) };
  const logistic = fittedLogistic('logistic-regression', task, known, rows, { encodedColumns: width });
  task.onProgress?.(logisticEnd);
  return [logistic, forest(task, known, rows), boosting(task, known, encoding)];
}
