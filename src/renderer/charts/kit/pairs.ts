import { points as pointsText } from '../../../core/figures/shares.ts';
import { beats } from '../../../core/statistics/measures/finding.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import type { Comparison } from '../../../shared/statistics.ts';
import { endsText } from './points.ts';

/** The same difference from the other side. */
function turned<Found extends Pick<Comparison['difference'], 'value' | 'low' | 'high'>>(difference: Found): Found {
  const negative = (value: number | null) => (value === null ? null : 0 - value);
  return { ...difference, value: negative(difference.value), low: negative(difference.high), high: negative(difference.low) };
}

/** A comparison seen from its second arm. */
export function mirrored(comparison: Comparison): Comparison {
  const { a, b, difference, differences, mcnemar, wilcoxon } = comparison;
  return {
    ...comparison,
    a: b,
    b: a,
    difference: turned(difference),
    differences: differences.map((each) => ({ ...turned(each), a: each.b, b: each.a })),
    mcnemar: { ...mcnemar, a_only: mcnemar.b_only, b_only: mcnemar.a_only },
    wilcoxon:
      wilcoxon === null || wilcoxon.favours === null ? wilcoxon : { ...wilcoxon, favours: wilcoxon.favours === 'a' ? 'b' : 'a' },
  };
}

/** The comparison of two arms seen from the first; null where the report has none. */
export function comparisonOf({ comparisons }: StatsReport, a: string, b: string): Comparison | null {
  const found = comparisons.find((each) => each.a === a && each.b === b);
  if (found !== undefined) return found;
  const other = comparisons.find((each) => each.a === b && each.b === a);
  return other === undefined ? null : mirrored(other);
}

/** Whether a difference may be stated, in either direction: `betterRule` says when. */
export const isStated = (comparison: Comparison): boolean => beats(comparison) || beats(mirrored(comparison));

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
