import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wordsIn } from './words.ts';

const piecesOf = (text: string) => wordsIn(text).map(({ start, end }) => text.slice(start, end));

test.each([
  ['He said: "Go!" — and (so) went.', ['He', 'said:', '"Go!"', '—', 'and', '(so)', 'went.']],
  ['한국어는 띄어 쓴다.', ['한국어는', '띄어', '쓴다.']],
  ['被告人无罪。', ['被告', '人无', '罪。']],
  ['「はい」、ガラスだ！', ['「はい」、', 'ガラ', 'スだ！']],
  ['判决 2 年', ['判决', '2', '年']],
  ['GPU版です', ['GPU', '版で', 'す']],
  ['か\u3099き\u3099く\u3099', ['か\u3099', 'き\u3099', 'く\u3099']],
  ['จำเลยไม่มีความผิด', ['จำเลย', 'ไม่มี', 'ความผิ', 'ด']],
  ['!!! ... ?', ['!!!', '...', '?']],
  ['', []],
])('%j has the words %j', (text, words) => {
  expect(piecesOf(text)).toEqual(words);
});

describe('for any text', () => {
  const letters = fc.constantFrom('a', 'Ж', 'ß', '가', '7', '.', '(', '—', '’', '😀', '\u0301', ' ', '\n', '\u00a0', '\u3000');
  const spaced = fc.array(letters, { maxLength: 60 }).map((parts) => parts.join(''));
  const mixed = fc
    .array(fc.oneof(letters, fc.constantFrom('判', 'の', 'ー', '。', '「', 'ก', '่', 'ា', '\u309a', '𠀋')), { maxLength: 60 })
    .map((parts) => parts.join(''));

  test('without characters of scripts that have no spaces, a word is what spaces part', () => {
    fc.assert(
      fc.property(spaced, (text) => {
        expect(piecesOf(text)).toEqual(text.match(/\S+/gu) ?? []);
      }),
    );
  });

  test('words are all of the text but its spaces, none of them empty', () => {
    fc.assert(
      fc.property(mixed, (text) => {
        const words = piecesOf(text);
        expect(words.join('')).toBe(text.replaceAll(/\s/gu, ''));
        expect(words).not.toContain('');
      }),
    );
  });
});

test('a long run of punctuation is read once', () => {
  expect(wordsIn('!'.repeat(200_000))).toEqual([{ start: 0, end: 200_000 }]);
});
