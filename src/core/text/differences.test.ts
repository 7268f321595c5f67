import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changedLines, differencesOf, markedChanges, nearDifferences } from './differences.ts';

const textOf = (pieces: readonly { text: string }[]) => pieces.map(({ text }) => text).join('');
const words = fc
  .array(fc.constantFrom('two', 'arrests', 'no', 'work', ',', '\n', 'é', '證據'), { maxLength: 30 })
  .map((all) => all.join(' '));

test('the pieces are the texts, and what both have is the same in both', () => {
  fc.assert(
    fc.property(words, words, (a, b) => {
      const found = differencesOf(a, b);
      if (found === null) return;
      expect([textOf(found.a), textOf(found.b)]).toEqual([a, b]);
      const shared = (pieces: typeof found.a) => textOf(pieces.filter(({ isOwn }) => !isOwn));
      expect(shared(found.a)).toBe(shared(found.b));
      // With their marks taken out, marked changes are the first or the second text.
      const marked = markedChanges(a, b) ?? '';
      if (!marked.includes('…'))
        expect([
          marked.replaceAll(/\{\+[\s\S]*?\+\}/g, '').replaceAll(/\[-|-\]/g, ''),
          marked.replaceAll(/\[-[\s\S]*?-\]/g, '').replaceAll(/\{\+|\+\}/g, ''),
        ]).toEqual([a, b]);
    }),
  );
});

test('texts with little in common are not taken apart', () => {
  expect(differencesOf('The arrests weigh most.', 'Nobody saw him leave, and nobody can.')).toBeNull();
  // The same frame of words around other facts, of which nearly every word would be marked.
  const [one, other] = ['age is 73 speaks for "denied"', 'district is Tannery leads to "granted"'];
  expect(differencesOf(`The fact that ${one}.`, `The fact that ${other}.`)).toBeNull();
  expect(differencesOf('Two arrests.', 'Three arrests.')?.b).toEqual([
    { text: 'Three', isOwn: true },
    { text: ' arrests.', isOwn: false },
  ]);
});

test('near the differences both texts keep what is theirs, and what is left out is the same in both', () => {
  const long = 'a word or two '.repeat(60);
  const found = differencesOf(`${long}left ${long}`, `${long}right ${long}`);
  const [a, b] = [nearDifferences(found?.a ?? []), nearDifferences(found?.b ?? [])];
  expect(a.filter(({ isOwn }) => isOwn).map(({ text }) => text)).toEqual(
    found?.a.filter(({ isOwn }) => isOwn).map(({ text }) => text),
  );
  expect(a.map(({ text }) => text).join('')).toMatch(/^… .*two left a word .*…$/s);
  expect(a.filter(({ isOwn }) => !isOwn)).toEqual(b.filter(({ isOwn }) => !isOwn));
  expect(nearDifferences([{ text: long, isOwn: false }])).toEqual([{ text: long, isOwn: false }]);
});

test('of lines those are given that the other text lacks, at most 20 of each, and the rest is counted', () => {
  expect(changedLines('a\nb\nc', 'a\nx\nc')).toEqual({ a: 'b', b: 'x', more: 0 });
  const lines = (name: string, count: number) => Array.from({ length: count }, (_each, at) => `${name}${at}`).join('\n');
  const many = changedLines(lines('a', 25), lines('b', 23));
  expect([many.a.split('\n').length, many.b.split('\n').length, many.more]).toEqual([20, 20, 8]);
  expect(changedLines(lines('a', 4000), lines('b', 4000)).more).toBe(7960);
});
