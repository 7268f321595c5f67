import { describe, expect, test } from 'vitest';
import { type Estimate, intervalText, measureText, methodText } from './estimateText.ts';

const estimate: Estimate = {
  value: 0.5,
  low: 0.25,
  high: 0.75,
  level: 0.95,
  interval_method: 'bca',
  resamples: 2000,
  undefined_resamples: 0,
  why_null: null,
};

describe('an estimate in words', () => {
  test('has the interval in its form, or none', () => {
    expect(intervalText(estimate, 'share')).toBe('25% to 75%');
    expect(intervalText({ low: null, high: null }, 'share')).toBeNull();
  });

  test('says how its interval was drawn, or why there is none', () => {
    expect(methodText(estimate)).toBe('95% BCa bootstrap interval over cases, 2,000 resamples');
    expect(methodText(estimate, 'pairs of seeds')).toContain('interval over pairs of seeds,');
    expect(methodText({ ...estimate, interval_method: 'wilson', resamples: null, undefined_resamples: null })).toBe(
      '95% Wilson interval',
    );
    expect(
      methodText({
        ...estimate,
        interval_method: 'percentile',
        undefined_resamples: 12,
        why_null: 'percentiles, since it varies',
      }),
    ).toBe('95% bootstrap percentiles, 2,000 resamples, undefined in 12; percentiles, since it varies');
    expect(methodText({ ...estimate, interval_method: null, resamples: null, why_null: 'no decided trial' })).toBe(
      'no decided trial',
    );
  });

  test('names what it is about', () => {
    const none = { label: null, side: null, turn: null };
    expect(measureText({ ...none, name: 'recall', label: 'YES' })).toBe('Recall: YES');
    expect(measureText({ ...none, name: 'persuasion', side: 'defense', turn: 'closing' })).toBe(
      'Change towards the own side a speech: defense, closing',
    );
    expect(measureText({ ...none, name: 'failed_timeout' })).toMatch(/^Failed: /);
  });
});
