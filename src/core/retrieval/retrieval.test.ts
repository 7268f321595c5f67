import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomSource } from '../cases/shuffle.ts';
import { nearestByLabel } from './nearest.ts';
import { termIndex } from './termWeights.ts';
import { cosineAt, unitVectors } from './vectors.ts';

/** Cosine of two texts by the formula, term by term over the whole vocabulary. */
function bruteCosine(texts: readonly string[], place: number, query: string): number {
  const terms = (text: string): string[] => [...(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])];
  const weights = (text: string) => {
    const own = terms(text);
    return new Map(
      [...new Set(own)].map((term) => {
        const holding = texts.filter((each) => terms(each).includes(term)).length;
        const count = own.filter((each) => each === term).length;
        return [term, (1 + Math.log(count)) * (Math.log((1 + texts.length) / (1 + holding)) + 1)] as const;
      }),
    );
  };
  const [a, b] = [weights(texts[place] ?? ''), weights(query)];
  const length = (of: ReadonlyMap<string, number>) => Math.sqrt([...of.values()].reduce((sum, each) => sum + each ** 2, 0)) || 1;
  return [...a].reduce((sum, [term, weight]) => sum + weight * (b.get(term) ?? 0), 0) / (length(a) * length(b));
}

const word = fc.constantFrom('roof', 'rain', 'late', 'parcel', 'Vase', 'ünder', '42', 'a');
const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '));

describe('termIndex', () => {
  test('a worked example', () => {
    // N = 2. roof: n = 2, weight ln(3/3) + 1 = 1. rain: n = 1, weight ln(3/2) + 1 = 1.4055.
    const { similarities } = termIndex(['roof rain', 'roof roof']);
    const rain = Math.log(3 / 2) + 1;
    const [first = 0, second = 0] = similarities('rain');
    expect(first).toBeCloseTo(rain / Math.hypot(1, rain), 12);
    expect(second).toBe(0);
  });

  test('the cosines are those of the formula, for every text', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), text, (texts, query) => {
        const found = termIndex(texts).similarities(query);
        texts.forEach((_text, place) => {
          expect(found[place]).toBeCloseTo(bruteCosine(texts, place, query), 9);
        });
      }),
      { numRuns: 60 },
    );
  });
});

describe('vectors', () => {
  test('the cosine of vectors of any length', () => {
    const units = unitVectors(Float32Array.from([3, 4, 0, 0, -6, -8]), 2);
    const { values } = unitVectors(Float32Array.from([4, 3]), 2);
    // (3 4)·(4 3) / 25 = 0.96; no direction, no likeness; the opposite direction
    expect([0, 1, 2].map((place) => cosineAt(units, place, values))).toEqual([
      expect.closeTo(0.96, 6),
      0,
      expect.closeTo(-0.96, 6),
    ]);
  });
});

describe('nearestByLabel', () => {
  const labels = ['a', 'b', 'c'];

  test('finds what sorting everything finds', () => {
    const candidates = fc.array(
      fc.record({ label: fc.constantFrom(...labels, 'other'), cosine: fc.integer({ min: -4, max: 4 }) }),
      {
        maxLength: 40,
      },
    );
    fc.assert(
      fc.property(candidates, fc.integer({ min: 1, max: 3 }), fc.nat(), (drawn, perLabel, left) => {
        const known = drawn.map(({ label, cosine }, index) => ({ id: `c${index * 7}`, label, cosine: cosine / 4 }));
        const out = known.length === 0 ? -1 : left % known.length;
        const found = nearestByLabel(known, (place) => (place === out ? null : (known[place]?.cosine ?? 0)), labels, perLabel);
        const sorted = labels.flatMap((label) =>
          known
            .filter((each, place) => each.label === label && place !== out)
            .toSorted((x, y) => y.cosine - x.cosine || (x.id < y.id ? -1 : 1))
            .slice(0, perLabel),
        );
        expect(found.map(({ candidate, similarity }) => [candidate.id, similarity])).toEqual(
          sorted.map(({ id, cosine }) => [id, cosine]),
        );
      }),
    );
  });

  test('rounding takes no cosine past its bounds', () => {
    const [found] = nearestByLabel([{ id: 'x', label: 'a' }], () => 1.0000000000000002, labels, 1);
    expect(found?.similarity).toBe(1);
  });

  test('of 2,000 vectors the nearest are those of a full sort, by another way of reckoning', () => {
    const random = randomSource(3, 'vectors');
    const dimensions = 24;
    const raw = Float32Array.from({ length: 2000 * dimensions }, () => random.next() - 0.5);
    const units = unitVectors(raw, dimensions);
    const known = Array.from({ length: 2000 }, (_, index) => ({ id: String(index), label: labels[index % 3] ?? '' }));
    for (let query = 0; query < 20; query++) {
      const own = raw.slice(query * dimensions, (query + 1) * dimensions);
      const unit = unitVectors(own, dimensions).values;
      const found = nearestByLabel(known, (place) => (place === query ? null : cosineAt(units, place, unit)), labels, 2);
      // The nearest by cosine are the nearest by the distance of unit vectors.
      const distance = (place: number) =>
        unit.reduce((sum, value, at) => sum + (value - (units.values[place * dimensions + at] ?? 0)) ** 2, 0);
      const expected = labels.flatMap((label) =>
        known
          .map(({ id, label: known_ }, place) => ({ id, label: known_, far: distance(place), place }))
          .filter((each) => each.label === label && each.place !== query)
          .toSorted((x, y) => x.far - y.far)
          .slice(0, 2),
      );
      expect(found.map(({ candidate }) => candidate.id)).toEqual(expected.map(({ id }) => id));
    }
  });
});
