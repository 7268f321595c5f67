import { type Scale, written } from '../../../core/figures/measureScale.ts';
import { outcomeText } from '../../../core/figures/outcomeText.ts';
import { percent } from '../../../core/figures/shares.ts';
import { accuracyWhenSureName, sureLevels } from '../../../core/statistics/riskCoverage.ts';
import { failureOutcomes } from '../../../shared/domain.ts';
import type { Measure } from '../../../shared/statistics.ts';

export type Estimate = Pick<
  Measure,
  'value' | 'low' | 'high' | 'level' | 'interval_method' | 'resamples' | 'undefined_resamples' | 'why_null' | 'caution'
>;

export function intervalText({ low, high }: Pick<Estimate, 'low' | 'high'>, scale: Scale): string | null {
  return low === null || high === null ? null : `${written(low, scale)} to ${written(high, scale)}`;
}

const methods = {
  wilson: 'Wilson interval',
  bca: 'BCa bootstrap interval over',
  percentile: 'bootstrap percentiles',
  sandwich: 'interval with standard errors over',
} as const;

/** How the interval came about, or why there is none. @param over what was drawn again */
export function methodText(
  { interval_method, level, resamples, undefined_resamples, why_null, caution }: Estimate,
  over = 'cases',
): string {
  const drawn = resamples === null ? '' : `, ${resamples.toLocaleString('en-GB')} resamples`;
  const undefinedOnes = undefined_resamples ? `, undefined in ${undefined_resamples.toLocaleString('en-GB')}` : '';
  const name = interval_method === null ? null : methods[interval_method].replace(/ over$/, ` over ${over}`);
  const method = name === null ? null : `${percent(level)} ${name}${drawn}${undefinedOnes}`;
  return [method, why_null, caution ?? null].filter((part) => part !== null).join('; ');
}

export type MeasureGroup = 'labels' | 'beliefs' | 'calibration' | 'declining' | 'deliberation' | 'ends';

