import type { JsonSchema } from '../../shared/model.ts';
import { type JsonReader, jsonReader } from './jsonReader.ts';

/**
 * Finds out, while a model still writes, that it has started to say the same thing over and over: the usual failure of
 * small models, which otherwise ends only at a limit.
 *
 * A text loops where its end is one stretch repeated. The stretch has at most 500 characters, and it must occur 3 times,
 * and fill 240 characters. A shorter loop costs less than the new attempt that follows a cut, which reads the whole prompt
 * again: most texts that a schema asks for end by its limit of 200 to 600 characters. So a period of p characters is found
 * at the latest 240 + 4p characters after the loop began.
 *
 * In JSON only what is said counts: the stretch must hold a letter of a string that is neither a key nor a choice that the
 * schema gives. A hundred zeros, equal numbers under other keys, `true` in a list, or objects of keys, choices and numbers
 * are no loop. Nor are equal items of a list as long as the schema admits another one: a steady judge
 * gives them, and the list ends. Beyond, and where an object has a key again, everything counts. In prose every letter
 * counts.
 *
 * Without a letter, these are loops: numbers with nothing but blanks between them, which make no list; blanks and signs
 * without a letter or digit, which grammars and broken weights produce without end, 200 in a row, escaped or not; a key
 * of more than 200 characters, if the schema has none; 50 brackets that are open. A line of dashes or an indentation is
 * shorter.
 *
 * Limits: a loop that counts ("1. high 2. high"), or that changes a word each time, is not found; the limits of the
 * schema and of the call end it. Where prose opens a bracket and never closes it, what follows is read as JSON: a loop with
 * a comma in it is not found there.
 */

const longestPeriod = 500;
const fewestCharacters = 240;
const mostFiller = 200;
const ring = 512;
/** A place further back than any period, from the start of a text as well. */
const never = -longestPeriod - 1;

/** What a character is: several at once, as bits. Half of a character of two UTF-16 units, read by itself, may be a letter. */
const letter = 1;
const digit = 2;
const blank = 4;
/** Occurs in and between numbers that make no list. */
const ofNumbers = 8;

const kinds: readonly (readonly [number, RegExp])[] = [
  [letter, /[\p{L}\ud800-\udfff]/u],
  [digit, /\p{Nd}/u],
  [blank, /\s/],
  [ofNumbers, /[\p{Nd}\s.+-]/u],
];

const foundKind = (character: string): number =>
  kinds.reduce((found, [kind, pattern]) => (pattern.test(character) ? found | kind : found), 0);

/** By code, what a character is, once it was looked at: 0 before. */
const knownKinds = new Uint8Array(2 ** 16);
const isKnown = 16;

const kindOf = (code: number): number => {
  const known = knownKinds[code] ?? 0;
  if (known !== 0) return known;
  const found = foundKind(String.fromCharCode(code)) | isKnown;
  knownKinds[code] = found;
  return found;
};

/** Characters that are looked up together: honest texts rarely have the same eight again. No loop is as short. */
const together = 8;
const lookups = 4096;

/** Length of the repeated stretch, from its first character, that makes a loop of this period. */
const loopLength = (period: number): number => Math.max(fewestCharacters, 3 * period);

/** Characters that are watched: no answer of a model is longer, and what a hostile server sends must not cost time without end. */
const mostWatched = 200_000;

/** Takes each piece of a text as it comes; returns whether the text loops by now. */
export type LoopWatch = (piece: string) => boolean;

/** Prose, of which all is said. */
const proseReader: JsonReader = { isPlain: () => true, read: () => 'said', meant: () => '' };

/** Watches one text as it grows. @param form `prose`, such as thoughts; else the schema of an answer in JSON */
export function loopWatch(form: JsonSchema | 'prose'): LoopWatch {
  const { isPlain, read, meant } = form === 'prose' ? proseReader : jsonReader(form);
  // One piece of memory: to fetch five would cost as much as to read a short answer.
  const memory = new Int32Array(2 * (longestPeriod + 1) + 2 * ring + lookups);
  let taken = 0;
  const take = (length: number) => {
    taken += length;
    return memory.subarray(taken - length, taken);
  };
  /** By period: how many characters up to `metAt` are the same as those one period before. */
  const same = take(longestPeriod + 1);
  const metAt = take(longestPeriod + 1);
  /** In a ring: the characters, and where a stretch like the one that ends at a place ended before. */
  const codes = take(ring);
  const before = take(ring);
  /** Where a stretch ended last, by a hash of it. */
  const lastPlace = take(lookups).fill(never);
  let lastCodes = 0;
  let at = 0;
  let lastSaid = Number.NEGATIVE_INFINITY;
  let lastNext = Number.NEGATIVE_INFINITY;
  let filler = 0;
  /** Characters in a row that are of numbers, or of words without quotes in JSON. */
  let bare = 0;
  let looping = false;

  /** Takes note of what a character is; whether it shows a loop by itself. */
  const note = (code: number): boolean => {
    const plain = isPlain(code);
    const place = plain ? 'said' : read(String.fromCharCode(code));
    if (place === 'escape') return false;
    const said = place === 'said';
    const kind = kindOf(plain ? code : meant().charCodeAt(0));
    const isLetter = (kind & letter) !== 0;
    if ((said && isLetter) || place === 'again') lastSaid = at;
    if (place === 'next') lastNext = at;
    filler = (kind & blank) !== 0 || (said && (kind & (letter | digit)) === 0) ? filler + 1 : 0;
    bare = place === 'bare' || (said && (kind & ofNumbers) !== 0) ? bare + 1 : 0;
    return filler >= mostFiller || place === 'endless';
  };

  const endsAlike = (place: number): boolean => {
    for (let back = 0; back < together; back++) if (codes[(at - back) % ring] !== codes[(place - back) % ring]) return false;
    return true;
  };

  /** Whether the text loops with this character at its end. */
  const add = (code: number): boolean => {
    let found = note(code);
    codes[at % ring] = code;
    lastCodes = (lastCodes << (32 / together)) ^ code;
    const lookup = Math.imul(lastCodes, 0x9e3779b1) >>> 20;
    const previous = at < together - 1 ? never : (lastPlace[lookup] ?? never);
    // Only periods at which the last eight occur again: the others are shorter than that.
    for (let place = previous; at - place <= longestPeriod; place = before[place % ring] ?? never) {
      if (!endsAlike(place)) continue;
      const period = at - place;
      const repeated = metAt[period] === at - 1 ? (same[period] ?? 0) + 1 : together;
      same[period] = repeated;
      metAt[period] = at;
      if (repeated + period < loopLength(period)) continue;
      if ((lastSaid > at - period && lastNext <= at - period) || bare >= loopLength(period)) found = true;
    }
    before[at % ring] = previous;
    if (at >= together - 1) lastPlace[lookup] = at;
    at += 1;
    return found;
  };

  return (piece) => {
    for (let index = 0; index < piece.length && !looping && at < mostWatched; index++) looping = add(piece.charCodeAt(index));
    return looping;
  };
}
