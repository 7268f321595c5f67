import { describe, expect, it, test } from 'vitest';
import agreement from '../../../docs/reference/values/benchAgreement.json' with { type: 'json' };
import reference from '../../../docs/reference/values/relativeGain.json' with { type: 'json' };
import { pairAgreement } from '../figures/benchVotes.ts';
import { bootstrap } from './bootstrap.ts';
import { valueOfAll } from './caseStatistic.ts';
import { relativeGain } from './relativeGain.ts';

type Set = (typeof reference.sets)[number];
const pairsOf = ({ a, b }: Set) => a.map((each, place) => ({ a: each, b: b[place] ?? 0 }));

describe('relative gain', () => {
  it('is the difference as a share of the reference', () => {
    const pairs = [
      { a: 1, b: 1 },
      { a: 1, b: 0 },
      { a: 1, b: 1 },
      { a: 0, b: 0 },
    ];
    expect(valueOfAll(relativeGain(pairs))).toBeCloseTo(0.5, 12);
    expect(valueOfAll(relativeGain(pairs.map(({ a, b }) => ({ a: b, b: a }))))).toBeCloseTo(-1 / 3, 12);
  });

  it('is undefined where the reference is right on none', () => {
    expect(valueOfAll(relativeGain([{ a: 1, b: 0 }]))).toBeNull();
    const once = [
      { a: 1, b: 0 },
      { a: 0, b: 1 },
    ];
    // A resample without the one case on which it is right.
    expect(relativeGain(once).at(Uint32Array.of(2, 0))).toBeNull();
  });

  test.each(reference.sets)("is numpy's over $cases cases, as they are and weighted", (set) => {
    const statistic = relativeGain(pairsOf(set));
    const near = (value: number | null, expected: number | null) => {
      expect(value === null).toBe(expected === null);
      if (value !== null && expected !== null) expect(value).toBeCloseTo(expected, 9);
    };
    near(valueOfAll(statistic), set.expected.value);
    near(statistic.at(Uint32Array.from(set.weights)), set.weighted.value);
  });

  test.each(reference.sets.filter(({ expected }) => expected.low !== null))(
    "has scipy's paired BCa interval over $cases cases, within a fiftieth of its width at as many resamples",
    (set) => {
      const { low, high } = bootstrap(relativeGain(pairsOf(set)), { resamples: set.resamples, seed: 3 });
      const width = (set.expected.high ?? 0) - (set.expected.low ?? 0);
      expect(Math.abs((low ?? 0) - (set.expected.low ?? 0))).toBeLessThan(width / 50);
      expect(Math.abs((high ?? 0) - (set.expected.high ?? 0))).toBeLessThan(width / 50);
    },
  );
});

test.each(agreement.sets)('agreement on a bench is that of all its pairs: $voters votes for $labels labels', (set) => {
  set.counts.forEach((counts, place) => {
    const votes = { counts: Object.fromEntries(counts.map((count, label) => [`label ${label}`, count])) };
    expect(pairAgreement(votes)).toBeCloseTo(set.expected.agreement[place] ?? -1, 12);
  });
});
