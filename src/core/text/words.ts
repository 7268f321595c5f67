/**
 * Counts words where spaces part them and where they do not.
 *
 * Han, Hiragana and Katakana are written without spaces, and so are Thai, Lao, Burmese and Khmer: there two characters
 * (of the first three) or five (of the others, whose vowels and tones are characters of their own) count as a word,
 * about the mean length of words in each. Everything else is a word from space to space. The rule is fixed by code points:
 * a segmenter that knows dictionaries would change with the version of its data, and a recorded trial could not be
 * derived again from its answers.
 *
 * Limits: a count of such texts is an estimate, and a piece may end inside a word.
 */

/** Hiragana, Katakana, Han, with the marks that repeat or lengthen them. */
const paired =
  '\\u3005-\\u3007\\u3041-\\u3096\\u309d-\\u309f\\u30a1-\\u30fa\\u30fc-\\u30ff\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\uff66-\\uff9d\\u{20000}-\\u{3ffff}';
/** Thai, Lao, Burmese and Khmer. */
const spaceless = '\\u0e01-\\u0e7f\\u0e81-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff';
/** Signs that belong to the character before them: voicing, vowels above and below, tones, forms. */
const attached =
  '\\u3099\\u309a\\u0e31\\u0e34-\\u0e3a\\u0e47-\\u0e4e\\u0eb1\\u0eb4-\\u0ebc\\u0ec8-\\u0ecd\\u102b-\\u103e\\u17b6-\\u17d3\\ufe00-\\ufe0f';
/** Punctuation, which is no word by itself next to such characters. */
const punctuation =
  '!-\\/:-@\\[-`{-~\\u2010-\\u2027\\u2030-\\u205e\\u3001-\\u3004\\u3008-\\u303f\\u30fb\\uff01-\\uff0f\\uff1a-\\uff20\\uff3b-\\uff40\\uff5b-\\uff65';

const word = new RegExp(
  `[${punctuation}]*(?:[${paired}]{1,2}|[${spaceless}]{1,5})[${attached}]*[${punctuation}]*|[^\\s${paired}${spaceless}]+`,
  'gu',
);

/** The place of a word in a text: UTF-16 code units, the end exclusive. */
export interface WordPlace {
  readonly start: number;
  readonly end: number;
}

export function wordsIn(text: string): WordPlace[] {
  return [...text.matchAll(word)].map(({ 0: found, index }) => ({ start: index, end: index + found.length }));
}
