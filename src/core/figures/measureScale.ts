// How measures are written: one form for screens, reports and the command line.
import { count, quantity } from '../../shared/sizes.ts';
import type { Measure } from '../../shared/statistics.ts';
import { barePoints, percent, points } from './shares.ts';

/** A share in percent, a difference in points, its size without a sign, a count in whole numbers, anything else with three digits. */
export type Scale = 'share' | 'points' | 'size' | 'count' | 'number';

const writers: Readonly<Record<Scale, (value: number) => string>> = {
  share: percent,
  points,
  size: barePoints,
  count: (value) => (Math.round(value) + 0).toLocaleString('en-GB').replace('-', '−'),
  number: (value) =>
    value
      .toFixed(3)
      .replace(/^-(?=[0.]+$)/, '')
      .replace('-', '−'),
};

export const written = (value: number, scale: Scale): string => writers[scale](value);

const shares = new Set([
  ...['accuracy', 'precision', 'recall', 'completed_if_shuffled', 'accuracy_at_1', 'accuracy_at_3', 'certain_belief'],
  ...['mean_probability', 'observed_share'],
  ...['initial_accuracy', 'verdict_accuracy', 'corrections', 'corrections_of_wrong', 'degradations', 'degradations_of_right'],
  ...['flipped', 'answer_flipped', 'incomplete', 'inconsistent', 'selection_rate', 'true_positive_rate', 'false_positive_rate'],
  ...['false_negative_rate', 'positive_predictive_value', 'negative_predictive_value', 'flip_rate', 'replicate_flip_rate'],
  ...['won_by_prosecution', 'won_by_last_speaker', 'pass_rate', 'conformal_coverage', 'conformal_one_label'],
  ...['conformal_empty', 'conformal_all_labels', 'failure_rate', 'failed'],
]);
const differences = new Set([
  ...['completed_beyond_shuffled', 'belief_change', 'persuasion', 'excess_flip_rate', 'positive_change', 'probability_change'],
  ...['probability_excess', 'accuracy_change'],
  ...['worth_belief', 'worth_verdict', 'turn_belief', 'turn_verdict', 'observed_movement'],
]);

export function scaleOf(name: string): Scale {
  if (differences.has(name)) return 'points';
  return shares.has(name) || /^(?:failed_|accuracy_at_coverage_|accuracy_when_sure|weighted_)/.test(name) ? 'share' : 'number';
}

/** Of shares of trials; pairs, speeches and the like are counted by their number. */
const ofTrials: ReadonlySet<string> = new Set([
  'all',
  'decided',
  'finished',
  'stated',
  'believed',
  'answered',
] satisfies Measure['over'][]);

type Counted = Pick<Measure, 'name' | 'over' | 'value' | 'n' | 'cases' | 'count'>;

/**
 * How many of the `n` trials a share is; null for what is no share of a number of trials. Where cases can have several trials and the
 * measure has no count, as in records of older versions, only none and all are known.
 */
export function countOf({ name, value, n, cases, count: counted }: Counted): number | null {
  if (value === null || scaleOf(name) !== 'share' || name.startsWith('weighted_')) return null;
  return counted ?? (n <= cases || value === 0 || value === 1 ? Math.round(value * n) : null);
}

/** Whether a share is a mean over cases of which some have more trials than others, or may have: it gives no number of trials. */
export const isUneven = (found: Counted): boolean =>
  found.value !== null &&
  found.n > found.cases &&
  scaleOf(found.name) === 'share' &&
  ofTrials.has(found.over) &&
  countOf(found) === null;

/** What a value is of: `30`; `20 cases, 30 trials` where it is the mean over cases alone. */
export const ofText = (found: Counted): string =>
  isUneven(found) ? `${quantity(found.cases, 'case')}, ${quantity(found.n, 'trial')}` : count(found.n);
