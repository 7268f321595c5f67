// Fits all baselines of an experiment on its training cases.
import type { Belief, CaseKind, DatasetCase } from '../../shared/domain.ts';
import type { BaselineAbout } from '../../shared/statistics.ts';
import { randomSource, shuffled } from '../cases/shuffle.ts';
import { type Baseline, type BaselineName, type Baselines, baselineNames } from './baseline.ts';
import { learnEncoding, type Matrix } from './features.ts';
import { fitLogisticRegression, gradientTolerance, logisticProbabilities } from './logisticRegression.ts';
import { majorityClass } from './majorityClass.ts';
import { columnsTried, forestProbabilities } from './randomForest.ts';
import { stratifiedRandom } from './stratifiedRandom.ts';

export interface BaselineTask {
  readonly kind: CaseKind;
  /** Candidate labels in order; none for open cases. */
  readonly labels: readonly string[];
  readonly multiLabel: boolean;
  /** The cases of the training split. Those that are on trial are left out. */
  readonly training: readonly DatasetCase[];
  /** The cases on trial, in the order of the sample. Their truths are not looked at. */
  readonly onTrial: readonly DatasetCase[];
  /** The experiment's. */
  readonly seed: number;
  /** Told the share of the work that is done, 0-1; may throw to give up. */
  readonly onProgress?: ((share: number) => void) | undefined;
}

type LabelledCase = DatasetCase & { readonly truth: string | string[] };

const trees = 200;
const inversePenalty = 1;
/** Training cases that the learned baselines take; a seeded choice where there are more. */
export const mostLearned = 20_000;
/** Numbers in the encoded training cases: half a gigabyte for both learners together. */
const mostNumbers = 20_000_000;
/** Share of the time that the forest takes, roughly. */
const forestShare = 0.8;

/** The classes that the training cases have, in the order of the labels, and the class of each case. */
function classesOf(training: readonly LabelledCase[], labels: readonly string[]) {
  const seen = new Set(training.map(({ truth }) => truth));
  const present = labels.filter((label) => seen.has(label));
  const places = new Map(present.map((label, place) => [label, place]));
  const classes = Int32Array.from(training, ({ truth }) => places.get(typeof truth === 'string' ? truth : '') ?? 0);
  return { present, classes };
}

/** What a learner says of each case: the most likely label (the first of equals) and its distribution over all labels. */
function predictionsOf(
  cases: readonly DatasetCase[],
  labels: readonly string[],
  present: readonly string[],
  probabilities: Float64Array,
) {
  return cases.map(({ id }, row) => {
    const own = new Map(present.map((label, place) => [label, probabilities[row * present.length + place] ?? 0]));
    const belief: Belief = Object.fromEntries(labels.map((label) => [label, own.get(label) ?? 0]));
    const prediction = present.reduce((best, label) => ((own.get(label) ?? 0) > (own.get(best) ?? 0) ? label : best));
    return { case: id, prediction, belief };
  });
}

interface Encoded {
  readonly used: readonly LabelledCase[];
  readonly matrix: Matrix;
  readonly cases: Matrix;
  readonly about: Pick<BaselineAbout, 'columns' | 'dropped' | 'notes'>;
}

/** The training cases and those on trial as numbers, or why there is nothing to learn from. */
function encode({ onTrial, seed }: BaselineTask, training: readonly LabelledCase[]): Encoded | string {
  const used =
    training.length <= mostLearned ? training : shuffled(training, randomSource(seed, 'baseline/training')).slice(0, mostLearned);
  const notes = used === training ? [] : [`${used.length} of ${training.length} training cases, drawn by the seed, were used`];
  const encoding = learnEncoding(used);
  if (encoding.width === 0) return 'no column of the training cases tells them apart';
  const numbers = encoding.width * Math.max(used.length, onTrial.length);
  if (numbers > mostNumbers) return `${encoding.width} encoded columns are too many for this many cases; exclude some columns`;
  const { columns, dropped } = encoding;
  return { used, matrix: encoding.encode(used), cases: encoding.encode(onTrial), about: { columns, dropped, notes } };
}

