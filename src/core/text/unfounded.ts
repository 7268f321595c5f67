/**
 * Numbers and quotes in a speech that are not among the facts of its case. A note for the reader, never a verdict on the speech: a
 * number can be right without being a fact. It errs on the side of silence: what is not a claim about the case is passed over.
 *
 * Taken as found: a number in any fact, its name (`hhsize97` has 97 and 1997), the question or a label, written in any way
 * ("1,204", "1.204", "12.5%", "12,5", "third", "0.2" for "20%", rounded to fewer digits); and the sum or the difference of two
 * numbers that are in the facts and in the same text. Passed over: numbering of lists, references such as [2] and "turn 3",
 * lengths asked for ("in at most 40 words"), scales ("out of 10"), and how sure somebody is ("70% confident"). Of numbers in words
 * only those that count something that the facts name.
 */

import { readOnce } from '../../shared/remembered.ts';

export interface Unfounded {
  /** In UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  readonly kind: 'number' | 'quote';
}

export interface Sources {
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  /** Other texts whose numbers and words are known: the question, the labels, earlier cases. */
  readonly others?: readonly string[];
  /** What was said in the trial. */
  readonly speeches?: readonly string[];
}

export const cardinals = [
  ...['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve', 'thirteen'],
  ...['fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen', 'twenty'],
];
const ordinals = [
  ...['zeroth', 'first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth', 'eleventh'],
  ...['twelfth', 'thirteenth', 'fourteenth', 'fifteenth', 'sixteenth', 'seventeenth', 'eighteenth', 'nineteenth', 'twentieth'],
];
const spelled = new Map([cardinals, ordinals].flatMap((words) => words.map((word, value) => [word, value] as const)));

