import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomSource, shuffled } from './shuffle.ts';

describe('randomSource', () => {
  it('gives the same numbers for a seed and purpose on every machine', () => {
    const random = randomSource(42, 'golden');
    expect(Array.from({ length: 6 }, () => random.below(1000))).toEqual([664, 704, 635, 319, 367, 806]);
    expect(random.next()).toBe(0.06426184059827367);
  });

  it('gives other numbers for another seed or purpose', () => {
    const draw = (seed: number, purpose: string): number[] => {
      const random = randomSource(seed, purpose);
      return Array.from({ length: 8 }, () => random.below(1_000_000));
    };
    expect(draw(1, 'a')).not.toEqual(draw(2, 'a'));
    expect(draw(1, 'a')).not.toEqual(draw(1, 'b'));
    expect(draw(1, '1')).not.toEqual(draw(11, ''));
  });

  it('stays in range', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.integer({ min: 1, max: 2 ** 32 }), (seed, n) => {
        const random = randomSource(seed, 'range');
        for (let i = 0; i < 20; i += 1) {
          const integer = random.below(n);
          expect(Number.isInteger(integer) && integer >= 0 && integer < n).toBe(true);
          const share = random.next();
          expect(share >= 0 && share < 1).toBe(true);
        }
      }),
    );
  });

  it('refuses a range or seed that is no integer', () => {
    const random = randomSource(1, 'x');
    for (const n of [0, -1, 1.5, Number.NaN, 2 ** 32 + 1]) expect(() => random.below(n)).toThrow(RangeError);
    expect(() => randomSource(0.5, 'x')).toThrow(RangeError);
  });
});

describe('shuffled', () => {
  it('is a permutation that leaves its input alone', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.nat(), (items, seed) => {
        const before = [...items];
        const result = shuffled(items, randomSource(seed, 's'));
        expect(items).toEqual(before);
        expect(result.toSorted((a, b) => a - b)).toEqual(before.toSorted((a, b) => a - b));
      }),
    );
  });

  it('keeps undefined items', () => {
    expect(shuffled([undefined, undefined], randomSource(1, 's'))).toEqual([undefined, undefined]);
  });

  it('makes every order equally likely', () => {
    const random = randomSource(7, 'orders');
    const counts = new Map<string, number>();
    const rounds = 24_000;
    for (let round = 0; round < rounds; round += 1) {
      const order = shuffled(['a', 'b', 'c', 'd'], random).join('');
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    const expected = rounds / 24;
    const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    expect(counts.size).toBe(24);
    // 0.999 quantile of chi square with 23 degrees of freedom.
    expect(chiSquare).toBeLessThan(49.73);
  });
});