/** Logistic regression and random forest, or why there are none. */
function learned(task: BaselineTask, training: readonly LabelledCase[]): Baseline[] | string {
  if (task.kind !== 'tabular') return 'only the cases of a table have columns to learn from';
  if (task.multiLabel) return 'it learns one label a case, and these cases can have several';
  const encoded = encode(task, training);
  if (typeof encoded === 'string') return encoded;
  const { used, matrix, cases } = encoded;
  const { columns, dropped, notes } = encoded.about;
  const { present, classes } = classesOf(used, task.labels);
  if (present.length < 2) return `every training case has the label ${JSON.stringify(present[0] ?? '')}`;
  const absent = task.labels.filter((label) => !present.includes(label));
  const about: BaselineAbout = {
    trained_on: used.length,
    columns,
    dropped,
    library: 'Assize',
    seed: null,
    parameters: {},
    notes:
      absent.length === 0 ? notes : [...notes, `no training case has ${absent.map((label) => JSON.stringify(label)).join(', ')}`],
  };
  const model = fitLogisticRegression(matrix, classes, present.length, {
    inversePenalty,
    onIteration: () => task.onProgress?.(0),
  });
  task.onProgress?.(1 - forestShare);
  const unfinished = `the fit ended before its minimum, at a gradient of ${model.gradientNorm.toExponential(1)}`;
  const tried = columnsTried(matrix.width);
  const votes = forestProbabilities(matrix, classes, present.length, cases, {
    trees,
    tried,
    seed: task.seed,
    onTree: (grown) => task.onProgress?.(1 - forestShare + (forestShare * grown) / trees),
  });
  return [
    {
      name: 'logistic-regression',
      predictions: predictionsOf(task.onTrial, task.labels, present, logisticProbabilities(model, cases)),
      about: {
        ...about,
        seed: used.length === training.length ? null : task.seed,
        parameters: {
          penalty: 'l2',
          C: inversePenalty,
          encodedColumns: matrix.width,
          iterations: model.iterations,
          tolerance: gradientTolerance,
        },
        notes: model.isConverged ? about.notes : [...about.notes, unfinished],
      },
    },
    {
      name: 'random-forest',
      predictions: predictionsOf(task.onTrial, task.labels, present, votes),
      about: {
        ...about,
        seed: task.seed,
        parameters: { trees, columnsTried: tried, encodedColumns: matrix.width, criterion: 'gini', fewestInLeaf: 1 },
      },
    },
  ];
}

const none = (names: readonly BaselineName[], why: string) => names.map((name) => ({ name, why }));

/** Why nothing can be learned from the training split at all, or null. */
function whyNone({ kind, labels, training }: BaselineTask, known: number, onTrial: number): string | null {
  if (kind === 'open' || labels.length === 0) return 'open cases have no labels';
  if (training.length === 0) return 'the training split is empty: "split" gives "train" no cases';
  if (known > 0) return null;
  return onTrial > 0
    ? 'every labelled case of the training split is on trial itself'
    : 'no case of the training split has a label';
}

/**
 * Fits every baseline that an experiment can have on its training split alone. The same task gives the same result.
 * @throws what `onProgress` throws
 */
export function fitBaselines(task: BaselineTask): Baselines {
  const { labels, onTrial, seed } = task;
  const tried = new Set(onTrial.map(({ id }) => id));
  const free = task.training.filter(({ id }) => !tried.has(id));
  const usable = free.filter((kase): kase is LabelledCase => kase.truth !== null);
  const training = {
    cases: task.training.length,
    unlabelled: free.length - usable.length,
    onTrial: task.training.length - free.length,
  };
  const why = whyNone(task, usable.length, training.onTrial);
  if (why !== null) return { baselines: [], missing: none(baselineNames, why), training };
  const simple = [majorityClass(usable, onTrial, labels), stratifiedRandom(usable, onTrial, labels, seed)];
  const more = learned(task, usable);
  task.onProgress?.(1);
  if (typeof more !== 'string') return { baselines: [...simple, ...more], missing: [], training };
  return { baselines: simple, missing: none(['logistic-regression', 'random-forest'], more), training };
}
