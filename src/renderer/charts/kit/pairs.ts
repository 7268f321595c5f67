import { points as pointsText } from '../../../core/figures/shares.ts';
import { beats, isStated } from '../../../core/statistics/measures/finding.ts';
import { mirrored } from '../../../core/statistics/measures/shownComparisons.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import type { Comparison } from '../../../shared/statistics.ts';
import { endsText } from './points.ts';

/** The comparison of two arms seen from the first; null where the report has none. */
export function comparisonOf({ comparisons }: StatsReport, a: string, b: string): Comparison | null {
  const found = comparisons.find((each) => each.a === a && each.b === b);
  if (found !== undefined) return found;
  const other = comparisons.find((each) => each.a === b && each.b === a);
  return other === undefined ? null : mirrored(other);
}

/** Which of two arms is shown to be right more often; null where neither is, or they were not compared. */
export function betterOf(report: StatsReport, a: string, b: string): string | null {
  const comparison = comparisonOf(report, a, b);
  if (comparison === null || !isStated(comparison)) return null;
  return beats(comparison) ? a : b;
}

/** When `betterOf` names an arm, for the rules of findings. */
export const betterRule =
  'One arm is right more often than another if the interval of the paired difference of their accuracies lies above 0 and the p-value of ' +
  "McNemar's exact test (with replicates a permutation test of signs), adjusted after Benjamini and Hochberg over all comparisons of the report, is at most one minus the interval's level. " +
  'A failed trial counts as not correct.';

/** `−3.3 points, −20 to +13.3`. */
export function differenceText({ difference: { value, low, high } }: Comparison): string {
  const [size, ...ends] = endsText({ value: value ?? 0, low, high }, pointsText).split(', ');
  return [`${size} points`, ...ends].join(', ');
}
