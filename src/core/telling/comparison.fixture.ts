// A pair of arms for tests of what is said of it.
import type { Comparison } from '../../shared/statistics.ts';

/** @param value of the difference of accuracy, with the ends of its interval and the adjusted p-value */
export const comparison = (
  more: Partial<Comparison> = {},
  value = 0.1,
  low = 0.02,
  high = 0.2,
  adjusted: number | null = 0.01,
): Comparison =>
  ({
    a: 'court',
    b: 'alone',
    baseline: false,
    paired_cases: 100,
    difference: { value, low, high, level: 0.95 },
    mcnemar: { a_only: 14, b_only: 4, p: 0.01, p_adjusted: adjusted },
    wilcoxon: null,
    differences: [{ name: 'brier', over: 'believed', cases: 90, a: 0.2, b: 0.25, value: -0.05, low: -0.1, high: 0.02 }],
    smallest_detectable_difference: 0.15,
    detectable_at: 0.05,
    ...more,
  }) as Comparison;
