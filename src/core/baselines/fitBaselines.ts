// Fits all baselines of an experiment on its training cases.

import type { DatasetCase } from '../../shared/domain.ts';
import { type Baseline, type BaselineName, type Baselines, baselineNames, type MissingBaseline } from './baseline.ts';
import { fewestInLeaf, mostLeaves } from './boostedTree.ts';
import { type Encoding, learnEncoding, type Matrix } from './features.ts';
import { majorityClass, stratifiedRandom } from './frequencyBaselines.ts';
import { boostedProbabilities, learningRate, mostWithoutStopping } from './gradientBoosting.ts';
import { type BaselineTask, type LabelledCase, type Lessons, lessons, missing, mostNumbers, predictionsOf } from './learning.ts';
import { fittedLogistic } from './logisticRegression.ts';
import { columnsTried, forestProbabilities } from './randomForest.ts';
import { learnTerms } from './terms.ts';

// The baseline that learns from the words of texts.

const textNames = ['tfidf-logistic-regression'] as const satisfies readonly BaselineName[];
/** Characters of the training texts that are read; a seeded choice of cases where there are more. */
const mostCharacters = 30_000_000;
const mostTerms = 20_000;
/** Terms times labels: with many labels fewer terms are used. */
const mostWeights = 1_000_000;

const charactersOf = ({ facts }: LabelledCase) => facts.reduce((sum, { value }) => sum + value.length, 0);

/** Logistic regression over the TF-IDF weights of words and pairs of words, or why there is none. */
function textBaselines(task: BaselineTask, training: readonly LabelledCase[]): (Baseline | MissingBaseline)[] {
  if (task.kind === 'tabular')
    return missing(
      textNames,
      'it is for cases that are texts, and no baseline reads the words of a long text in a column of a table',
    );
  const known = lessons(task, training, charactersOf, mostCharacters);
  if (typeof known === 'string') return missing(textNames, known);
  const terms = learnTerms(known.used, Math.min(mostTerms, Math.floor(mostWeights / known.present.length)));
  if (terms.width === 0) return missing(textNames, 'no word is in two training cases');
  const rows = { training: terms.encode(known.used), cases: terms.encode(task.onTrial) };
  const about = { ...known.about, columns: terms.parts };
  return [
    fittedLogistic(textNames[0], task, { ...known, about }, rows, { weights: 'tf-idf', terms: terms.width, longestTerm: 2 }),
  ];
}

function whyNone({ kind, labels, training }: BaselineTask, known: number, onTrial: number): string | null {
  if (kind === 'open' || labels.length === 0) return 'open cases have no labels';
  if (training.length === 0) return 'the training split is empty: "split" gives "train" no cases';
  if (known > 0) return null;
  return onTrial > 0
    ? 'every labelled case of the training split is on trial itself'
    : 'no case of the training split has a label';
}

/** Fits an experiment's baselines on its training split. The same task gives the same result. @throws what `onProgress` throws */
export function fitBaselines(task: BaselineTask): Baselines {
  const { labels, onTrial, seed } = task;
  const tried = new Set(onTrial.map(({ id }) => id));
  const free = task.training.filter(({ id }) => !tried.has(id));
  const usable = free.filter((kase): kase is LabelledCase => kase.truth !== null);
  const why = whyNone(task, usable.length, task.training.length - free.length);
  if (why !== null) return { baselines: [], missing: missing(baselineNames, why) };
  const fitted = [
    majorityClass(usable, onTrial, labels),
    stratifiedRandom(usable, onTrial, labels, seed),
    ...tableBaselines(task, usable),
    ...textBaselines(task, usable),
  ];
  task.onProgress?.(1);
  return {
    baselines: fitted.flatMap((each) => ('why' in each ? [] : [each])),
    missing: fitted.flatMap((each) => ('why' in each ? [each] : [])),
  };
}

const tableNames = ['logistic-regression', 'random-forest', 'gradient-boosting'] as const satisfies readonly BaselineName[];
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
function tableBaselines(task: BaselineTask, training: readonly LabelledCase[]): (Baseline | MissingBaseline)[] {
  if (task.kind !== 'tabular') return missing(tableNames, 'only the cases of a table have columns to learn from');
  const learned = lessons(task, training);
  if (typeof learned === 'string') return missing(tableNames, learned);
  const encoding = learnEncoding(learned.used);
  const { columns, dropped, width } = encoding;
  if (width === 0) return missing(tableNames, 'no column of the training cases tells them apart');
  if (width * Math.max(learned.used.length, task.onTrial.length) > mostNumbers)
    return missing(tableNames, `${width} encoded columns are too many for this many cases; exclude some columns`);
  const known: Lessons = { ...learned, about: { ...learned.about, columns, dropped } };
  const rows = { training: encoding.encode(known.used), cases: encoding.encode(task.onTrial) };
  const logistic = fittedLogistic('logistic-regression', task, known, rows, { encodedColumns: width });
  task.onProgress?.(logisticEnd);
  return [logistic, forest(task, known, rows), boosting(task, known, encoding)];
}
