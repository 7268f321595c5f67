import fc from 'fast-check';
import { expect, test } from 'vitest';
import { align, byPosition, correspond, differencesOf } from './alignment.ts';

const names = fc.array(fc.constantFrom('opening', 'rebuttal', 'closing', 'ruling'), { maxLength: 12 });
const textOf = (pieces: readonly { text: string }[]) => pieces.map(({ text }) => text).join('');
const words = fc
  .array(fc.constantFrom('two', 'arrests', 'no', 'work', ',', '\n', 'é', '證據'), { maxLength: 30 })
  .map((all) => all.join(' '));

test('every turn of both trials is in one row, in its order, next to one of its own name', () => {
  fc.assert(
    fc.property(names, names, (a, b) => {
      const rows = align(
        a.map((name, at) => ({ name, at })),
        b.map((name, at) => ({ name, at })),
        ({ name }) => name,
      );
      expect(rows.flatMap((row) => row.a?.name ?? [])).toEqual(a);
      expect(rows.flatMap((row) => row.b?.name ?? [])).toEqual(b);
      for (const row of rows) if (row.a !== null && row.b !== null) expect(row.a.name).toBe(row.b.name);
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

test('the pieces are the texts, and what both have is the same in both', () => {
  fc.assert(
    fc.property(words, words, (a, b) => {
      const found = differencesOf(a, b);
      if (found === null) return;
      expect([textOf(found.a), textOf(found.b)]).toEqual([a, b]);
      const shared = (pieces: typeof found.a) => textOf(pieces.filter(({ isOwn }) => !isOwn));
      expect(shared(found.a)).toBe(shared(found.b));
    }),
  );
});

test('texts with little in common are not taken apart', () => {
  expect(differencesOf('The arrests weigh most.', 'Nobody saw him leave, and nobody can.')).toBeNull();
  expect(differencesOf('Two arrests.', 'Three arrests.')?.b).toEqual([
    { text: 'Three', isOwn: true },
    { text: ' arrests.', isOwn: false },
  ]);
});
