import type { JsonSchema } from '../../shared/model.ts';
import { remembered } from '../../shared/remembered.ts';
import { asArray, isRecord, membersOf } from '../answers/fields.ts';

/**
 * What a character is of a text that may contain JSON:
 * - `said`: of a text, or outside of JSON;
 * - `held`: of a key, of a choice that the schema gives, or a sign of JSON;
 * - `bare`: in JSON without quotes, such as numbers, `true` and blanks;
 * - `escape`: of an escape that has not ended;
 * - `next`: the comma behind an item after which the schema admits another one;
 * - `again`: it ends a key that its object already has, or an item after which the schema admits no other;
 * - `endless`: it is of a key, or within brackets, as no schema of ours asks for.
 */
export type Place = 'said' | 'held' | 'bare' | 'escape' | 'next' | 'again' | 'endless';

export interface JsonReader {
  read(character: string): Place;
  /** Whether the character with this code is `said` and stands for itself. It then need not be read: most are like it. */
  isPlain(code: number): boolean;
  /** The last character that was read, or the one that its escape stands for. */
  meant(): string;
}

/** Characters of a key, where the schema knows none that is longer. */
const longestKey = 200;
/** Brackets that are open at a time; answers have four or five. */
const deepest = 50;
/** Objects of a text that are read by the schema, such as drafts in front of the answer. */
const mostObjects = 3;

const quote = 0x22;
const backslash = 0x5c;
const escapes = new Map(Object.entries({ n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }));

/** A part of the schema with its branches; none where the schema says nothing. */
type Parts = readonly JsonSchema[];

interface Open {
  readonly isObject: boolean;
  readonly parts: Parts;
  readonly keys: Set<string>;
  /** Commas of a list so far. */
  commas: number;
  /** Whether a key comes, and what the schema says about a value that comes. */
  wantsKey: boolean;
  value: Parts;
}

const branchesOf = remembered(
  (part: JsonSchema): Parts => [
    part,
    ...asArray(part.anyOf ?? part.oneOf)
      .filter(isRecord)
      .flatMap((each) => branchesOf(each)),
  ],
);

/** Characters of the longest choice of a part; without end where it admits free text. */
const longestChoice = remembered((part: JsonSchema): number => {
  const choices = Object.hasOwn(part, 'const') ? [part.const] : part.enum;
  if (!Array.isArray(choices)) return part.type === 'string' ? Number.POSITIVE_INFINITY : 0;
  return choices.reduce<number>((most, choice) => Math.max(most, String(choice).length), 0);
});

const longestName = remembered((part: JsonSchema): number =>
  [...membersOf(part).keys()].reduce((most, { length }) => Math.max(most, length), 0),
);

const partsOf = (part: unknown): Parts => (isRecord(part) ? branchesOf(part) : []);

/** Reads a text character by character, each in constant time, except what a part of the schema takes once. */
export function jsonReader(schema: JsonSchema): JsonReader {
  const open: Open[] = [];
  let objects = 0;
  let meant = '';
  let pending: string | null = null;
  let inString = false;
  let isKey = false;
  /** The key that is being read, the length of any string, and what it may have at most. */
  let key = '';
  let length = 0;
  let most = 0;

  const startItem = (list: Open): void => {
    list.value = list.parts.flatMap((part) => partsOf(asArray(part.prefixItems)[list.commas] ?? part.items));
  };

  const openBracket = (isObject: boolean): Place => {
    if (open.length >= deepest) return 'endless';
    const within = open.at(-1);
    if (within === undefined && isObject) objects += 1;
    const value = within?.value ?? (isObject && objects <= mostObjects ? branchesOf(schema) : []);
    const parts = value.filter(({ type }) => type === (isObject ? 'object' : 'array'));
    const opened: Open = { isObject, parts, keys: new Set(), commas: 0, wantsKey: isObject, value: [] };
    if (!isObject) startItem(opened);
    open.push(opened);
    return 'held';
  };

  const comma = (within: Open): Place => {
    within.wantsKey = within.isObject;
    within.commas += 1;
    if (within.isObject) return 'held';
    const limits = within.parts.flatMap(({ maxItems }) => (typeof maxItems === 'number' ? [maxItems] : []));
    if (limits.length === 0) return 'held';
    const isMore = within.commas < Math.max(...limits);
    if (isMore) startItem(within);
    else within.value = [];
    return isMore ? 'next' : 'again';
  };

  const openString = (within: Open): Place => {
    inString = true;
    isKey = within.wantsKey;
    key = '';
    length = 0;
    const longest = Math.max(0, ...(isKey ? within.parts.map(longestName) : within.value.map(longestChoice)));
    most = isKey ? Math.max(longestKey, longest) : longest;
    return 'held';
  };

  const closeString = (within: Open | undefined): Place => {
    inString = false;
    if (!isKey || within === undefined) return 'held';
    const isAgain = within.keys.has(key);
    within.keys.add(key);
    within.wantsKey = false;
    within.value = isAgain ? [] : within.parts.flatMap((part) => partsOf(membersOf(part).get(key)));
    return isAgain ? 'again' : 'held';
  };

  const readInString = (character: string): Place => {
    if (pending !== null) {
      pending += character;
      if (pending.startsWith('u') && pending.length < 5) return 'escape';
      meant = pending.startsWith('u')
        ? String.fromCharCode(Number.parseInt(pending.slice(1), 16))
        : (escapes.get(pending) ?? pending);
      pending = null;
    } else if (character === '\\') {
      pending = '';
      return 'escape';
    } else if (character === '"') return closeString(open.at(-1));
    length += 1;
    if (isKey) {
      key += meant;
      return length > most ? 'endless' : 'held';
    }
    return most !== Number.POSITIVE_INFINITY && length <= most ? 'held' : 'said';
  };

  const read = (character: string): Place => {
    meant = character;
    if (inString) return readInString(character);
    if (character === '{' || character === '[') return openBracket(character === '{');
    const within = open.at(-1);
    if (within === undefined) return 'said';
    if (character === '"') return openString(within);
    if (character === ',') return comma(within);
    if (character === '}' || character === ']') open.pop();
    return '}]:'.includes(character) ? 'held' : 'bare';
  };
  const isPlain = (code: number): boolean =>
    inString && most === Number.POSITIVE_INFINITY && pending === null && code !== quote && code !== backslash;
  return { read, isPlain, meant: () => meant };
}
