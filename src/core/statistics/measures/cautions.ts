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

type Kind = 'arm' | 'difference' | 'majority' | 'dawid-skene' | 'agreement';
type Percent = number | null;

/**
 * In how many of 100 simulated experiments the 95% interval held the true value, by design: the measures of docs/statistics.md
 * that are off somewhere. Where several share a name (labels, groups, decided and all) the one that is farthest off; null: not off.
 */
const held: Readonly<Record<Kind, Readonly<Record<string, readonly [Percent, Percent, Percent, Percent, Percent, Percent]>>>> = {
  arm: {
    recall: [97.2, 94.7, 94.6, 90.8, 94, 93.6],
    f1: [null, null, null, null, null, 92.8],
    log_loss: [92.5, 93.4, 96.2, 93.1, 93.5, 93.6],
    confidence_correctness_pearson: [94.2, 94.7, 94.6, 90.8, 94.1, 94],
    confidence_correctness_spearman: [93.9, 93.9, 94.6, 90.6, 93.8, 94.4],
    calibration_slope: [95, 93.6, 94.6, 92.2, 94.1, 96.4],
    area_under_risk_coverage: [93.8, 92.7, 96.6, 92.4, 93.2, 94.8],
    excess_area_under_risk_coverage: [90.8, 92.3, 96.6, 91.2, 91.7, 95.6],
    accuracy_at_coverage_80: [96.5, 95.4, 94.8, 95.7, 94.6, 91.5],
    accuracy_at_coverage_90: [null, 92.9, null, null, null, null],
    true_positive_rate: [96.3, 95, 95.4, 89.5, 93.4, 94.4],
    false_positive_rate: [96.4, 95.2, 95.4, 92.2, 94.1, 94.8],
    failure_rate: [null, null, null, 92.1, null, null],
    demographic_parity_difference: [97, 98.4, 97.8, 97.3, 98.3, 98],
    demographic_parity_ratio: [99.3, 99.2, 98.4, 98.7, 98.5, 98.3],
    equalized_odds_difference: [100, 99.1, 98.9, 99.1, 98.6, 98.2],
    equalized_odds_ratio: [100, 99.7, 99.5, 94, 99.1, 98.6],
    failure_rate_difference: [99.3, 98.8, 96.4, 98.4, 96.9, 96.4],
    weighted_accuracy: [93.4, 93.2, 96, 92.4, 93.6, 93.6],
    weighted_selection_rate: [95.6, 93.6, 94.8, 92.8, 93.4, 93.8],
    weighted_true_positive_rate: [97, 95.8, 91.6, 88.2, 94, 93.4],
    weighted_false_positive_rate: [91.8, 94, 96, 93, 95, 94.2],
    weighted_positive_predictive_value: [92.2, 96.2, 95.6, 95.4, 94.8, 95.6],
    negative_predictive_value: [99.1, 94.6, 94.2, 91.5, 94.6, 94.6],
  },
  difference: {
    accuracy: [93.9, 94.9, 94.2, 92.3, 94.2, 95.2],
    macro_f1: [92.4, 94.4, 94.8, 91.8, 94, 94],
    brier: [92.4, 93.3, 93.8, 92.9, 93.4, 95.2],
    log_loss: [91.6, 93.5, 93, 92.2, 94, 94.4],
  },
  majority: {
    accuracy: [93.8, 95.8, 94, 92.4, 94.2, 93.8],
    recall: [96.2, 95.8, 95, 91.8, 94.6, 92.4],
  },
  'dawid-skene': {
    accuracy: [93.6, 96.2, 93.6, 92.2, 93.6, 93],
    recall: [92.8, 90.2, 88.8, 90.6, 91, 88.8],
    f1: [94, 95.8, 94.6, 92.6, 93.2, 94],
    macro_f1: [93.2, 95.2, 93.8, 92.8, 94, 93.2],
  },
  agreement: { arms: [93.4, 93.2, 93.4, 94.2, 94.8, 92] },
};

type Drawn = Pick<Measure, 'name' | 'n' | 'cases' | 'low'> & Partial<Pick<Measure, 'resamples' | 'undefined_resamples'>>;

function sentence(percent: number, simulated: string): Pick<Measure, 'caution'> {
  if (Math.abs(percent - nominal) <= allowed) return {};
  return {
    caution: `${percent < nominal ? 'too narrow' : 'wider than necessary'}: in simulations of ${simulated}, ${nominal}% intervals held the true value in ${percent}%`,
  };
}

/** Share of resamples without a value beyond which an interval says so. */
const mostUndefined = 0.05;

/**
 * The sentence next to an interval that is off at this number of cases, or drawn from a part of its resamples alone; nothing
 * where it is not known to be off.
 */
export function cautionOf(of: Kind, measure: Drawn): Pick<Measure, 'caution'> {
  const { low, resamples = null, undefined_resamples: left = null } = measure;
  if (low !== null && resamples !== null && left !== null && left > mostUndefined * resamples)
    return {
      caution: `drawn from ${resamples - left} of ${resamples} resamples, since the measure is undefined in the others: it can be far off`,
    };
  return simulatedCaution(of, measure);
}

function simulatedCaution(of: Kind, { name, n, cases, low }: Drawn): Pick<Measure, 'caution'> {
  if (name === 'turn_belief' || name === 'turn_verdict') {
    const turns = turnDesigns.find(({ upTo }) => cases <= upTo);
    return turns === undefined || low === null ? {} : sentence(turns.held[name], `${turns.side} cases on each side`);
  }
  const place = designs.findIndex(({ replicates, upTo }) => cases <= upTo && replicates > 1 === n > cases);
  const percent = held[of][name]?.[place] ?? null;
  const design = designs[place];
  if (low === null || design === undefined || percent === null) return {};
  const simulated = `${design.cases} cases${design.replicates > 1 ? `, each tried ${design.replicates} times` : ''}`;
  return sentence(percent, simulated);
}
