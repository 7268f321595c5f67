import fc from 'fast-check';
import { expect, test } from 'vitest';
import { alikePairs } from './alikePairs.ts';

test('property: each pair occurs as often as all items that are alike, whether few of them differ or most', () => {
  const item = fc.tuple(fc.constantFrom(0.5, 0.9, Number.NaN), fc.constantFrom(0, 1), fc.nat(4));
  fc.assert(
    fc.property(fc.array(item, { maxLength: 60 }), (items) => {
      const { x, y, under } = alikePairs(
        items.map(([first]) => first),
        items.map(([, second]) => second),
      );
      const weights = under(Uint32Array.from(items, ([, , weight]) => weight));
      expect(weights).toHaveLength(x.length);
      const occurrences = (pairs: readonly (readonly [number, number, number])[]) => {
        const counted = new Map<string, number>();
        for (const [first, second, times] of pairs) {
          const name = `${first} ${second}`;
          counted.set(name, (counted.get(name) ?? 0) + times);
        }
        return counted;
      };
      const expected = occurrences(items);
      expect(occurrences(Array.from(x, (first, place) => [first, y[place] ?? 0, weights[place] ?? 0]))).toEqual(expected);
      if (items.length >= 24) expect(x.length).toBe(expected.size);
    }),
  );
});
