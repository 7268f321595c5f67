import { randomSource } from '../cases/shuffle.ts';
import type { Baseline } from './baseline.ts';
import { countAnswers, type Labelled, labelShares } from './training.ts';

/**
 * Draws an answer for every case, each as often as in the training split: what guessing with the right frequencies
 * reaches (scikit-learn's `DummyClassifier(strategy="stratified")`). A case's draw depends on the seed and the case id
 * alone, so that a larger sample keeps the draws of a smaller one. Its belief is the distribution it draws from, with which
 * the accuracy that can be expected of such draws is exact; see `expectedAccuracy`.
 */
export function stratifiedRandom(
  training: readonly Labelled[],
  cases: readonly { readonly id: string }[],
  labels: readonly string[],
  seed: number,
): Baseline {
  const answers = countAnswers(training, labels);
  const belief = labelShares(answers, labels);
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
    about: { trained_on: training.length, columns: [], dropped: [], library: 'Assize', seed, parameters: {}, notes: [] },
  };
}
