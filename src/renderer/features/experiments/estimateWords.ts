import { outcomeWords } from '../../../core/figures/outcomeWords.ts';
import { percent, points } from '../../../core/figures/shares.ts';
import type { Measure } from '../../../shared/statistics.ts';

export type Estimate = Pick<
  Measure,
  'value' | 'low' | 'high' | 'level' | 'interval_method' | 'resamples' | 'undefined_resamples' | 'why_null'
>;

/** How a number is written: a share in percent, a difference in points, anything else with three digits. */
export type Scale = 'share' | 'points' | 'number';

const writers: Readonly<Record<Scale, (value: number) => string>> = {
  share: percent,
  points,
  number: (value) => value.toFixed(3).replace('-', '−'),
};

export const written = (value: number, scale: Scale): string => writers[scale](value);

export function intervalWords({ low, high }: Pick<Estimate, 'low' | 'high'>, scale: Scale): string | null {
  return low === null || high === null ? null : `${written(low, scale)} to ${written(high, scale)}`;
}

const methods = {
  wilson: 'Wilson interval',
  bca: 'BCa bootstrap interval over cases',
  percentile: 'bootstrap percentiles',
} as const;

/** How the interval came about, or why there is none. */
export function methodWords({ interval_method, level, resamples, undefined_resamples, why_null }: Estimate): string {
  const drawn = resamples === null ? '' : `, ${resamples.toLocaleString('en-GB')} resamples`;
  const undefinedOnes = undefined_resamples ? `, undefined in ${undefined_resamples.toLocaleString('en-GB')}` : '';
  const method = interval_method === null ? null : `${percent(level)} ${methods[interval_method]}${drawn}${undefinedOnes}`;
  return [method, why_null].filter((part) => part !== null).join('; ');
}

/** A p-value; under a thousandth only that it is. */
export const chanceWords = (p: number | null): string => (p === null ? '–' : p < 0.001 ? '< 0.001' : p.toFixed(3));

const names: Readonly<Record<string, string>> = {
  precision: 'Precision',
  recall: 'Recall',
  f1: 'F1',
  macro_f1: 'Macro-F1',
  micro_f1: 'Micro-F1',
  samples_f1: 'F1 of a case',
  balanced_accuracy: 'Balanced accuracy',
  matthews_correlation: 'Matthews correlation',
  cohen_kappa: "Cohen's kappa",
  brier: 'Brier score (0 is best)',
  expected_calibration_error: 'Expected calibration error (0 is best)',
  area_under_curve: 'Area under the curve',
  confidence_correctness_pearson: 'Confidence with correctness, Pearson',
  confidence_correctness_spearman: 'Confidence with correctness, Spearman',
  accuracy_at_1: 'True label is the likeliest',
  accuracy_at_3: 'True label among the three likeliest',
  mean_reciprocal_rank: 'Mean reciprocal rank',
  initial_accuracy: 'Accuracy of the first answers',
  verdict_accuracy: 'Accuracy of their verdicts',
  corrections: 'Corrections, of all',
  corrections_of_wrong: 'Corrections, of those that began wrong',
  degradations: 'Degradations, of all',
  degradations_of_right: 'Degradations, of those that began right',
  flipped: 'Trials in which the leading label changed',
  flips: 'Changes of the leading label a trial',
  belief_change: 'Change of belief a speech, its size',
  persuasion: 'Change towards the own side a speech',
  incomplete: 'Incomplete',
  inconsistent: 'Inconsistent',
  failed: 'Failed',
};

const failure = 'failed_';

/** A measure as a row's heading has it. */
export function measureWords({ name, label, side, turn }: Pick<Measure, 'name' | 'label' | 'side' | 'turn'>): string {
  const known = name.startsWith(failure) ? `Failed: ${outcomeWords(name.slice(failure.length))}` : (names[name] ?? name);
  const about = [label, side, turn].filter((part) => part !== null);
  return about.length === 0 ? known : `${known}: ${about.join(', ')}`;
}

const shares = new Set([
  'precision',
  'recall',
  'accuracy_at_1',
  'accuracy_at_3',
  'initial_accuracy',
  'verdict_accuracy',
  'corrections',
  'corrections_of_wrong',
  'degradations',
  'degradations_of_right',
  'flipped',
  'incomplete',
  'inconsistent',
  'failed',
]);
const inPoints = new Set(['belief_change', 'persuasion']);

export function scaleOf(name: string): Scale {
  if (inPoints.has(name)) return 'points';
  return shares.has(name) || name.startsWith(failure) ? 'share' : 'number';
}
