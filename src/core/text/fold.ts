import type { GuardRules } from './found.ts';

/**
 * A text as a reader takes it, for patterns to search: letters that look alike are one letter, full-width forms and
 * styled letters are plain ones, every space is a space, every line end a line end, and what cannot be seen is gone.
 * Only for finding: what is sent and shown is always the text itself.
 *
 * Sources: NFKC where it gives one ASCII character, Default_Ignorable_Code_Point, and those confusables of UTS #39
 * that Cyrillic and Greek have for Latin letters, with some that only people confuse.
 */
export interface Folded {
  readonly text: string;
  /** Range of the original for a range of the folded text that is not empty, in UTF-16 code units. */
  original(start: number, end: number): { start: number; end: number };
}

const alike: readonly (readonly [from: string, to: string])[] = [
  ['АВЕЅІЈКМНОРСТУХԌԚԜ', 'ABESIJKMHOPCTYXGQW'],
  ['аеѕіјорсухһԁԛԝктмпгцѵӏ', 'aesijopcyxhdqwktmnruvl'],
  ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿ', 'ABEZHIKMNOPTYXCJ'],
  ['αενικορτυχϲϳηγω', 'aevikoptuxcjnyw'],
  ['ıɡɑǀ∣│∶ː꞉˸', 'iga|||::::'],
  ['\v\f\u0085', '\n\n\n'],
];

const known = new Map(alike.flatMap(([from, to]) => [...from].map((one, place) => [one, to[place] ?? one] as const)));
const plain = /^[\t\n\r\x20-\x7e]*$/;
const unseen = /^(?![\t\n\r])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]$/u;

function foldedCharacter(character: string): string {
  const alikeTo = known.get(character);
  if (alikeTo !== undefined) return alikeTo;
  if (unseen.test(character)) return '';
  const normal = character.normalize('NFKC');
  return normal.length === 1 && plain.test(normal) ? normal : character;
}

/** One character, as `folded` has it; empty where it cannot be seen. */
export function fold(character: string): string {
  if (plain.test(character)) return character;
  const folded = foldedCharacter(character);
  known.set(character, folded);
  return folded;
}

const asItIs = (text: string): Folded => ({ text, original: (start, end) => ({ start, end }) });

export const searched = (text: string, rules: GuardRules): Folded => (rules === 1 ? asItIs(text) : folded(text));

function folded(text: string): Folded {
  if (plain.test(text)) return asItIs(text);
  const starts: number[] = [];
  const ends: number[] = [];
  let result = '';
  let at = 0;
  for (const character of text) {
    const next = at + character.length;
    const shown = fold(character);
    for (let unit = 0; unit < shown.length; unit++) {
      starts.push(at);
      ends.push(next);
    }
    result += shown;
    at = next;
  }
  return { text: result, original: (start, end) => ({ start: starts[start] ?? at, end: ends[end - 1] ?? at }) };
}
