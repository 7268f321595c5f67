import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Split } from '../../shared/experiment.ts';
import { sampleIds, splitCases } from './split.ts';

const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => String(index + 1));

function sizes(count: number, split: Split): number[] {
  const names = [...splitCases(numbered(count), split, 42).values()];
  return [split.test, split.train, split.validation].map(
    (_, index) => names.filter((name) => name === (['test', 'train', 'validation'] as const)[index]).length,
  );
}

const distinctIds = fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 60 });
const shares = fc
  .tuple(fc.nat({ max: 10 }), fc.nat({ max: 10 }), fc.nat({ max: 10 }))
  .filter((parts) => parts.some((part) => part > 0))
  .map(([test, train, validation]) => {
    const sum = test + train + validation;
    return { test: test / sum, train: train / sum, validation: validation / sum };
  });

describe('splitCases', () => {
  it('has the sizes of the shares', () => {
    expect(sizes(1412, { test: 0.6, train: 0.2, validation: 0.2 })).toEqual([847, 282, 283]);
    expect(sizes(10, { test: 1, train: 0, validation: 0 })).toEqual([10, 0, 0]);
    expect(sizes(5, { test: 0, train: 0, validation: 1 })).toEqual([0, 0, 5]);
    expect(sizes(5, { test: 0, train: 1, validation: 0 })).toEqual([0, 5, 0]);
    expect(sizes(5, { test: 0.5, train: 0.5, validation: 0 })).toEqual([3, 2, 0]);
    expect(sizes(1, { test: 0.5, train: 0.5, validation: 0 })).toEqual([1, 0, 0]);
    expect(sizes(3, { test: 0.5, train: 0, validation: 0.5 })).toEqual([2, 0, 1]);
    expect(sizes(0, { test: 1, train: 0, validation: 0 })).toEqual([0, 0, 0]);
  });

  it('is a partition that gives nothing to a share of 0, for any order of the ids', () => {
    fc.assert(
      fc.property(distinctIds, shares, fc.nat(), (ids, split, seed) => {
        const dealt = splitCases(ids, split, seed);
        expect([...dealt.keys()].toSorted()).toEqual(ids.toSorted());
        for (const name of dealt.values()) expect(split[name]).toBeGreaterThan(0);
        const again = splitCases(ids.toReversed(), split, seed);
        for (const [id, name] of dealt) expect(again.get(id)).toBe(name);
      }),
    );
  });

  it('changes with the seed', () => {
    const half = { test: 0.5, train: 0.5, validation: 0 };
    expect([...splitCases(numbered(40), half, 1)]).not.toEqual([...splitCases(numbered(40), half, 2)]);
  });
});

describe('sampleIds', () => {
  it('extends a smaller sample, and does not depend on the order of the ids', () => {
    fc.assert(
      fc.property(distinctIds, fc.nat({ max: 60 }), fc.nat({ max: 60 }), fc.nat(), (ids, a, b, seed) => {
        const [small, large] = [Math.min(a, b), Math.max(a, b)];
        const larger = sampleIds(ids, large, seed);
        expect(larger.slice(0, small)).toEqual(sampleIds(ids.toReversed(), small, seed));
        expect(larger).toHaveLength(Math.min(large, ids.length));
        expect(new Set(larger).size).toBe(larger.length);
      }),
    );
  });

  it('is the same on every machine', () => {
    expect(sampleIds(numbered(1412), 5, 42)).toEqual(['1036', '411', '359', '457', '817']);
  });

  it('takes all of them without a number', () => {
    expect(sampleIds(numbered(9), undefined, 3).toSorted()).toEqual(numbered(9));
  });
});
