import { expect, test } from 'vitest';
import reference from '../../../docs/reference/values/signFlip.json' with { type: 'json' };
import { expectAgreement } from './agreement.fixture.ts';
import { mcnemarExact } from './mcnemarExact.ts';
import { signFlipTest } from './signFlipTest.ts';

test.each(reference.sets)('scipy permutation_test of signs: $name', ({ differences, expected }) => {
  expectAgreement(signFlipTest(differences).p, expected.p);
});

test('by hand: one of eight patterns is as extreme; one trial a case is McNemar', () => {
  expect(signFlipTest([2, 1, 1])).toEqual({ p: 2 / 8, method: 'exact' });
  expect(signFlipTest([1, 1, 1, 0, -1, 1, 1]).p).toBe(mcnemarExact(5, 1).p);
  expect(signFlipTest([])).toEqual({ p: 1, method: 'exact' });
  expect(() => signFlipTest([0.5])).toThrow(RangeError);
});

test('so many cases that all patterns would take too long are near the normal distribution', () => {
  const differences = Array.from({ length: 30_000 }, (_, index) => (index % 100 < 51 ? 1 : -1) * (1 + (index % 2)));
  const { p, method } = signFlipTest(differences);
  // Of 100 cases 76 units for, 74 against: sum 600 of sizes whose squares sum to 75,000, so z = 600 / sqrt(75,000) = 2.191.
  expect(method).toBe('normal');
  expect(p).toBeCloseTo(0.02846, 4);
});
