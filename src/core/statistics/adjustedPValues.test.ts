import { expect, test } from 'vitest';
import reference from '../../../docs/reference/values/benjaminiHochberg.json' with { type: 'json' };
import { benjaminiHochberg } from './adjustedPValues.ts';
import { expectAgreement } from './agreement.fixture.ts';

test.each(reference.sets)('statsmodels multipletests(method="fdr_bh"): $name', ({ pValues, expected }) => {
  const adjusted = benjaminiHochberg(pValues);
  expect(adjusted).toHaveLength(expected.length);
  for (const [place, value] of expected.entries()) expectAgreement(adjusted[place] ?? null, value);
});

test('by hand: 0.03 * 3 / 2 is more than 0.04 * 3 / 3, and the smallest counts', () => {
  const [first, second, missing, third] = benjaminiHochberg([0.01, 0.04, null, 0.03]);
  expect([first, second, third].map((p) => p?.toFixed(12))).toEqual(['0.030000000000', '0.040000000000', '0.040000000000']);
  expect(missing).toBeNull();
});

test('refuses what is no p-value and says which', () => {
  expect(() => benjaminiHochberg([0.5, null, 1.2])).toThrow(/p-value 2 is 1.2/);
  expect(() => benjaminiHochberg([Number.NaN])).toThrow(RangeError);
});
