import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { longestFirstAtEnd, orderTrials, type Schedulable } from './order.ts';

const models: Readonly<Record<string, readonly string[]>> = {
  a: ['m1'],
  b: ['m2'],
  c: ['m1', 'm2'],
  d: ['m2', 'm1', 'm1'],
  e: ['m1'],
};
const modelsOf = (arm: string) => models[arm] ?? [];
const groupOf = (arm: string) => [...new Set(modelsOf(arm))].toSorted().join();

type Trial = Schedulable & { readonly id: number };

const trials = (): fc.Arbitrary<Trial[]> =>
  fc
    .array(
      fc.record({
        arm: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
        replicate: fc.nat(2),
        position: fc.nat(5),
        running: fc.boolean(),
      }),
      { maxLength: 40 },
    )
    .map((list) => list.map((trial, id) => ({ ...trial, id })));

describe('orderTrials', () => {
  test('gives every trial once, and leaves its input as it was', () => {
    fc.assert(
      fc.property(trials(), (list) => {
        const before = structuredClone(list);
        const ordered = orderTrials(list, modelsOf);
        expect(list).toEqual(before);
        expect(ordered.map(({ id }) => id).toSorted((x, y) => x - y)).toEqual(list.map(({ id }) => id));
      }),
    );
  });

  test('started trials come first, then each set of models once', () => {
    fc.assert(
      fc.property(trials(), (list) => {
        const ordered = orderTrials(list, modelsOf);
        const started = ordered.filter(({ running }) => running);
        expect(ordered.slice(0, started.length)).toEqual(started);
        for (const part of [started, ordered.slice(started.length)]) {
          const groups = part.map(({ arm }) => groupOf(arm)).filter((group, index, all) => group !== all[index - 1]);
          expect(new Set(groups).size).toBe(groups.length);
        }
      }),
    );
  });

  test('within a set of models, all arms have a case before the next case comes, and replicates follow each other', () => {
    fc.assert(
      fc.property(trials(), (list) => {
        const ordered = orderTrials(list, modelsOf).filter(({ running }) => !running);
        for (const group of new Set(ordered.map(({ arm }) => groupOf(arm)))) {
          const places = ordered
            .filter(({ arm }) => groupOf(arm) === group)
            .map(({ replicate, position }) => replicate * 100 + position);
          expect(places).toEqual(places.toSorted((x, y) => x - y));
        }
      }),
    );
  });

  test('the order of the file decides between sets of models, and nothing is needed for no trials', () => {
    const list = ['b', 'a', 'd', 'c'].map((arm) => ({ arm, position: 0, replicate: 0, running: false }));
    expect(orderTrials(list, modelsOf).map(({ arm }) => arm)).toEqual(['b', 'a', 'd', 'c']);
    expect(orderTrials([], modelsOf)).toEqual([]);
  });
});

describe('longestFirstAtEnd', () => {
  test('moves nothing but the last two rounds, which then begin with the longest', () => {
    fc.assert(
      fc.property(trials(), fc.integer({ min: 1, max: 8 }), (list, atATime) => {
        const work = ({ id }: Trial) => (id * 7) % 5;
        const ordered = orderTrials(list, modelsOf);
        const moved = longestFirstAtEnd(ordered, work, atATime);
        const end = Math.max(list.filter(({ running }) => running).length, list.length - 2 * atATime);
        expect(moved.slice(0, end)).toEqual(ordered.slice(0, end));
        expect(moved.toSorted((a, b) => a.id - b.id)).toEqual(list);
        const last = moved.slice(end).map(work);
        expect(last).toEqual(last.toSorted((a, b) => b - a));
      }),
    );
  });
});
