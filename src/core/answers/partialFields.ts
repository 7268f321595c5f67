import { isRecord } from './fields.ts';

/** A text or number of an answer that is still being written. */
export interface PartialField {
  /** Names from the outermost field inwards; places in a list are left out. */
  readonly path: readonly string[];
  readonly text: string;
  /** The text may continue. */
  readonly growing: boolean;
}

const escapeOf = (character: string): string => JSON.stringify(character).slice(1, -1);

/** Length of the escape that begins at a backslash; null where the text ends within it. */
function escapeLength(text: string, at: number): number | null {
  const length = text[at + 1] === 'u' ? 6 : 2;
  return at + length > text.length ? null : length;
}

/** A string of JSON from its opening quote on, with its closing one put where the text ends before it. */
function stringFrom(text: string, start: number): { json: string; end: number; ended: boolean } {
  let json = '"';
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') return { json: `${json}"`, end: at, ended: true };
    if (character === '\\') {
      const length = escapeLength(text, at);
      if (length === null) break;
      json += text.slice(at, at + length);
      at += length - 1;
    } else json += character < ' ' ? escapeOf(character) : character;
  }
  return { json: `${json}"`, end: text.length, ended: false };
}

/** The object that begins a text, cut after its last value and closed. `open`: its last value is a string without an end. */
function closed(text: string): { json: string; open: boolean } {
  let json = '';
  let whole = { length: 0, closers: '' };
  let closers = '';
  let before = '';
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (/\s/.test(character)) continue;
    if (character === '"') {
      const isName = closers.startsWith('}') && (before === '{' || before === ',');
      const string = stringFrom(text, at);
      if (!string.ended && isName) break;
      json += string.json;
      if (!isName) whole = { length: json.length, closers };
      if (!string.ended) return { json: json + closers, open: true };
      at = string.end;
    } else if (character === '{' || character === '[') {
      json += character;
      closers = (character === '{' ? '}' : ']') + closers;
      whole = { length: json.length, closers };
    } else {
      // A number or a constant is whole when something else follows.
      const follows = character === ',' || character === '}' || character === ']';
      if (follows && before !== '{' && before !== '[') whole = { length: json.length, closers };
      json += character;
      if (character === '}' || character === ']') {
        closers = closers.slice(1);
        whole = { length: json.length, closers };
        if (closers === '') break;
      }
    }
    before = character;
  }
  return { json: json.slice(0, whole.length) + whole.closers, open: false };
}

function flatten(value: unknown, path: readonly string[]): PartialField[] {
  if (Array.isArray(value)) return value.flatMap((item) => flatten(item, path));
  if (isRecord(value)) return Object.entries(value).flatMap(([name, inner]) => flatten(inner, [...path, name]));
  return value === null || value === '' ? [] : [{ path, text: String(value), growing: false }];
}

/**
 * What can be read of a JSON object that is still being written, in the order of writing. Only for showing: an answer
 * is never taken from it. Empty before the first field has a value, and for a text that holds no object or breaks the
 * rules of JSON. A number that may still get another digit is left out.
 */
export function partialFields(text: string): PartialField[] {
  const start = text.indexOf('{');
  if (start < 0) return [];
  const { json, open } = closed(text.slice(start));
  try {
    const fields = flatten(JSON.parse(json), []);
    const last = fields.at(-1);
    return open && last !== undefined ? [...fields.slice(0, -1), { ...last, growing: true }] : fields;
  } catch {
    return [];
  }
}
