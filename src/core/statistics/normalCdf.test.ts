import { expect, test } from 'vitest';
import reference from '../../../docs/reference/values/specialFunctions.json' with { type: 'json' };
import { normalCdf } from './normalCdf.ts';
import { normalQuantile } from './normalQuantile.ts';

const rows = reference.sets.find(({ name }) => name === 'normalCdf')?.rows ?? [];

test('scipy.special.ndtr from -37 to 9: relative error under 1e-12', () => {
  expect(rows).toHaveLength(185);
  const errors = rows.map(([x = Number.NaN, expected = Number.NaN]) => Math.abs(normalCdf(x) / expected - 1));
  expect(Math.max(...errors)).toBeLessThan(1e-12);
});

test('is the inverse of the quantile', () => {
  for (const p of [1e-200, 1e-20, 0.001, 0.025, 0.5, 0.975, 0.999]) expect(normalCdf(normalQuantile(p)) / p).toBeCloseTo(1, 11);
});

test('ends and nonsense', () => {
  expect([normalCdf(-Infinity), normalCdf(0), normalCdf(Infinity), normalCdf(Number.NaN)]).toEqual([0, 0.5, 1, Number.NaN]);
});
