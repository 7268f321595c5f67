import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nearest, quoteOf, rangeOfUnits, unitsOfRange } from './range.ts';

/** Texts with Chinese, Arabic, marks that join, and characters of two code units. */
const texts = fc
  .array(fc.constantFrom('法', '庭', 'العدل', 'e\u0301', '👩🏽‍⚖️', '𠮷', ' ', 'a', '\u200f', '\n'), {
    minLength: 1,
    maxLength: 30,
  })
  .map((parts) => parts.join(''));

test('the range has all that a page selects, in whole characters, and comes back unchanged', () => {
  fc.assert(
    fc.property(texts, fc.nat(), fc.nat(), (text, one, other) => {
      const ends = [one % (text.length + 1), other % (text.length + 1)];
      const [from, to] = [Math.min(...ends), Math.max(...ends)];
      const range = rangeOfUnits(text, from, to);
      const quote = quoteOf(text, range);
      expect(quote === null).toBe(from === to && range.start === range.end);
      if (quote === null) return;
      expect(quote.isWellFormed()).toBe(true);
      expect(quote).toContain(text.slice(from, to));
      const { start, end } = unitsOfRange(text, range);
      expect(text.slice(start, end)).toBe(quote);
      expect(quote.length - (to - from)).toBeLessThanOrEqual(2);
    }),
  );
});

test('a range that a text does not have has no words', () => {
  expect(quoteOf('𠮷野家', { start: 0, end: 1 })).toBe('𠮷');
  for (const [start, end] of [
    [0, 4],
    [1, 1],
    [2, 1],
    [-1, 2],
  ] as const)
    expect(quoteOf('𠮷野家', { start, end })).toBeNull();
});

test.each([
  ['words within the chosen ones', 'cat big cat', 'cat', { start: 4, end: 11 }, 8],
  ['the chosen words again later', 'a cat, a cat, a cat', 'cat', { start: 7, end: 12 }, 9],
  ['words only before', 'one two', 'one', { start: 4, end: 7 }, 0],
  ['words only after', 'one two', 'two', { start: 0, end: 3 }, 4],
  ['words on both sides, the ones before nearer', 'x x big ... x', 'x', { start: 4, end: 7 }, 2],
  ['words that are nowhere', 'one two', 'six', { start: 4, end: 7 }, -1],
])('%s are found where they were meant', (_what, text, words, chosen, place) => {
  expect(nearest(text, words, chosen)).toBe(place);
});
