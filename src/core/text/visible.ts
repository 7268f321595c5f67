/** A stretch of text that shows itself, or one character that does not. */
export interface Segment {
  readonly text: string;
  readonly kind: 'plain' | 'hidden';
  /** Name of a hidden character, with its code point; null for plain text. */
  readonly name: string | null;
}

const names: Readonly<Record<number, string>> = {
  0: 'null',
  8: 'backspace',
  11: 'line tabulation',
  12: 'form feed',
  27: 'escape',
  127: 'delete',
  173: 'soft hyphen',
  1564: 'Arabic letter mark',
  4447: 'Hangul filler',
  4448: 'Hangul filler',
  6158: 'Mongolian vowel separator',
  8203: 'zero width space',
  8204: 'zero width non-joiner',
  8205: 'zero width joiner',
  8206: 'left-to-right mark',
  8207: 'right-to-left mark',
  8232: 'line separator',
  8233: 'paragraph separator',
  8234: 'left-to-right embedding',
  8235: 'right-to-left embedding',
  8236: 'pop directional formatting',
  8237: 'left-to-right override',
  8238: 'right-to-left override',
  8288: 'word joiner',
  8289: 'function application',
  8290: 'invisible times',
  8291: 'invisible separator',
  8292: 'invisible plus',
  8294: 'left-to-right isolate',
  8295: 'right-to-left isolate',
  8296: 'first strong isolate',
  8297: 'pop directional isolate',
  12644: 'Hangul filler',
  65279: 'zero width no-break space',
  65440: 'Hangul filler',
  917505: 'language tag',
  917631: 'cancel tag',
};

/**
 * Characters that take no place or change the order of others: control and format characters except tab and line
 * ends, the tag characters and variation selectors in which whole sentences can hide, and letters that are blank.
 */
const hidden = /(?![\t\n\r])[\p{Cc}\p{Cf}\u2028\u2029\u115f\u1160\u3164\uffa0]|[\u{e0000}-\u{e01ef}]|\p{Cs}/gu;

/** A joiner within an emoji, and between letters of the scripts that need one, is spelling. */
const spelling =
  /(?<=\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?)\u200d(?=\p{Extended_Pictographic})|(?<=[\p{sc=Arab}\p{sc=Deva}\p{sc=Beng}\p{sc=Taml}\p{sc=Mlym}\p{sc=Sinh}\p{sc=Telu}\p{sc=Knda}\p{sc=Mymr}\p{sc=Khmr}\p{M}])[\u200c\u200d](?=\p{L})/gu;

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const number = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  const known = names[code];
  if (known !== undefined) return `${known} ${number}`;
  if (code > 0xe0001 && code < 0xe007f) return `tag ${String.fromCodePoint(code - 0xe0000)} ${number}`;
  if (code >= 0xe0100) return `variation selector ${number}`;
  if (code >= 0xd800 && code <= 0xdfff) return `half a character ${number}`;
  return `${code < 0xa0 ? 'control' : 'format'} character ${number}`;
}

/** Divides a text into plain stretches and single hidden characters; joined, the segments are the text. */
export function segmentsOf(text: string): Segment[] {
  const spelled = new Set([...text.matchAll(spelling)].map(({ index }) => index));
  const segments: Segment[] = [];
  let at = 0;
  for (const { index, 0: character } of text.matchAll(hidden)) {
    if (spelled.has(index)) continue;
    if (index > at) segments.push({ text: text.slice(at, index), kind: 'plain', name: null });
    segments.push({ text: character, kind: 'hidden', name: nameOf(character) });
    at = index + character.length;
  }
  if (at < text.length) segments.push({ text: text.slice(at), kind: 'plain', name: null });
  return segments;
}

/** A text from outside where no marks are possible, such as a tooltip: what would not be seen is named in brackets. */
export const visibleText = (text: string): string =>
  segmentsOf(text)
    .map(({ kind, text: part, name }) => (kind === 'plain' ? part : `[${name}]`))
    .join('');

/** A host, an address, a model with its tag: its first letter is part of the name. */
const beginsWithName = /^\S*[.:][^\s.:]/;

export const capitalized = (words: string): string =>
  beginsWithName.test(words) ? words : words.charAt(0).toUpperCase() + words.slice(1);
