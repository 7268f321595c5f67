import fc from 'fast-check';
import { expect, test } from 'vitest';
import { align, byPosition, correspond } from './comparing.ts';

const names = fc.array(fc.constantFrom('opening', 'rebuttal', 'closing', 'ruling'), { maxLength: 12 });

test('every turn of both trials is in one row, in the order of the first, next to the turn of the same name in the other', () => {
  fc.assert(
    fc.property(names, names, (a, b) => {
      const rows = align(
        a.map((name, at) => ({ name, at })),
        b.map((name, at) => ({ name, at })),
        ({ name }) => name,
      );
      expect(rows.flatMap((row) => row.a?.name ?? [])).toEqual(a);
      expect(rows.flatMap((row) => row.b?.at ?? []).toSorted((one, other) => one - other)).toEqual([...b.keys()]);
      for (const row of rows) if (row.a !== null && row.b !== null) expect(row.a.name).toBe(row.b.name);
      const alone = (side: 'a' | 'b') => rows.flatMap((row) => (row.a === null || row.b === null ? (row[side]?.name ?? []) : []));
      expect(alone('a').filter((name) => alone('b').includes(name))).toEqual([]);
    }),
  );
});

test('equal trials have no turn alone', () => {
  fc.assert(
    fc.property(names, (all) => {
      expect(align(all, all, String).filter(({ a, b }) => a === null || b === null)).toEqual([]);
    }),
  );
});

test('trials with few turns in common are not compared, and are shown row by row', () => {
  const [court, debate] = [
    ['opening', 'rebuttal', 'closing'],
    ['position', 'rating', 'closing', 'ruling'],
  ];
  expect(correspond(align(court, debate, String))).toBe(false);
  expect(correspond(align(court, [...court, 'ruling'], String))).toBe(true);
  expect(byPosition(court, debate).at(-1)).toEqual({ a: null, b: 'ruling' });
});
