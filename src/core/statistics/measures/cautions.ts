// Which intervals hold the true value less or more often than they say, found by simulation.
import type { Measure } from '../../../shared/statistics.ts';

/** Designs of bench/coverage.ts, in the order of the figures. Each speaks for up to so many cases, from where the one before ends. */
const designs = [
  { cases: 50, replicates: 1, upTo: 100 },
  { cases: 200, replicates: 1, upTo: 500 },
  { cases: 1000, replicates: 1, upTo: 2000 },
  { cases: 50, replicates: 3, upTo: 100 },
  { cases: 200, replicates: 3, upTo: 500 },
  { cases: 1000, replicates: 3, upTo: 2000 },
] as const;
const nominal = 95;
/** Points by which an interval may be off before it is said. */
const allowed = 2;

/** The same for effects of turns: 400 experiments of six speeches and one draw, by the cases on each side. `upTo`: those on both together. */
const turnDesigns = [
  { side: 33, upTo: 80, held: { turn_belief: 92.2, turn_verdict: 91 } },
  { side: 50, upTo: 150, held: { turn_belief: 95.2, turn_verdict: 91.8 } },
  { side: 100, upTo: 500, held: { turn_belief: 93.5, turn_verdict: 93 } },
] as const;

type Kind = 'arm' | 'group' | 'difference' | 'majority' | 'dawid-skene' | 'agreement';
type Percent = number | null;

/**
 * In how many of 100 simulated experiments the 95% interval held the true value, by design: the measures of docs/statistics.md
 * that are off somewhere. Where several share a name (labels, groups, decided and all) the one that is farthest off; null: hardly any
 * experiment has an interval.
 */
const held: Readonly<Record<Kind, Readonly<Record<string, readonly [Percent, Percent, Percent, Percent, Percent, Percent]>>>> = {
  arm: {
    recall: [97.5, 95.3, 94.9, 91.8, 94.4, 93.9],
    balanced_accuracy: [92, 94, 94.6, 93.3, 95.4, 94],
    matthews_correlation: [92.3, 94.5, 93.7, 93.4, 95.8, 93.8],
    brier: [94, 94.9, 94.1, 92.7, 95.7, 93.4],
    log_loss: [92.5, 94.4, 94.2, 91.8, 95.5, 94],
    confidence_correctness_pearson: [92.2, 94.6, 94.7, 93.2, 94.2, 94.1],
    confidence_correctness_spearman: [92.2, 95, 94.9, 92.2, 93.7, 93.8],
    calibration_slope: [94.2, 95.1, 95.1, 92.9, 94.3, 95.7],
    area_under_risk_coverage: [93.1, 94, 93.9, 92.2, 94.4, 93.1],
    excess_area_under_risk_coverage: [89.9, 93, 94.1, 91.2, 93.7, 92.9],
    accuracy_at_coverage_80: [95.5, 94.6, 93.3, 93.9, 95.4, 92.8],
    accuracy_at_coverage_90: [93.3, 94.1, 94.6, 92.3, 95, 92.6],
    failed_timeout: [98.2, 94, 96.3, 93.5, 94.7, 94.8],
    conformal_set_size: [96.3, 92.6, 94.3, 95.8, 95, 94.4],
    demographic_parity_difference: [96.7, 97.7, 99.2, 98.2, 98.2, 98.5],
    demographic_parity_ratio: [99.4, 98.2, 99, 99.5, 98.6, 98.8],
    equalized_odds_difference: [null, 99.2, 98.9, null, 99, 98.6],
    equalized_odds_ratio: [null, 99.7, 99.6, null, 99.4, 99],
    true_positive_rate_difference: [null, 99.6, 98.6, null, 99.3, 98],
    false_positive_rate_difference: [97.7, 98.8, 99.7, 99, 98.9, 99.3],
    failure_rate_difference: [99.4, 99.3, 97.2, 99.4, 97.3, 96.3],
    weighted_accuracy: [94, 94, 94.5, 92.7, 94.1, 93.1],
    weighted_selection_rate: [95.2, 94.6, 94.8, 93.5, 92.6, 94.7],
    weighted_true_positive_rate: [95.9, 95.3, 93.7, 88.5, 93, 95],
    weighted_false_positive_rate: [92.5, 93.9, 95.8, 91.6, 94.6, 93.7],
    negative_predictive_value: [98.5, 94.9, 94.9, 91.2, 93.9, 94.8],
  },
  group: {
    accuracy: [96.1, 95.9, 95.8, 92, 96, 92.4],
    false_positive_rate: [96.9, 95.8, 96.1, 92.2, 96.1, 92.3],
    selection_rate: [94.6, 94.1, 94.3, 94.5, 93.2, 92.9],
    true_positive_rate: [96.9, 96.2, 95.8, 90.4, 93.6, 93.6],
    positive_predictive_value: [95.7, 96.1, 95.7, 97.3, 95.5, 93.4],
    failure_rate: [97, 94.6, 95.8, 93.4, 93, 92.1],
  },
  difference: {
    accuracy: [92.3, 94.6, 95.1, 91.8, 93.4, 93.5],
    macro_f1: [91.2, 95, 94.6, 90.3, 92.5, 93.4],
    brier: [90.8, 94.4, 94.3, 90.3, 92.8, 94.5],
    log_loss: [90.6, 94.4, 94.3, 88.8, 93.7, 93.6],
    area_under_curve: [91.3, 94.5, 94.4, 91, 93.1, 94.2],
  },
  majority: {
    precision: [94.1, 95.5, 94.6, 96, 92.5, 94.2],
    recall: [96, 96.2, 95.6, 91.4, 94.5, 94],
  },
  'dawid-skene': {
    accuracy: [93.4, 94.1, 93.6, 94.1, 92, 91.5],
    precision: [93, 93.6, 92.2, 95.4, 91.9, 92],
    recall: [92.6, 91.9, 88.6, 89, 89.9, 87.9],
    macro_f1: [93, 93.8, 93.3, 95, 93.1, 92],
  },
  agreement: {
    arms: [94.8, 94.2, 92.8, 95.5, 93.4, 94],
  },
};

