import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupOrder, loadsOf, type Models } from './order.ts';

const group = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1, maxLength: 3 });
const groups = (maxLength: number) =>
  fc.array(group, { maxLength }).map((list): Models[] => list.map((models) => new Set(models)));

const inOrder = (list: readonly Models[], order: readonly number[]) => order.map((index) => list[index] ?? new Set<string>());

function* permutations(left: readonly number[]): Generator<number[]> {
  if (left.length === 0) yield [];
  for (const first of left) {
    for (const rest of permutations(left.filter((each) => each !== first))) yield [first, ...rest];
  }
}

test('every group is in the order once, and no more models are loaded than in the order of the file', () => {
  fc.assert(
    fc.property(groups(12), fc.integer({ min: 1, max: 4 }), (list, room) => {
      const order = groupOrder(list, room);
      expect(order.toSorted((a, b) => a - b)).toEqual([...list.keys()]);
      expect(loadsOf(inOrder(list, order), room)).toBeLessThanOrEqual(loadsOf(list, room));
    }),
  );
});

test('of up to six groups as few models are loaded as in the best of all orders', () => {
  fc.assert(
    fc.property(groups(6), fc.integer({ min: 1, max: 4 }), (list, room) => {
      const loads = [...permutations([...list.keys()])].map((order) => loadsOf(inOrder(list, order), room));
      expect(loadsOf(inOrder(list, groupOrder(list, room)), room)).toBe(Math.min(...loads));
    }),
    { numRuns: 200 },
  );
});

test('a model is loaded when it is not there, and what was asked longest ago makes room', () => {
  const sets = (...lists: string[]) => lists.map((models) => new Set(models));
  expect(loadsOf(sets('a', 'b', 'a'), 1)).toBe(3);
  expect(loadsOf(sets('a', 'b', 'a'), 2)).toBe(2);
  expect(loadsOf(sets('a', 'b', 'c', 'a'), 2)).toBe(4);
  expect(loadsOf(sets('ab', 'c', 'b'), 2)).toBe(3);
  expect(loadsOf(sets('abc', 'a'), 1)).toBe(3);
});

test('six arms over three models of which two fit: each model is loaded as seldom as can be', () => {
  const list = ['ab', 'c', 'a', 'bc', 'b', 'ac'].map((models) => new Set(models));
  expect(loadsOf(list, 2)).toBe(6);
  expect(loadsOf(inOrder(list, groupOrder(list, 2)), 2)).toBe(4);
});
