import { expect, test } from 'vitest';
import reference from '../../../docs/reference/values/mcnemar.json' with { type: 'json' };
import { expectAgreement } from './agreement.fixture.ts';
import { mcnemarExact } from './mcnemarExact.ts';

test.each(reference.sets)('statsmodels mcnemar(exact=True) and mid-p by outcomes: $onlyFirst and $onlySecond', (set) => {
  const { p, midP } = mcnemarExact(set.onlyFirst, set.onlySecond);
  expectAgreement(p, set.expected.p);
  expectAgreement(midP, set.expected.midP);
});

test('by hand: 1 and 5 of 6, 2 (1 + 6) / 64; a tie is no evidence', () => {
  expect(mcnemarExact(1, 5).p).toBeCloseTo(14 / 64, 14);
  expect(mcnemarExact(1, 5).midP).toBeCloseTo(8 / 64, 14);
  expect(mcnemarExact(2, 2)).toEqual({ onlyFirst: 2, onlySecond: 2, p: 1, midP: 1 - 6 / 16 / 2 });
});

test.each([
  [-1, 2],
  [1, 0.5],
  [Number.NaN, 1],
])('refuses %d and %d', (onlyFirst, onlySecond) => {
  expect(() => mcnemarExact(onlyFirst, onlySecond)).toThrow(RangeError);
});
