import { describe, expect, test } from 'vitest';
import reference from '../../../../docs/reference/values/nullReplicates.json' with { type: 'json' };
import type { StatsReport } from '../../../shared/outputs.ts';
import type { Comparison } from '../../../shared/statistics.ts';
import { familyText, fewWords, inReport, paperStyleWhy, verdictAsText } from './compareText.ts';

const comparison = (
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
    ...more,
  }) as Comparison;

describe('what may be said', () => {
  test('is that one is right more often if the interval excludes 0 and the adjusted p-value is small', () => {
    expect(verdictAsText(comparison())).toBe(
      'court is right in 10 more of 100 cases than alone (interval from 2 to 20): chance does not explain it.',
    );
    expect(verdictAsText(comparison({}, -0.1, -0.2, -0.02))).toBe(
      'alone is right in 10 more of 100 cases than court (interval from 2 to 20): chance does not explain it.',
    );
  });

  test('says who agrees more often with the person who decided the labels', () => {
    const said = (...values: [number, number, number, number]) => verdictAsText(comparison({}, ...values), false, 'the bank');
    expect(said(0.1, 0.02, 0.2, 0.01)).toMatch(/^court agrees with the bank in 10 more of 100 cases than alone/);
    expect(said(0, -0.1, 0.1, 1)).toContain('they agree with the bank equally often');
  });

  test('is no equality where nothing is shown', () => {
    expect(verdictAsText(comparison({}, 0.1, -0.02, 0.2, 0.2))).toBe(
      'These cases do not show whether court and alone differ: the difference seen, court less alone, is +10 points, and the interval reaches from −2 to +20. A comparison of this size would mostly miss a difference under 15 points.',
    );
    expect(verdictAsText(comparison({}, -0.1, -0.2, 0.02, 0.2))).toContain(
      'the difference seen, court less alone, is −10 points, and the interval reaches from −20 to +2.',
    );
    expect(verdictAsText(comparison({}, 0.1, 0.02, 0.2, 0.06))).toMatch(
      /do not show whether .* differ: .* from \+2 to \+20\. A difference is stated only where .*adjustment is for all pairs\./,
    );
    const few = comparison({ mcnemar: { a_only: 3, b_only: 0, p: 0.25, p_adjusted: 0.25 } });
    expect(verdictAsText(few)).toContain('with few cases a bootstrap interval is too narrow');
    expect(verdictAsText(comparison({ smallest_detectable_difference: null }, 0, 0, 0, 1))).toContain(
      'even the largest difference',
    );
  });

  test('is what was seen alone where no p-value is adjusted', () => {
    expect(verdictAsText(comparison({}, -0.1, -0.2, -0.02, null))).toBe(
      'Over these cases alone is right 10 points more often than court. Significance needs an adjusted p-value.',
    );
  });

  test('is what was seen alone where a part is looked at', () => {
    expect(verdictAsText(comparison(), true)).toMatch(
      /^Over these cases court is right 10 points more often than alone\. This covers only a part/,
    );
  });

  test('is nothing without common cases', () => {
    expect(verdictAsText(comparison({ paired_cases: 0 }))).toContain('no tried case with a known truth');
  });
});

describe('a pair of the report', () => {
  const family = { text: '3 tests: 2 arms' };
  const report = { family, comparisons: [comparison(), comparison({ b: 'majority', baseline: true })] } as unknown as StatsReport;
  test('is found from either side', () => {
    expect(inReport(report, { a: 'court', b: 'alone', baseline: false })).toEqual(comparison());
    expect(inReport(report, { a: 'alone', b: 'court', baseline: false })).toMatchObject({
      a: 'alone',
      b: 'court',
      difference: { value: -0.1, low: -0.2, high: -0.02, level: 0.95 },
      mcnemar: { a_only: 4, b_only: 14, p_adjusted: 0.01 },
      differences: [{ name: 'brier', a: 0.25, b: 0.2, value: 0.05, low: -0.02, high: 0.1 }],
    });
  });

  test('with a baseline is not one with an arm of that name', () => {
    expect(inReport(report, { a: 'court', b: 'majority', baseline: false })).toBeNull();
    expect(inReport(report, { a: 'court', b: 'majority', baseline: true })?.baseline).toBe(true);
  });

  test('says over how many pairs its p-values are adjusted', () => {
    expect(familyText(report, comparison())).toContain('over 3 tests: 2 arms');
    const primary = familyText(report, comparison({ primary: true, detectable_at: 0.025 }));
    expect(primary).toMatch(/^not adjusted: the primary comparison .* tested at 2\.5%$/);
    expect(familyText(report, null)).toContain('makes no claim');
  });
});

test('few cases are said to be few', () => {
  expect(fewWords(29)).toContain('29 cases');
  expect(fewWords(30)).toBeNull();
});

test('on chance alone it rejects in more than half of the simulated experiments', () => {
  const [simulated] = reference.sets;
  expect((simulated?.rejected ?? 0) / (simulated?.experiments ?? 1)).toBeGreaterThan(0.5);
  expect(paperStyleWhy).toContain('in more than half of all experiments');
});
