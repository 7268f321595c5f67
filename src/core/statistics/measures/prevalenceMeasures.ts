// What a verdict would be worth where the positive label is rarer or more frequent than among the cases on trial.
import { type PlannedMeasure, plannedSums } from './planned.ts';
import type { CasedTrials } from './trials.ts';

/**
 * Predictive values and accuracy at a stated prevalence p of the positive label, from the rates of the decided trials:
 *
 *   positive_predictive_value = TPR p / (TPR p + FPR (1 - p)), negative_predictive_value = TNR (1 - p) / (TNR (1 - p) + FNR p),
 *   accuracy = TPR p + TNR (1 - p)
 *
 * by Bayes' theorem: M. S. Pepe, The Statistical Evaluation of Medical Tests for Classification and Prediction, 2003, section 2.1.
 * They hold where only the share of positive cases differs, and positive and negative cases are each as here. Intervals resample
 * the cases; p is taken as known.
 *
 * Example: TPR = 0.8, FPR = 0.1, p = 0.01: the positive predictive value is 0.008 / (0.008 + 0.099) = 0.075.
 */
export function prevalenceMeasures(trials: CasedTrials, positive: string, prevalence: number): PlannedMeasure[] {
  const measure = (name: string, of: (tpr: number, fpr: number) => readonly [hits: number, whole: number]) =>
    plannedSums(
      { name, label: positive, over: 'decided' },
      trials,
      4,
      ({ outcome, truth, prediction }, add) => {
        if (outcome !== 'decided' || typeof truth !== 'string' || typeof prediction !== 'string') return false;
        add((truth === positive ? 0 : 2) + (prediction === positive ? 0 : 1));
        return true;
      },
      {
        none: 'no decided trial of a case with a known truth',
        measure(sums) {
          const [tp = 0, fn = 0, fp = 0, tn = 0] = Array.from(sums);
          if (tp + fn === 0 || fp + tn === 0) return null;
          const [hits, whole] = of(tp / (tp + fn), fp / (fp + tn));
          return whole === 0 ? null : hits / whole;
        },
      },
    );
  const [p, q] = [prevalence, 1 - prevalence];
  return [
    measure('positive_predictive_value', (tpr, fpr) => [tpr * p, tpr * p + fpr * q]),
    measure('negative_predictive_value', (tpr, fpr) => [(1 - fpr) * q, (1 - fpr) * q + (1 - tpr) * p]),
    measure('accuracy', (tpr, fpr) => [tpr * p + (1 - fpr) * q, 1]),
  ];
}
