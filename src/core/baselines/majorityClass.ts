import type { Baseline } from './baseline.ts';
import { countAnswers, type Labelled, labelShares } from './training.ts';

/**
 * Says of every case what most training cases are: what a system reaches that looks at no case. Of equally frequent
 * labels the first in their order. Where cases can have several labels, the most frequent set of labels. Its belief
 * is the share of each label in the training split (scikit-learn's `DummyClassifier(strategy="prior")`), so that
 * measures of calibration are those of the best constant belief; of several labels each has its share by itself, whether
 * or not the set has it.
 * Example: training labels NO, NO, YES: predicts NO with {NO: 2/3, YES: 1/3}.
 */
export function majorityClass(
  training: readonly Labelled[],
  cases: readonly { readonly id: string }[],
  labels: readonly string[],
): Baseline {
  const answers = countAnswers(training, labels);
  const [first, ...others] = answers;
  if (first === undefined) throw new RangeError('there is no training case');
  const most = others.reduce((best, answer) => (answer.count > best.count ? answer : best), first);
  const belief = labelShares(answers, labels);
  return {
    name: 'majority',
    predictions: cases.map(({ id }) => ({ case: id, prediction: most.truth, belief })),
    about: {
      trained_on: training.length,
      columns: [],
      dropped: [],
      library: 'Assize',
      seed: null,
      parameters: { count: most.count },
      notes: [],
    },
  };
}
