import { expect, test } from 'vitest';
import reference from '../../../docs/reference/values/specialFunctions.json' with { type: 'json' };
import { binomialCdf } from './binomialCdf.ts';

const rows = reference.sets.find(({ name }) => name === 'binomialCdf')?.rows ?? [];

test('scipy.special.betaincc for 1 to 100,000 trials, both tails: relative error under 1e-11', () => {
  expect(rows.length).toBeGreaterThan(150);
  // Under 1e-290 the numbers have fewer digits themselves.
  const errors = rows.map(([k = 0, n = 0, p = 0, expected = 0]) =>
    expected > 1e-290 ? Math.abs(binomialCdf(k, n, p) / expected - 1) : Math.abs(binomialCdf(k, n, p) - expected),
  );
  expect(Math.max(...errors)).toBeLessThan(1e-11);
});

test('certain and impossible trials, and none', () => {
  expect([
    binomialCdf(0, 4, 0),
    binomialCdf(3, 4, 1),
    binomialCdf(4, 4, 1),
    binomialCdf(0, 0, 0.3),
    binomialCdf(-1, 0, 0.3),
  ]).toEqual([1, 0, 1, 1, 0]);
});

test.each([
  [0.5, 3, 0.5],
  [1, -1, 0.5],
  [1, 3, 1.1],
  [1, 3, Number.NaN],
])('refuses %d of %d at %d', (k, n, p) => {
  expect(() => binomialCdf(k, n, p)).toThrow(RangeError);
});
