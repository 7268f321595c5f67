import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectAgreement } from './agreement.fixture.ts';
import { fisherInterval } from './fisherInterval.ts';
import { pearsonCorrelation } from './pearsonCorrelation.ts';
import { columnSets } from './reference.fixture.ts';

describe('fisherInterval', () => {
  test.each(columnSets)('scipy pearsonr: $name', ({ x, y, expected, fisher }) => {
    const correlation = pearsonCorrelation(x, y);
    // scipy puts a point around a correlation of -1 or 1, and from -1 to 1 around two pairs: no interval here.
    const own = correlation === null || expected.pearson === null ? null : fisherInterval(correlation, x.length);
    if (fisher === null) return expect(own).toBeNull();
    expectAgreement(own?.low ?? null, fisher.low);
    expectAgreement(own?.high ?? null, fisher.high);
  });

  test('three pairs and a whole correlation have none', () => {
    expect(fisherInterval(0.5, 3)).toBeNull();
    expect(fisherInterval(1, 40)).toBeNull();
    expect(fisherInterval(-1, 40)).toBeNull();
    expect(fisherInterval(0, 0)).toBeNull();
  });

  test('refuses what is none', () => {
    expect(() => fisherInterval(1.01, 9)).toThrow(/1.01 is no correlation/);
    expect(() => fisherInterval(0.5, 9.5)).toThrow(/9.5 is no number of pairs/);
    expect(() => fisherInterval(0.5, 9, 1)).toThrow(/level 1/);
  });

  test('property: holds the correlation, and is its own mirror image', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -0.999, max: 0.999, noNaN: true }),
        fc.integer({ min: 4, max: 5000 }),
        (correlation, pairs) => {
          const { low, high } = fisherInterval(correlation, pairs) ?? { low: 2, high: -2 };
          expect(low <= correlation && correlation <= high && low >= -1 && high <= 1).toBe(true);
          expectAgreement(fisherInterval(-correlation, pairs)?.low ?? null, -high);
        },
      ),
    );
  });
});
