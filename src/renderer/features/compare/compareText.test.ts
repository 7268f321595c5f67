import { describe, expect, test } from 'vitest';
import reference from '../../../../docs/reference/values/nullReplicates.json' with { type: 'json' };
import { comparison } from '../../../core/telling/comparison.fixture.ts';
import type { ComparedCase } from '../../../shared/api/compared.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import { familyText, fewWords, inReport, mostlyText, paperStyleWhy, rightCounts } from './compareText.ts';

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
    expect(primary).toMatch(/^not adjusted: the exact test is that of the primary comparison, .* tested at 2\.5%$/);
    expect(familyText(report, null)).toContain('makes no claim');
  });
});

test('with repeats it is said how often each is right on a case, and on how many cases mostly one is', () => {
  const of = (...found: (boolean | null)[]) => found.map((correct) => ({ correct })) as unknown as ComparedCase['a'];
  expect(rightCounts({ a: of(true, true, true), b: of(false, null, true) })).toBe('3 of 3 against 1 of 3');
  expect(rightCounts({ a: of(true), b: of(false) })).toBe('');
  const [pair, mostly] = [
    { a: 'court', b: 'alone' },
    { a: 8, b: 1 },
  ];
  expect(mostlyText(pair, { replicated: true, mostly })).toBe(
    'court is right in more than half of its trials and alone in fewer than half: 8 cases; the other way round: 1. A failure counts as not correct.',
  );
  expect(mostlyText(pair, { replicated: false, mostly })).toBeNull();
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
