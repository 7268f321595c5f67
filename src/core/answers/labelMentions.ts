import { bare } from './labels.ts';

/**
 * Signs that stand for labels in a text whose labels have been replaced: of another verdict than the answer's, or of
 * the answer's own. A label is plain where its word may be one of the language: `no` for NO, `theft` in a sentence.
 */
export const signs = { other: '\ue000', otherPlain: '\ue001', own: '\ue002', ownPlain: '\ue003' } as const;

const anySign = /[\ue000-\ue003]/g;

interface Entry {
  readonly label: string;
  readonly tokens: readonly string[];
}

/** Words, numbers with their points and commas, and every other sign that is no joint of words. */
const tokenPattern =
  /\p{N}+(?:[.,]\p{N}+)+|(?<![\p{L}\p{N}\p{M}_])[-\u2212](?=\p{N})|[\p{L}\p{N}\p{M}]+|[^\s\p{L}\p{N}\p{M}_\u2010\u2011-]/gu;

const tokensOf = (text: string): string[] => [...text.toLowerCase().matchAll(tokenPattern)].map(([token]) => token);

/** One for each list of labels: the labels by their first token, the longest first. */
const indexes = new WeakMap<readonly string[], ReadonlyMap<string, readonly Entry[]>>();

function indexOf(labels: readonly string[]): ReadonlyMap<string, readonly Entry[]> {
  const known = indexes.get(labels);
  if (known !== undefined) return known;
  const entries = labels.map((label) => ({ label, tokens: tokensOf(label) })).filter(({ tokens }) => tokens.length > 0);
  entries.sort((first, second) => second.tokens.length - first.tokens.length);
  const index = Map.groupBy(entries, ({ tokens }) => tokens[0] ?? '');
  indexes.set(labels, index);
  return index;
}

/** Whether a label that stands there in its own spelling cannot be a word of the language. */
function isMarked(text: string, start: number, end: number, label: string): boolean {
  if (/["'`*\u201c\u2018]/.test(text.charAt(start - 1)) && /["'`*\u201d\u2019]/.test(text.charAt(end))) return true;
  const found = text.slice(start, end);
  if (found !== bare(label) || found === found.toLowerCase()) return false;
  const shouts = found.length > 1 && found === found.toUpperCase();
  return shouts || !/(?:^|[.!?:\n]["'`*\s-]*)$/.test(text.slice(Math.max(0, start - 8), start));
}

/**
 * The text in lower case with every label of the set replaced by a sign, the longest label first, so that `not guilty`
 * holds no `guilty`. Labels of `distinct` characters and more are never plain. Linear in the length of the text.
 */
export function withSigns(
  text: string,
  own: ReadonlySet<string>,
  labels: readonly string[],
  distinct = Number.POSITIVE_INFINITY,
): string {
  const index = indexOf(labels);
  const plain = text.replace(anySign, ' ');
  const lower = plain.toLowerCase();
  // Some letters change their length in lower case: places would not fit.
  const source = lower.length === plain.length ? plain : lower;
  const tokens = [...lower.matchAll(tokenPattern)];
  let result = '';
  let from = 0;
  for (let at = 0; at < tokens.length; at += 1) {
    const first = tokens[at];
    if (first === undefined) continue;
    for (const { label, tokens: wanted } of index.get(first[0]) ?? []) {
      const last = tokens[at + wanted.length - 1];
      if (last === undefined || !wanted.every((token, offset) => tokens[at + offset]?.[0] === token)) continue;
      const end = last.index + last[0].length;
      const sign =
        label.length >= distinct || isMarked(source, first.index, end, label)
          ? own.has(label)
            ? signs.own
            : signs.other
          : own.has(label)
            ? signs.ownPlain
            : signs.otherPlain;
      result += lower.slice(from, first.index) + sign;
      from = end;
      at += wanted.length - 1;
      break;
    }
  }
  return result + lower.slice(from);
}
