import { describe, expect, test } from 'vitest';
import type { Measure } from '../../shared/statistics.ts';
import { scaleOf, written } from '../figures/measureScale.ts';
import { differenceText, estimate, estimateOf, nameOfMeasure, pointsOfRates } from './cells.ts';

const measure = (name: string, value: number | null, low: number | null = null, high: number | null = null) =>
  ({ name, value, low, high, n: 1200 }) as Measure;

describe('a number', () => {
  test('is a share in percent, a difference in points, or another one with a true minus', () => {
    expect([written(0.705, 'share'), written(-0.045, 'points'), written(-0.12345, 'number')]).toEqual([
      '70.5%',
      '−4.5',
      '−0.123',
    ]);
    expect([written(-0.0002, 'number'), written(-0.0002, 'points'), written(-0.2, 'count')]).toEqual(['0.000', '0', '0']);
  });

  test('has the form of its measure in tables too', () => {
    expect(estimateOf(measure('recall', 0.661, 0.634, 0.687))).toBe('66.1% [63.4, 68.7] of 1,200');
    expect(estimate(measure('brier', 0.25, 0.2, 0.3))).toBe('0.250 [0.200, 0.300]');
    expect(estimate(measure('persuasion', -0.02, -0.1, 0.05))).toBe('−2 [−10, +5]');
    expect(estimate({ value: 1, low: null, high: null }, 'share')).toBe('100%');
    expect([estimate(undefined), estimate(measure('recall', null))]).toEqual(['-', '-']);
  });

  test('is in points where it is the difference of two shares, without a sign where that has none', () => {
    expect(differenceText(measure('accuracy', -0.03, -0.1, 0.04))).toBe('−3 [−10, +4]');
    expect(differenceText(measure('macro_f1', 0.03, -0.1, 0.04))).toBe('+0.030 [−0.100, 0.040]');
    expect(pointsOfRates(measure('true_positive_rate_difference', 0.512, 0.276, 0.748))).toBe('51.2 [27.6, 74.8] of 1,200');
  });
});

test('every measure is called by words', () => {
  expect(
    ['macro_f1', 'failed_timeout', 'accuracy_at_coverage_80', 'weighted_recall', 'equalized_odds_ratio', 'brier_binned'].map(
      nameOfMeasure,
    ),
  ).toEqual([
    ...['macro-F1', 'failed: timed out', 'right among the surest 80%', 'weighted recall', 'ratio of equalised odds'],
    'Brier score of the bins',
  ]);
});

test('shares, differences and other measures have different names, by which they are known', () => {
  expect(['recall', 'failed_timeout', 'accuracy_at_coverage_80', 'persuasion', 'brier'].map(scaleOf)).toEqual([
    ...['share', 'share', 'share', 'points', 'number'],
  ]);
});
