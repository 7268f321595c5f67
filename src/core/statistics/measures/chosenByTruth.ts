// The report of trials that were chosen by their true label, without what this choice decides.
import type { ArmStatistics, StatsReport } from '../../../shared/outputs.ts';
import type { Measure } from '../../../shared/statistics.ts';
import { missingEstimate } from './estimates.ts';

/** What depends on how often each label is the true one. */
const decided = new RegExp(
  `^(?:${[
    ...['precision', '.*f1', '(?:weighted_)?positive_predictive_value', 'negative_predictive_value', 'demographic_parity_.*'],
    ...['balanced_accuracy', 'matthews_correlation', 'cohen_kappa', 'area_under_curve', 'confidence_correctness_.*'],
    ...['brier_.*', '.*calibration.*', 'observed_share', 'probability_excess', '.*risk_coverage', 'accuracy_at_coverage_.*'],
    'conformal_.*',
  ].join('|')})$`,
);

const why = 'the trials were chosen by their true label, on which this depends';

const withoutDecided = <Measured extends { readonly measures: readonly Measure[] }>(some: readonly Measured[]): Measured[] =>
  some.map((each) => ({
    ...each,
    measures: each.measures.map((measure) => {
      if (!decided.test(measure.name)) return measure;
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
 * How often such trials are right is a recall; their precision, calibration and recorded labels say nothing of other trials. Baselines
 * are not among them: most predict by how often each label is the true one.
 */
export function chosenByTruth<Report extends Pick<StatsReport, 'arms' | 'comparisons' | 'derived' | 'recorded_labels'>>(
  report: Report,
): Report {
  const { recorded_labels: _labels, ...rest } = report;
  const comparisons = report.comparisons.map(({ differences, ...pair }) => ({
    ...pair,
    differences: differences.filter(({ name }) => !decided.test(name)),
  }));
  const arms = withoutDecided(report.arms).map(armWithout);
  return { ...rest, arms, comparisons, derived: withoutDecided(report.derived ?? []) } as Report;
}