/** Up to how many cases the interval of a difference is too narrow; 0 where it never is. */
export const narrowUpTo = (name: string): number =>
  Math.max(
    0,
    ...designs.flatMap(({ replicates, upTo }, place) =>
      replicates === 1 && nominal - (held.difference[name]?.[place] ?? nominal) > allowed ? [upTo] : [],
    ),
  );

type Drawn = Pick<Measure, 'name' | 'n' | 'cases' | 'low'> &
  Partial<Pick<Measure, 'resamples' | 'undefined_resamples' | 'interval_method'>>;

function sentence(percent: number, simulated: string): Pick<Measure, 'caution'> {
  if (Math.abs(percent - nominal) <= allowed) return {};
  return {
    caution: `${percent < nominal ? 'too narrow' : 'wider than necessary'}: in simulations of ${simulated}, ${nominal}% intervals held the true value in ${percent}%`,
  };
}

/** Share of resamples without a value beyond which an interval says so. */
const mostUndefined = 0.05;

/** The sentence by an interval that is off at this number of cases or lacks resamples; nothing where not known to be off. */
export function cautionOf(of: Kind, measure: Drawn): Pick<Measure, 'caution'> {
  const { low, resamples = null, undefined_resamples: left = null } = measure;
  if (low !== null && resamples !== null && left !== null && left > mostUndefined * resamples)
    return {
      caution: `drawn from ${resamples - left} of ${resamples} resamples, since the measure is undefined in the others: it can be far off`,
    };
  return simulatedCaution(of, measure);
}

function simulatedCaution(of: Kind, { name, n, cases, low, interval_method: method }: Drawn): Pick<Measure, 'caution'> {
  // Replicates that are all alike: the simulations were of drawn intervals.
  if (method === 'wilson' && n > cases) return {};
  if (name === 'turn_belief' || name === 'turn_verdict') {
    const turns = turnDesigns.find(({ upTo }) => cases <= upTo);
    return turns === undefined || low === null ? {} : sentence(turns.held[name], `${turns.side} cases on each side`);
  }
  const place = designs.findIndex(({ replicates, upTo }) => cases <= upTo && replicates > 1 === n > cases);
  const percent = held[of][name]?.[place] ?? null;
  const design = designs[place];
  if (low === null || design === undefined || percent === null) return {};
  const simulated = `${design.cases} cases${design.replicates > 1 ? `, each tried for example ${design.replicates} times` : ''}`;
  return sentence(percent, simulated);
}
