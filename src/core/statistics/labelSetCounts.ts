import type { ClassCounts } from './confusion.ts';
import { equalWeights, requireWeights, type Weights } from './weights.ts';

/** One decided case of several labels: those that are true and those that were predicted; order and repeats say nothing. */
export interface LabelSetPair {
  readonly truth: readonly string[];
  readonly prediction: readonly string[];
}

/** The two label sets of one case, without repeats. Throws RangeError on a label that is not listed. */
export function labelSets(
  { truth, prediction }: LabelSetPair,
  labels: readonly string[],
): Record<'truth' | 'prediction', Set<string>> {
  const sets = { truth: new Set(truth), prediction: new Set(prediction) };
  const foreign = [...sets.truth, ...sets.prediction].find((label) => !labels.includes(label));
  if (foreign !== undefined) throw new RangeError(`"${foreign}" is not a listed label`);
  return sets;
}

/**
 * The four counts of every label over cases of several labels, each label a question of its own, in the order of
 * `labels`; scikit-learn's `multilabel_confusion_matrix`.
 *
 * Throws RangeError on labels that are not distinct, on a label that is not listed and on weights that do not fit.
 * Example: truth {A, B}, prediction {A, C} is a true positive of A, a false negative of B, a false positive of C.
 */
export function labelSetCounts(
  pairs: readonly LabelSetPair[],
  labels: readonly string[],
  weights: Weights = equalWeights(pairs.length),
): ClassCounts[] {
  if (new Set(labels).size !== labels.length) throw new RangeError('the labels are not distinct');
  requireWeights(weights, pairs.length);
  const counts = labels.map(() => ({ truePositives: 0, falsePositives: 0, trueNegatives: 0, falseNegatives: 0 }));
  pairs.forEach((pair, index) => {
    const { truth, prediction } = labelSets(pair, labels);
    labels.forEach((label, place) => {
      const name = prediction.has(label)
        ? truth.has(label)
          ? 'truePositives'
          : 'falsePositives'
        : truth.has(label)
          ? 'falseNegatives'
          : 'trueNegatives';
      const count = counts[place];
      if (count !== undefined) count[name] += weights[index] ?? 0;
    });
  });
  return counts;
}
