// The report of trials that were chosen by their true label, without what this choice decides.
import type { ArmStatistics, StatsReport } from '../../../shared/outputs.ts';
import type { Measure } from '../../../shared/statistics.ts';
import { accuracyAtName, accuracyWhenSureName, coverages, sureLevels } from '../riskCoverage.ts';
import { missingEstimate } from './estimates.ts';

/** What depends on how often each label is the true one. */
const decided = new Set([
  ...['precision', 'f1', 'macro_f1', 'micro_f1', 'samples_f1', 'weighted_positive_predictive_value'],
  ...['demographic_parity_difference', 'demographic_parity_ratio', 'balanced_accuracy', 'matthews_correlation', 'cohen_kappa'],
  ...['area_under_curve', 'confidence_correctness_pearson', 'confidence_correctness_spearman', 'brier_skill', 'brier_binned'],
  ...['brier_reliability', 'brier_resolution', 'brier_uncertainty', 'miscalibration', 'expected_calibration_error'],
  ...['debiased_calibration_error', 'calibration_in_the_large', 'calibration_intercept', 'calibration_slope'],
  ...['observed_share', 'probability_excess', 'overconfidence', 'area_under_risk_coverage', 'excess_area_under_risk_coverage'],
  ...['conformal_coverage', 'conformal_one_label', 'conformal_set_size', 'conformal_empty', 'conformal_all_labels'],
  ...['accuracy_when_sure', ...sureLevels.map(accuracyWhenSureName), ...coverages.map(accuracyAtName)],
]);

const why = 'the trials were chosen by their true label, on which this depends';

/** The measures of such trials that this choice does not decide. */
export const undecided = <Named extends { readonly name: string }>(some: readonly Named[]): Named[] =>
  some.filter(({ name }) => !decided.has(name));

const withoutDecided = <Measured extends { readonly measures: readonly Measure[] }>(some: readonly Measured[]): Measured[] =>
  some.map((each) => ({
    ...each,
    measures: each.measures.map((measure) => {
      if (!decided.has(measure.name)) return measure;
      const { p: _p, ...rest } = measure;
      return { ...rest, ...missingEstimate(measure.level, why) };
    }),
  }));

function armWithout({ label_reliability: _bins, declining: _curve, conformal: _sets, ...arm }: ArmStatistics): ArmStatistics {
  return {
    ...arm,
    ...{ precision: null, f1: null, macro_f1: null, reliability: [] },
    groups: withoutDecided(arm.groups),
    ...(arm.intersections === undefined ? {} : { intersections: withoutDecided(arm.intersections) }),
    ...(arm.fairness === undefined ? {} : { fairness: withoutDecided(arm.fairness) }),
  };
}

/**
 * How often such trials are right is a recall; their precision, calibration, agreement beyond chance and recorded labels say nothing of
 * other trials. Baselines are not among them: most predict by how often each label is the true one, as Dawid and Skene's estimate does.
 */
export function chosenByTruth<
  Report extends Pick<StatsReport, 'arms' | 'comparisons' | 'derived' | 'agreement' | 'recorded_labels'>,
>(report: Report): Report {
  const { recorded_labels: _labels, agreement: _agreement, ...rest } = report;
  const comparisons = report.comparisons.map(({ differences, ...pair }) => ({
    ...pair,
    differences: undecided(differences),
  }));
  const arms = withoutDecided(report.arms).map(armWithout);
  const derived = withoutDecided((report.derived ?? []).filter(({ method }) => method === 'majority'));
  return { ...rest, arms, comparisons, derived } as Report;
}
