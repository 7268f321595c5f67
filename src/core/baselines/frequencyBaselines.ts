// The baselines that look at no facts: they answer by how often each label is in the training split.

import type { Belief, DatasetCase } from '../../shared/domain.ts';
import { randomSource } from '../cases/shuffle.ts';
import { type Baseline, type BaselinePrediction, type Baselines, baselineNames } from './baseline.ts';
import { aboutOf, type LabelledCase, missing } from './learning.ts';

type Labelled = Readonly<Pick<LabelledCase, 'truth'>>;
type WithId = Pick<DatasetCase, 'id'>;

/** Lists of places by their first difference; a longer list comes after its own beginning. */
function byPlaces(a: readonly number[], b: readonly number[]): number {
  const place = a.findIndex((value, index) => value !== b[index]);
  return place < 0 ? a.length - b.length : (a[place] ?? 0) - (b[place] ?? Number.NEGATIVE_INFINITY);
}

/**
 * The different answers of the training split, in the order of the labels, a set of labels being one answer; and the share of
 * the cases that have each label, where cases can have several each by itself.
 */
function answersIn(training: readonly Labelled[], labels: readonly string[]) {
  const counts = new Map<string, { readonly places: number[]; readonly truth: string | string[]; count: number }>();
  for (const { truth } of training) {
    const places = [truth].flat().map((label) => labels.indexOf(label));
    const known = counts.get(places.join()) ?? { places, truth, count: 0 };
    known.count += 1;
    counts.set(places.join(), known);
  }
  const answers = [...counts.values()].sort((a, b) => byPlaces(a.places, b.places));
  const having = (label: string) =>
    answers.reduce((sum, { truth, count }) => sum + ([truth].flat().includes(label) ? count : 0), 0);
  const belief: Belief = Object.fromEntries(labels.map((label) => [label, having(label) / training.length]));
  return { answers, belief };
}

/**
 * Says of every case what most training cases are: what a system reaches that looks at no case. Of equally frequent
 * labels the first in their order. Where cases can have several labels, the most frequent set of labels. Its belief
 * is the share of each label in the training split (scikit-learn's `DummyClassifier(strategy="prior")`), so that
 * measures of calibration are those of the best constant belief; of several labels each has its share by itself, whether
 * or not the set has it.
 * Example: training labels NO, NO, YES: predicts NO with {NO: 2/3, YES: 1/3}.
 */
export function majorityClass(training: readonly Labelled[], cases: readonly WithId[], labels: readonly string[]): Baseline {
  const { answers, belief } = answersIn(training, labels);
  const [first, ...others] = answers;
  if (first === undefined) throw new RangeError('there is no training case');
  const most = others.reduce((best, answer) => (answer.count > best.count ? answer : best), first);
  return {
    name: 'majority',
    predictions: cases.map(({ id }) => ({ case: id, prediction: most.truth, belief })),
    about: { ...aboutOf(training.length, null), parameters: { count: most.count } },
  };
}

/**
 * Draws an answer for every case, each as often as in the training split: what guessing with the right frequencies
 * reaches (scikit-learn's `DummyClassifier(strategy="stratified")`). A case's draw depends on the seed and the case id
 * alone, so that a larger sample keeps the draws of a smaller one. Its belief is the distribution it draws from, with which
 * the accuracy that can be expected of such draws is exact; see `expectedAccuracy`.
 */
export function stratifiedRandom(
  training: readonly Labelled[],
  cases: readonly WithId[],
  labels: readonly string[],
  seed: number,
): Baseline {
  const { answers, belief } = answersIn(training, labels);
  const draw = (id: string) => {
    let place = randomSource(seed, `baseline/stratified-random/${id}`).below(training.length);
    for (const { truth, count } of answers) {
      if (place < count) return truth;
      place -= count;
    }
    throw new RangeError('there is no training case');
  };
  return {
    name: 'stratified-random',
    predictions: cases.map(({ id }) => ({ case: id, prediction: draw(id), belief })),
    about: aboutOf(training.length, seed),
  };
}

/** With what a reader should know of a baseline that knows the truths of the cases on trial. */
const filled = (baseline: Baseline): Baseline => ({
  ...baseline,
  about: {
    ...baseline.about,
    notes: [
      'fitted on the truths of the cases on trial themselves, since an experiment made from a file of predictions has no others: it knows how often each label is right here, and is therefore a little better than on other cases',
    ],
  },
});

/**
 * The baselines of cases without facts and without a training split: the majority and the draw by frequency, from the truths
 * of the cases on trial. Only for experiments that were made from a file of predictions.
 */
export function constantBaselines(onTrial: readonly DatasetCase[], labels: readonly string[], seed: number): Baselines {
  const [, , ...learned] = baselineNames;
  const known = onTrial.filter((kase): kase is LabelledCase => kase.truth !== null);
  const fitted =
    known.length === 0 ? [] : [majorityClass(known, onTrial, labels), stratifiedRandom(known, onTrial, labels, seed)].map(filled);
  const without = fitted.length === 0 ? missing(baselineNames.slice(0, 2), 'no case has a truth') : [];
  return {
    baselines: fitted,
    missing: [...without, ...missing(learned, 'no facts were imported to learn from')],
  };
}

/**
 * Accuracy to be expected of predictions drawn from the beliefs: the mean of P(truth) over the cases whose truth is
 * known, 0-1; null where there is none or a belief is missing.
 * Example: belief {NO: 0.7, YES: 0.3} throughout, truths NO, NO, YES: (0.7 + 0.7 + 0.3) / 3 = 0.5667.
 * @param truths case id -> its label
 */
export function expectedAccuracy(predictions: readonly BaselinePrediction[], truths: ReadonlyMap<string, string>): number | null {
  let sum = 0;
  let n = 0;
  for (const { case: id, belief } of predictions) {
    const truth = truths.get(id);
    if (truth === undefined) continue;
    if (belief === null) return null;
    sum += belief[truth] ?? 0;
    n += 1;
  }
  return n === 0 ? null : sum / n;
}
