import type { CaseStatistic } from './caseStatistic.ts';
import { sumsStatistic } from './sumsStatistic.ts';

/**
 * Relative gain of an arm over a reference on the cases that both have: (a - b) / b, with a and b the mean share of each
 * case's trials that are right. From -1 (right on none) without an upper end: 0.5 is half as many right again, and 1 twice
 * as many. Null where the reference is right on none.
 *
 * Source: Courtroom-LLM, figures 6 and 11, whose percentages these are. On few cases a reference that is seldom right makes
 * it large and unsteady: always read it with its interval.
 * @param pairs one for each case, both 0-1. Example: right on 3 and on 2 of 4 cases: (0.75 - 0.5) / 0.5 = 0.5
 */
export function relativeGain(pairs: readonly { readonly a: number; readonly b: number }[]): CaseStatistic {
  const rows = Float64Array.from(pairs.flatMap(({ a, b }) => [a, b]));
  // Sums that cancel leave rounding errors, which must not be divided by.
  return sumsStatistic(rows, 2, ([a = 0, b = 0]) => (b < 1e-9 ? null : (a - b) / b));
}
