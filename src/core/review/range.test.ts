import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quoteOf, rangeOfUnits, unitsOfRange } from './range.ts';

/** Texts with Chinese, Arabic, marks that join, and characters of two code units. */
const texts = fc
  .array(fc.constantFrom('法', '庭', 'العدل', 'e\u0301', '👩🏽‍⚖️', '𠮷', ' ', 'a', '\u200f', '\n'), {
    minLength: 1,
    maxLength: 30,
  })
  .map((parts) => parts.join(''));

test('whatever a page selects, the range has it whole, in whole characters, and comes back as it went', () => {
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