/** In the order of their rows. */
const known: Readonly<Record<string, readonly [MeasureGroup, string]>> = {
  completed_if_shuffled: ['labels', 'Right completions if rows were shuffled'],
  completed_beyond_shuffled: ['labels', 'Right completions beyond those of shuffled rows (0: none)'],
  precision: ['labels', 'Precision'],
  recall: ['labels', 'Recall'],
  f1: ['labels', 'F1'],
  macro_f1: ['labels', 'Macro-F1'],
  micro_f1: ['labels', 'Micro-F1'],
  samples_f1: ['labels', 'F1 of a case'],
  balanced_accuracy: ['labels', 'Balanced accuracy'],
  matthews_correlation: ['labels', 'Matthews correlation'],
  cohen_kappa: ['labels', "Cohen's kappa"],
  brier: ['beliefs', 'Brier score (0 is best)'],
  brier_skill: ['beliefs', 'Brier skill (1 is best; 0: no better than the base rate for everybody)'],
  log_loss: ['beliefs', 'Log loss (0 is best)'],
  expected_calibration_error: ['beliefs', 'Expected calibration error (0 is best)'],
  debiased_calibration_error: ['beliefs', 'Debiased calibration error, root mean square (less what chance adds on average)'],
  miscalibration: ['beliefs', 'Miscalibration, without bins (0 is best)'],
  area_under_curve: ['beliefs', 'Area under the curve (1 is best; 0.5 is chance)'],
  accuracy_at_1: ['beliefs', 'True label is the likeliest'],
  accuracy_at_3: ['beliefs', 'True label among the three likeliest'],
  mean_reciprocal_rank: ['beliefs', 'Mean reciprocal rank'],
  confidence_correctness_pearson: ['beliefs', 'Confidence with correctness, Pearson'],
  confidence_correctness_spearman: ['beliefs', 'Confidence with correctness, Spearman'],
  mean_probability: ['calibration', 'Probability stated on average'],
  observed_share: ['calibration', 'How often it was the label'],
  probability_excess: ['calibration', 'The first less the second, points (0 is best; above 0: too high)'],
  calibration_slope: ['calibration', 'Slope (1 is best; below 1: too extreme)'],
  calibration_intercept: ['calibration', 'Intercept with the slope (0 is best)'],
  calibration_in_the_large: ['calibration', 'Intercept alone (0 is best; below 0: too high on the whole)'],
  brier_binned: ['calibration', 'Brier score of the bins'],
  brier_reliability: ['calibration', 'Reliability, a part of it (0 is best)'],
  brier_resolution: ['calibration', 'Resolution, subtracted (more is better)'],
  brier_uncertainty: ['calibration', 'Uncertainty of the cases, added'],
  certain_belief: ['calibration', 'Beliefs of 0 or 1'],
  area_under_risk_coverage: ['declining', 'Area under risk and coverage (0 is best)'],
  excess_area_under_risk_coverage: ['declining', 'Area above that of the best order (0 is best)'],
  accuracy_at_coverage_50: ['declining', 'Right among the surest 50%'],
  accuracy_at_coverage_80: ['declining', 'Right among the surest 80%'],
  accuracy_at_coverage_90: ['declining', 'Right among the surest 90%'],
  accuracy_at_coverage_95: ['declining', 'Right among the surest 95%'],
  ...Object.fromEntries(
    sureLevels.map((level) => [
      accuracyWhenSureName(level),
      ['declining', `Right where at least ${percent(level)} sure`] as const,
    ]),
  ),
  accuracy_when_sure: ['declining', 'Right where at least 90% sure, or where surest'],
  conformal_coverage: ['declining', 'Sets that hold the true label'],
  conformal_set_size: ['declining', 'Labels in a set'],
  conformal_one_label: ['declining', 'Sets of one label'],
  conformal_empty: ['declining', 'Empty sets'],
  conformal_all_labels: ['declining', 'Sets of all labels'],
  initial_accuracy: ['deliberation', 'Accuracy of the first answers'],
  verdict_accuracy: ['deliberation', 'Accuracy of their verdicts'],
  accuracy_change: ['deliberation', 'Accuracy of these verdicts less that of the first answers'],
  corrections: ['deliberation', 'Corrections, of all'],
  corrections_of_wrong: ['deliberation', 'Corrections, of those that began wrong'],
  degradations: ['deliberation', 'Degradations, of all'],
  degradations_of_right: ['deliberation', 'Degradations, of those that began right'],
  flipped: ['deliberation', 'Trials in which the leading label changed'],
  flips: ['deliberation', 'Changes of the leading label a trial'],
  answer_flipped: ['deliberation', 'Trials in which the stated answer changed'],
  answer_flips: ['deliberation', 'Changes of the stated answer a trial'],
  belief_change: ['deliberation', 'Change of belief a speech, its size'],
  persuasion: ['deliberation', 'Change towards the own side a speech'],
  failed: ['ends', 'Failed'],
  incomplete: ['ends', 'Incomplete'],
  inconsistent: ['ends', 'Inconsistent'],
};

const failure = 'failed_';

/** Names of the measures that belong together, in the order of their rows. */
export const measuresOf = (group: MeasureGroup): string[] =>
  Object.entries(known).flatMap(([name, [of]]) => {
    if (of !== group) return [];
    return name === 'failed' ? [name, ...failureOutcomes.map((kind) => `${failure}${kind}`)] : [name];
  });

export function measureText({ name, label, side, turn }: Pick<Measure, 'name' | 'label' | 'side' | 'turn'>): string {
  const what = name.startsWith(failure) ? `Failed: ${outcomeText(name.slice(failure.length))}` : (known[name]?.[1] ?? name);
  const about = [label, side, turn].filter((part) => part !== null);
  return about.length === 0 ? what : `${what}: ${about.join(', ')}`;
}
