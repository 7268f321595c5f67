// Accuracy and error rates of the population that the cases were sampled from.
import { decidedRightly } from './accuracyMeasures.ts';
import { type PlannedMeasure, plannedShare } from './planned.ts';
import type { CasedTrials, MeasuredTrial } from './trials.ts';

/** A rate with what it is over: null leaves a trial out, true counts it as a hit. */
type Rate = readonly [name: string, over: PlannedMeasure['over'], fits: (trial: MeasuredTrial) => boolean | null];

function rates(positive: string): Rate[] {
  const selected = ({ outcome, prediction }: MeasuredTrial) => (outcome === 'decided' ? prediction === positive : null);
  const among =
    (isMeant: boolean) =>
    (trial: MeasuredTrial): boolean | null =>
      typeof trial.truth === 'string' && (trial.truth === positive) === isMeant ? selected(trial) : null;
  return [
    ['weighted_selection_rate', 'decided', selected],
    ['weighted_true_positive_rate', 'truly-positive', among(true)],
    ['weighted_false_positive_rate', 'truly-negative', among(false)],
    [
      'weighted_positive_predictive_value',
      'selected',
      (trial) => (selected(trial) === true && typeof trial.truth === 'string' ? trial.truth === positive : null),
    ],
  ];
}

/**
 * The same measures with each case counting its sampling weight w: sum of w over the hits / sum of w over the trials that count,
 * where a trial of a case with r finished trials counts w / r. That is scikit-learn's `sample_weight`, and the ratio (Hájek)
 * estimate of a survey: C.-E. Särndal, B. Swensson and J. Wretman, Model Assisted Survey Sampling, 1992, section 5.6. Only the
 * ratio of weights matters. Intervals resample cases with their weights, as if they had been drawn one by one: for a design with
 * clusters they are too narrow. Cases without a weight are left out; none where no case has one.
 *
 * Example: of weights 1, 1, 2 the last one is wrong: (1 + 1) / 4 = 0.5.
 */
export function weightedMeasures({ share: shares, ...all }: CasedTrials, positive: string | null): PlannedMeasure[] {
  const weights = all.trials.flatMap(({ weight }) => weight ?? []);
  if (weights.length === 0) return [];
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / weights.length;
  // Relative to their mean, since sums near 0 count as rounding.
  const weighted = { ...all, share: shares.map((each, index) => (each * (all.trials[index]?.weight ?? 0)) / mean) };
  const planned: Rate[] = [
    ['weighted_accuracy', 'all', (trial) => (trial.truth === null ? null : (decidedRightly(trial) ?? false))],
    ['weighted_accuracy', 'decided', decidedRightly],
    ...(positive === null ? [] : rates(positive)),
  ];
  return planned.map(([name, over, fits], place) => {
    const {
      byFormula: _,
      count: _count,
      ...share
    } = plannedShare(
      { name, over, ...(place < 2 ? {} : { label: positive }) },
      weighted,
      (trial) => (trial.weight === undefined ? null : fits(trial)),
      'no trial with a weight counts',
    );
    // A share of weights is no share of a number of trials.
    return { ...share, successes: null };
  });
}