/** Digits, with what joins them into one number, a date or a time; not within a word. */
const digits =
  /(?<![\p{L}\p{N}_.,:/-])[+-]?(?:\p{Nd}|(?<=[\s(])[.,]\p{Nd})+(?:[.,:/’'–-]\p{Nd}+)*(?:st|nd|rd|th)?(?![\p{L}\p{N}_])\s?%?/gu;
const words = /[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*/gu;

/** Every number that a token may mean; none for a date or a time. */
function readings(token: string): number[] {
  const isShare = token.endsWith('%');
  const plain = token
    .replace(/(?:st|nd|rd|th)?\s?%?$/u, '')
    .replaceAll(/[’']/gu, '')
    .replace(/^[+-]/u, '');
  const found = new Set<number>();
  if (/^\d*(?:[.,]\d+)?$/.test(plain)) found.add(Number(plain.replace(',', '.')));
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(plain)) found.add(Number(plain.replaceAll(',', '')));
  if (/^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/.test(plain)) found.add(Number(plain.replaceAll('.', '').replace(',', '.')));
  return [...found].flatMap((value) => (isShare ? [value, value / 100] : [value]));
}

const decimals = (value: number): number => `${value}`.split('.')[1]?.length ?? 0;
/** Of numbers, whether one of them is a value, also where it is rounded to the decimals of the value. */
function lookup(numbers: readonly number[]): (value: number) => boolean {
  const rounded = new Map<number, Set<number>>();
  return (value) => {
    const places = decimals(value);
    const unit = 10 ** places;
    const known = rounded.get(places) ?? new Set(numbers.map((each) => Math.round(each * unit)));
    rounded.set(places, known);
    return known.has(Math.round(value * unit));
  };
}
/** Sums and differences are equal to so many decimals. */
const exactly = (value: number): number => Math.round(value * 1e6);

const stemOf = (word: string): string => {
  const lower = word.toLowerCase();
  return lower.length > 3 ? lower.replace(/(?:['’]s|ies|es|s|ed|ing)$/u, '') : lower;
};
const normal = (text: string): string => [...text.matchAll(/[\p{L}\p{M}]+|\p{N}+/gu)].map(([word]) => stemOf(word)).join(' ');

interface Known {
  isGiven(value: number): boolean;
  /** Dates and times as they are written. */
  readonly text: string;
  readonly words: string;
  readonly stems: ReadonlySet<string>;
}

function knownOf({ facts, others = [] }: Sources): Known {
  const texts = [...facts.flatMap(({ name, value }) => [name, value]), ...others];
  const text = texts.join('\n');
  const numbers = new Set(texts.flatMap((each) => [...each.matchAll(digits)].flatMap(([token]) => readings(token))));
  // Digits within a name or a word too: `arrests2002`, `97`.
  for (const [run] of text.matchAll(/\p{Nd}+/gu)) numbers.add(Number(run));
  for (const { name } of facts)
    for (const [run] of name.matchAll(/(?<!\d)\d{2}(?!\d)/g))
      for (const century of [1900, 2000]) numbers.add(century + Number(run));
  for (const [word] of text.matchAll(words)) {
    const value = spelled.get(word.toLowerCase());
    if (value !== undefined) numbers.add(value);
  }
  const stems = new Set(
    normal(facts.map(({ name, value }) => `${name} ${value}`).join(' '))
      .split(' ')
      .filter((stem) => stem.length > 3),
  );
  return { isGiven: lookup([...numbers]), text, words: ` ${texts.map(normal).join(' | ')} `, stems };
}

const isBefore = (text: string, at: number, pattern: RegExp): boolean => pattern.test(text.slice(Math.max(0, at - 60), at));
const isAfter = (text: string, at: number, pattern: RegExp): boolean => pattern.test(text.slice(at, at + 40));

const labelled =
  /(?:^|[\s([])(?:turns?|rounds?|steps?|facts?|points?|items?|arguments?|speech(?:es)?|statements?|paragraphs?|questions?|cases?|exhibits?|agents?|judges?|attorneys?|options?|parts?|numbers?|no\.|#)\s?(?:\d+\s?(?:,|and|or|to|-|–)\s?)*$/iu;
const sureness = /confiden|probab|likel|\bsure\b|certain|chance|belief|believ|odds/iu;

/** Whether a number is no claim about the case. */
function isAside(text: string, start: number, end: number): boolean {
  const token = text.slice(start, end);
  const isSmall = /^[.(]?\d{1,3}$/.test(token);
  // Numbering of a list, at the beginning of a line, a field or a sentence.
  if (
    isSmall &&
    isBefore(text, start, /(?:^|\n|[.!?;:]["”]?\s|[-–*]\s)[\s([{]*$/u) &&
    isAfter(text, end, /^(?:[.):,\]}](?:\s|$)|\s*(?:\n|$))/u)
  )
    return true;
  // [2], [1, 2], {3}, [5
  if (isSmall && isBefore(text, start, /[[{](?:\d{1,3}\s?[,;]\s?)*$/u)) return true;
  if (isBefore(text, start, labelled)) return true;
  if (isAfter(text, end, /^[\s-]?(?:words?|sentences?|characters?|lines?|tokens?)\b/iu)) return true;
  if (isBefore(text, start, /\bout\s+of\s+$/iu) && /^\d+$/.test(token) && [5, 10, 100].includes(Number(token))) return true;
  const from = Math.max(...['. ', '! ', '? ', '\n'].map((mark) => text.lastIndexOf(mark, start) + 1), 0);
  const stop = text.slice(end).search(/[.!?](?:\s|$)|\n/u);
  const sentence = text.slice(from, stop < 0 ? text.length : end + stop);
  const isShare = token.endsWith('%') || /^0?[.,]\d+$|^[01]$/.test(token) || isAfter(text, end, /^\s*(?:per\s?cent|percent)\b/iu);
  return sureness.test(sentence) && (isShare || isBefore(text, start, /(?:confidence|probability|belief)\W*(?:\w+\W+)?$/iu));
}

/** @param operands numbers of the text that are known, as `exactly` has them */
function isKnownNumber(token: string, { isGiven, text }: Known, operands: ReadonlySet<number>): boolean {
  const own = readings(token);
  if (own.some(isGiven)) return true;
  if (own.length === 0) {
    const ends = token.split(/[–-]/);
    // A range, such as 18–24; dates have more parts.
    return text.includes(token.trim()) || (ends.length === 2 && ends.every((end) => readings(end).some(isGiven)));
  }
  return own.map(exactly).some((value) => [...operands].some((one) => operands.has(value - one) || operands.has(one - value)));
}

/** What a number in words counts: one of the next words, if the facts name it. */
function countsNamed(text: string, end: number, { stems }: Known): boolean {
  const next = [...(/^[^.!?;:\n]*/u.exec(text.slice(end, end + 60))?.[0] ?? '').matchAll(words)]
    .slice(0, 3)
    .map(([word]) => stemOf(word));
  return next.some((stem) => stem.length > 3 && [...stems].some((known) => known.includes(stem)));
}

function numbersIn(text: string, known: Known): Unfounded[] {
  const tokens = [...text.matchAll(digits)].map(({ index, 0: token }) => ({ start: index, token: token.trimEnd() }));
  const said = tokens.flatMap(({ token }) => readings(token).slice(0, 1));
  const operands = new Set(said.filter(known.isGiven).map(exactly));
  const inDigits = tokens.filter(
    ({ start, token }) => !isKnownNumber(token, known, operands) && !isAside(text, start, start + token.length),
  );
  const inWords = [...text.matchAll(words)].flatMap(({ index, 0: token }) => {
    const value = spelled.get(token.toLowerCase());
    if (value === undefined || value < 2 || known.isGiven(value) || said.includes(value)) return [];
    const end = index + token.length;
    return countsNamed(text, end, known) && !isAside(text, index, end) ? [{ start: index, token }] : [];
  });
  return [...inDigits, ...inWords].map(({ start, token }) => ({ start, end: start + token.length, kind: 'number' }));
}

/** From a mark that begins a word to the next that ends one. */
const quotes = /(?<![\p{L}\p{N}])["“„«](?=[^\s"])([^"“”„«»\n]{1,200})(?<=\S)["”“»](?![\p{L}\p{N}]|\s*:)/gu;

/**
 * Makes the function that finds, in a text, the numbers and quotes which its sources do not have, in order. Words of another speech may
 * be quoted; its numbers are not known by that.
 */
export function unfoundedFinder(sources: Sources): (text: string) => Unfounded[] {
  const known = knownOf(sources);
  const spoken = new Map<string, string>();
  const isSaid = (words: string, by: string) =>
    (sources.speeches ?? []).some((speech) => {
      if (speech === by) return false;
      const all = spoken.get(speech) ?? ` ${normal(speech)} `;
      spoken.set(speech, all);
      return all.includes(` ${words} `);
    });
  const find = (text: string): Unfounded[] => {
    const quoted = [...text.matchAll(quotes)].flatMap(({ index, 0: whole, 1: inside = '' }): Unfounded[] => {
      const said = normal(inside);
      // One word in quotes is a word that is talked about.
      const isKnown = !said.includes(' ') || known.words.includes(` ${said} `) || isSaid(said, text);
      return isKnown ? [] : [{ start: index, end: index + whole.length, kind: 'quote' }];
    });
    const isQuoted = ({ start }: Unfounded) => quoted.some((quote) => quote.start <= start && start < quote.end);
    const numbers = numbersIn(text, known).filter((number) => !isQuoted(number));
    return [...quoted, ...numbers].toSorted((one, other) => one.start - other.start);
  };
  return readOnce(find);
}
