// Which intervals hold the true value less often than they say, found by simulation.
import type { Measure } from '../../../shared/statistics.ts';

type Of = 'arm' | 'difference';
/** In percent of the simulated experiments, by measure. */
type Held = Readonly<Record<string, number>>;

/** What was simulated, and the measures whose 95% intervals missed the true value by more than 2 points: bench/coverage.ts. */
interface Design {
  readonly cases: number;
  readonly replicates: number;
  /** The numbers of cases of which it is said: above the first, up to the second. */
  readonly range: readonly [number, number];
  readonly held: Readonly<Record<Of, Held>>;
}

const designs: readonly Design[] = [
  {
    cases: 50,
    replicates: 1,
    range: [0, 100],
    held: {
      arm: { log_loss: 92.5, excess_area_under_risk_coverage: 90.8 },
      difference: { brier: 91.4, log_loss: 89.7 },
    },
  },
  {
    cases: 50,
    replicates: 3,
    range: [0, 100],
    held: {
      arm: {
        recall: 90.8,
        confidence_correctness_pearson: 90.8,
        confidence_correctness_spearman: 90.6,
        calibration_slope: 92.2,
        area_under_risk_coverage: 92.4,
        excess_area_under_risk_coverage: 91.2,
        true_positive_rate: 89.5,
        false_positive_rate: 92.2,
        failure_rate: 92.1,
      },
      difference: { accuracy: 92.3, macro_f1: 91.8, brier: 92.9, log_loss: 92.2 },
    },
  },
  {
    cases: 200,
    replicates: 1,
    range: [100, 500],
    held: {
      arm: { area_under_risk_coverage: 92.7, excess_area_under_risk_coverage: 92.3, accuracy_at_coverage_90: 92.9 },
      difference: { brier: 92.6, log_loss: 92.8, area_under_curve: 92.6 },
    },
  },
  {
    cases: 200,
    replicates: 3,
    range: [100, 500],
    held: { arm: { excess_area_under_risk_coverage: 91.7 }, difference: {} },
  },
  {
    cases: 1000,
    replicates: 1,
    range: [500, 2000],
    held: { arm: {}, difference: { log_loss: 92.8, area_under_curve: 91.6 } },
  },
  {
    cases: 1000,
    replicates: 3,
    range: [500, 2000],
    held: {
      arm: { macro_f1: 92, cohen_kappa: 92, accuracy_at_coverage_80: 90.8, conformal_set_size: 92 },
      difference: {},
    },
  },
];

/** The sentence beside an interval that is too narrow at this number of cases; nothing where it is not known to be. */
export function cautionOf(
  of: Of,
  { name, n, cases, low }: Pick<Measure, 'name' | 'n' | 'cases' | 'low'>,
): Pick<Measure, 'caution'> {
  const design = designs.find(
    ({ replicates, range: [above, upTo] }) => cases > above && cases <= upTo && replicates > 1 === n > cases,
  );
  const percent = design?.held[of][name];
  if (low === null || design === undefined || percent === undefined) return {};
  const simulated = `${design.cases} cases${design.replicates > 1 ? `, each tried ${design.replicates} times` : ''}`;
  return {
    caution: `too narrow over so few cases: in simulations of ${simulated}, 95% intervals held the true value in ${percent}%`,
  };
}
