import { wordsIn } from './words.ts';

/** Characters for each word of a limit in a prompt, with the space after it. */
export const charactersPerWord = 7;

export interface Shortened {
  readonly text: string;
  /** Words before and after. */
  readonly words: number;
  readonly kept: number;
}

/**
 * A mark that ends a sentence, with the quotes and brackets that close after it, before a space or the end; the
 * full-width marks of Chinese and Japanese end one anywhere.
 */
const sentenceEnd = /[.!?…]["'”’»)\]]*(?=\s|$)|[。！？｡]["'”’»)\]」』）】》〉｣]*/gu;

/**
 * Cuts a text behind the last sentence that ends within so many words, words being what `wordsIn` finds. Where no
 * sentence ends there, behind the last word that fits. A text within the limit comes back as it is.
 *
 * Limits: an abbreviation with a full stop before a space counts as the end of a sentence.
 *
 * @param most at least 1
 */
export function shortened(text: string, most: number): Shortened {
  const places = wordsIn(text);
  const words = places.length;
  const last = places[most - 1];
  if (words <= most || last === undefined) return { text, words, kept: words };
  const room = text.slice(0, last.end);
  const end = [...room.matchAll(sentenceEnd)].at(-1);
  const cut = end === undefined ? room : room.slice(0, end.index + end[0].length);
  return { text: cut, words, kept: wordsIn(cut).length };
}

/** A text as it is heard under a limit in words, and the part that was cut, if any. */
export function asHeard(text: string, most: number): { text: string; shortened?: Pick<Shortened, 'words' | 'kept'> } {
  const { text: heard, words, kept } = shortened(text, most);
  return kept < words ? { text: heard, shortened: { words, kept } } : { text: heard };
}

/** Characters of a question or a line that identify it. */
const mostOfTitle = 120;

/** A text as a title: cut behind a word where it is long. @param most characters */
export function asTitle(text: string, most = mostOfTitle): string {
  const characters = Array.from(text);
  if (characters.length <= most) return text;
  const start = characters.slice(0, most).join('');
  return `${start.replace(/\s+\S*$/, '')} …`;
}
