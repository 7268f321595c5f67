import { beginsInChannel, OpenThoughts, thoughtMark, thoughtMarks } from './thinking.ts';

/** An object found in a text: `text` runs from its opening to its closing brace. */
export interface ObjectRegion {
  readonly text: string;
  /**
   * Whether a repair would have to invent something: an ellipsis, strings joined by `+`, a value that a
   * function is called on, or brackets that do not match. Such a region may be read as strict JSON only.
   */
  readonly damaged: boolean;
  /** The prose in front of it, as far as an introduction can reach. */
  readonly lead: string;
  /** Index in the prose of the `{}` that stands for it. */
  readonly place: number;
}

/** Characters of prose that are kept in front of an object. */
export const leadLength = 80;

export interface ObjectRegions {
  /** The outermost complete objects in order of appearance; no more than one above `mostObjects`. */
  readonly regions: readonly ObjectRegion[];
  /** The text outside thinking parts, with `{}` in the place of every object. */
  readonly prose: string;
  /** Whether an object begins that never ends: the text was cut, or cannot be told from a cut one. */
  readonly unclosed: boolean;
  /** Whether a thought begins that never ends: nothing was answered, whatever stands in front of it. */
  readonly thinking: boolean;
}

const closersOf = new Map([
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
  ['\u201c', '\u201c\u201d"'],
  ['\u201d', '\u201c\u201d"'],
  ['\u2018', "\u2018\u2019'"],
  ['\u2019', "\u2018\u2019'"],
]);

const isSpace = (character: string): boolean => character.trim() === '';

/** Index of the first character at or after `from` that is no white space; the length if there is none. */
function skipSpace(text: string, from: number): number {
  let index = from;
  while (index < text.length && isSpace(text.charAt(index))) index += 1;
  return index;
}

/**
 * Index after the string that opens at `start`, or the length of the text if it never ends. A quote
 * closes only in front of `,`, `:`, `}` or `]`, so that unescaped quotes inside a string do not end it;
 * on valid JSON that is exact.
 */
function endOfString(text: string, start: number): number {
  const closers = closersOf.get(text.charAt(start)) ?? '';
  let index = start + 1;
  while (index < text.length) {
    const character = text.charAt(index);
    if (character === '\\') {
      index += 2;
    } else if (closers.includes(character) && ',:}]'.includes(text.charAt(skipSpace(text, index + 1)))) {
      return index + 1;
    } else {
      index += 1;
    }
  }
  return text.length;
}

/** What stands in JavaScript's comments, and behind every other double slash, a line each; a repair drops it. */
export function commentsIn(text: string): string {
  const comments: string[] = [];
  const mark = /\/\/|\/\*/g;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const end = text.indexOf(found[0] === '//' ? '\n' : '*/', mark.lastIndex);
    comments.push(text.slice(mark.lastIndex, end === -1 ? text.length : end));
    mark.lastIndex = end === -1 ? text.length : end;
  }
  return comments.join('\n');
}

/** Whether a name stands in front of the parenthesis at `index`, as if it were a function's. */
const isCall = (text: string, index: number): boolean =>
  /[:,[{]\s*[\p{L}_$][\p{L}\p{N}_$.]*\s*$/u.test(text.slice(Math.max(0, index - 64), index));

/** The object that opens at `start`, or null if it never closes. */
function objectAt(text: string, start: number): { readonly damaged: boolean; readonly end: number } | null {
  const open: string[] = [];
  let damaged = false;
  let previous = '';
  let index = start;
  while (index < text.length) {
    const character = text.charAt(index);
    if (closersOf.has(character) && '{[,:'.includes(previous)) {
      index = endOfString(text, index);
      previous = '"';
      continue;
    }
    if (character === '{' || character === '[') {
      open.push(character);
    } else if (character === ']') {
      if (open.at(-1) === '[') open.pop();
      else damaged = true;
    } else if (character === '}') {
      while (open.pop() === '[') damaged = true;
      if (open.length === 0) return { damaged, end: index + 1 };
    } else if (character === '(' && isCall(text, index)) {
      damaged = true;
    } else if (character === '+' || character === '\u2026' || text.startsWith('...', index)) {
      damaged = true;
    }
    if (!isSpace(character)) previous = character;
    index += 1;
  }
  return null;
}

/** Objects in one text above which it is refused, and the search ends: no model answers like that. */
export const mostObjects = 200;

const marks = new RegExp(`\\{|${thoughtMarks}`, 'gi');

/**
 * Finds the outermost objects of a text in linear time, thinking parts (`<think>…</think>`) skipped. Such a part runs
 * to the end if it never closes; a closing tag without an opening one ends a part that began in the
 * prompt. Tags inside an object are text: a model may quote what a case says. The search ends at an
 * object that never closes and does not look inside it: what stands there may be half of something.
 */
export function findObjects(text: string): ObjectRegions {
  const mark = new RegExp(marks);
  const thoughts = new OpenThoughts();
  if (beginsInChannel(text)) thoughts.take({ opens: true, family: 'channel' });
  let regions: ObjectRegion[] = [];
  let prose = '';
  let from = 0;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const isObject = found[0] === '{';
    if (isObject && thoughts.any) continue;
    if (!thoughts.any) prose += text.slice(from, found.index);
    if (isObject) {
      const lead = text.slice(Math.max(from, found.index - leadLength), found.index);
      const object = objectAt(text, found.index);
      if (object === null) return { regions, prose, unclosed: true, thinking: false };
      const { damaged, end } = object;
      regions.push({ text: text.slice(found.index, end), damaged, lead, place: prose.length });
      prose += '{}';
      if (regions.length > mostObjects) return { regions, prose, unclosed: false, thinking: false };
      from = end;
      mark.lastIndex = end;
    } else {
      const thought = thoughtMark(found[0]);
      if (thought !== null && thoughts.take(thought)) {
        regions = [];
        prose = '';
      }
      from = mark.lastIndex;
    }
  }
  return { regions, prose: thoughts.any ? prose : prose + text.slice(from), unclosed: false, thinking: thoughts.any };
}

/** A key that stands twice in one object of a valid JSON text, or null; `JSON.parse` would keep the last. */
export function duplicateKey(json: string): string | null {
  const keys: (Set<string> | null)[] = [];
  for (const token of json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/g)) {
    const text = token[0];
    if (text === '{') keys.push(new Set());
    else if (text === '[') keys.push(null);
    else if (text === '}' || text === ']') keys.pop();
    else if (token[1] !== undefined) {
      const key: unknown = JSON.parse(text.slice(0, text.length - token[1].length));
      const seen = keys.at(-1);
      if (typeof key !== 'string' || !seen) continue;
      if (seen.has(key)) return key;
      seen.add(key);
    }
  }
  return null;
}
