import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import reference from '../../../docs/reference/values/mcnemarPower.json' with { type: 'json' };
import { expectAgreement } from './agreement.fixture.ts';
import { binomialCdf } from './binomialCdf.ts';
import { mcnemarExact } from './mcnemarExact.ts';
import { binomialProbabilities, casesForDifference, casesForMargin, detectableDifference, mcnemarPower } from './mcnemarPower.ts';

test.each(reference.sets)(
  'every outcome by scipy.stats.binom: $cases cases, $discordance, $difference',
  ({ expected, ...set }) => {
    expectAgreement(mcnemarPower(set.cases, set), expected.power);
    const detectable = detectableDifference(set.cases, 0.8, { discordance: set.discordance, alpha: set.alpha });
    if (expected.detectable === null) expect(detectable).toBeNull();
    else expect(Math.abs((detectable ?? 9) - expected.detectable)).toBeLessThan(2e-9);
  },
);

test('is how often the test itself rejects, over all outcomes of 5 to 40 discordant cases', () => {
  for (const cases of [5, 6, 17, 40]) {
    let power = 0;
    let chance = 0.7 ** cases;
    for (let onlySecond = 0; onlySecond <= cases; onlySecond++) {
      if (mcnemarExact(cases - onlySecond, onlySecond).p <= 0.1) power += chance;
      chance *= (((cases - onlySecond) / (onlySecond + 1)) * 0.3) / 0.7;
    }
    expect(mcnemarPower(cases, { discordance: 1, difference: 0.4, alpha: 0.1 })).toBeCloseTo(power, 12);
  }
});

test('the direction of a difference does not matter; without one the test keeps its level', () => {
  const power = (difference: number) => mcnemarPower(80, { discordance: 0.4, difference });
  expect(power(-0.2)).toBeCloseTo(power(0.2), 13);
  expect(power(0)).toBeLessThanOrEqual(0.05);
  expect(power(0)).toBeGreaterThan(0.01);
});

test('so many cases show a margin as often as is said: all outcomes of the interval of two arms that are equally often right', () => {
  for (const [margin, ends] of [
    [0.1, 1],
    [0.1, 2],
    [0.07, 1],
    [0.07, 2],
  ] as const) {
    const cases = casesForMargin(margin, 0.8, { discordance: 0.3, alpha: 0.05, ends });
    const all = binomialProbabilities(cases, 0.3);
    let power = 0;
    all.probabilities.forEach((chance, place) => {
      const discordant = all.from + place;
      const better = binomialProbabilities(discordant, 0.5);
      better.probabilities.forEach((own, at) => {
        const value = (2 * (better.from + at) - discordant) / cases;
        const reach = 1.959964 * Math.sqrt((discordant / cases - value ** 2) / cases);
        if (value - reach > -margin && (ends === 1 || value + reach < margin)) power += chance * own;
      });
    });
    expect(Math.abs(power - 0.8)).toBeLessThan(0.02);
  }
});

test('with the cases for a difference it is found, and with a tenth fewer it is not', () => {
  for (const [discordance, difference, alpha] of [
    [0.2, 0.1, 0.05],
    [0.1, 0.1, 0.0125],
    [0.4, 0.05, 0.05],
  ] as const) {
    const cases = casesForDifference(0.8, { discordance, difference, alpha });
    const found = (of: number) => mcnemarPower(Math.floor(of), { discordance, difference, alpha });
    expect(found(cases)).toBeGreaterThanOrEqual(0.8);
    expect(found(0.9 * cases)).toBeLessThan(0.8);
  }
  expect(() => casesForDifference(0.8, { discordance: 0.2, difference: 0 })).toThrow(RangeError);
});

test('no cases, no discordance: nothing is found', () => {
  expect(mcnemarPower(0, { discordance: 0.5, difference: 0.1 })).toBe(0);
  expect(mcnemarPower(100, { discordance: 0, difference: 0 })).toBe(0);
});

test.each([
  [1.5, { discordance: 0.3, difference: 0.1 }],
  [10, { discordance: 1.3, difference: 0.1 }],
  [10, { discordance: 0.3, difference: 0.31 }],
  [10, { discordance: 0.3, difference: Number.NaN }],
  [10, { discordance: 0.3, difference: 0.1, alpha: 0 }],
])('refuses %d cases of %j', (cases, design) => {
  expect(() => mcnemarPower(cases, design)).toThrow(RangeError);
});

test('a power that no difference at all reaches already is refused', () => {
  expect(() => detectableDifference(100, 0.01, { discordance: 0.5, alpha: 0.2 })).toThrow(/no difference at all/);
  expect(() => detectableDifference(100, 1, { discordance: 0.5 })).toThrow(RangeError);
});

describe('binomialProbabilities', () => {
  test('by hand: two coins, and what is certain', () => {
    expect(binomialProbabilities(2, 0.5)).toEqual({ from: 0, probabilities: Float64Array.of(0.25, 0.5, 0.25) });
    expect(binomialProbabilities(7, 1)).toEqual({ from: 7, probabilities: Float64Array.of(1) });
    expect(binomialProbabilities(7, 0)).toEqual({ from: 0, probabilities: Float64Array.of(1) });
    expect(binomialProbabilities(0, 0.3)).toEqual({ from: 0, probabilities: Float64Array.of(1) });
  });

  test('property: running sums are the distribution function', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20_000 }), fc.double({ min: 1e-6, max: 0.999999, noNaN: true }), (n, p) => {
        const { from, probabilities } = binomialProbabilities(n, p);
        let sum = 0;
        for (const [place, probability] of probabilities.entries()) {
          sum += probability;
          expect(Math.abs(sum - binomialCdf(from + place, n, p))).toBeLessThan(1e-10);
        }
        expect(sum).toBeCloseTo(1, 12);
      }),
      { numRuns: 40 },
    );
  });

  test.each([
    [-1, 0.5],
    [1.5, 0.5],
    [3, -0.1],
    [3, Number.NaN],
  ])('refuses %d trials at %d', (n, p) => {
    expect(() => binomialProbabilities(n, p)).toThrow(RangeError);
  });
});
