import { bare } from './labels.ts';

/**
 * Signs that stand for labels in a text whose labels have been replaced: of another verdict than the answer's, or of
 * the answer's own. A label is plain where its word may be one of the language: `no` for NO, `theft` in a sentence.
 */
export const signs = { other: '\ue000', otherPlain: '\ue001', own: '\ue002', ownPlain: '\ue003' } as const;

const anySign = /[\ue000-\ue003]/g;

/** Labels by their tokens, one level for each. */
interface Branch {
  readonly next: Map<string, Branch>;
  /** The labels that end here; several where they differ in letters' case or joints alone. */
  readonly labels: string[];
}

/** Words, numbers with their points and commas, and every other sign that is no joint of words. */
const tokenPattern =
  /\p{N}+(?:[.,]\p{N}+)+|(?<![\p{L}\p{N}\p{M}_])[-\u2212](?=\p{N})|[\p{L}\p{N}\p{M}]+|[^\s\p{L}\p{N}\p{M}_\u2010\u2011-]/gu;

const tokensOf = (text: string): string[] => [...text.toLowerCase().matchAll(tokenPattern)].map(([token]) => token);

/** One for each list of labels. */
const indexes = new WeakMap<readonly string[], Branch>();

function indexOf(labels: readonly string[]): Branch {
  const known = indexes.get(labels);
  if (known !== undefined) return known;
  const root: Branch = { next: new Map(), labels: [] };
  for (const label of labels) {
    let branch = root;
    for (const token of tokensOf(label)) {
      const next: Branch = branch.next.get(token) ?? { next: new Map(), labels: [] };
      branch.next.set(token, next);
      branch = next;
    }
    if (branch !== root) branch.labels.push(label);
  }
  indexes.set(labels, root);
  return root;
}

interface Found {
  readonly labels: readonly string[];
  /** Index of the last token. */
  readonly last: number;
}

/** The longest label that begins with the token at `from`; null if none does. */
function labelAt(root: Branch, tokens: readonly RegExpExecArray[], from: number): Found | null {
  let found: Found | null = null;
  let branch = root.next.get(tokens[from]?.[0] ?? '');
  for (let at = from; branch !== undefined; at += 1) {
    if (branch.labels.length > 0) found = { labels: branch.labels, last: at };
    branch = branch.next.get(tokens[at + 1]?.[0] ?? '');
  }
  return found;
}

/** Whether a label that stands there in its own spelling cannot be a word of the language. */
function isMarked(text: string, start: number, end: number, label: string): boolean {
  if (/["'`*\u201c\u2018]/.test(text.charAt(start - 1)) && /["'`*\u201d\u2019]/.test(text.charAt(end))) return true;
  const found = text.slice(start, end);
  if (found !== bare(label) || found === found.toLowerCase()) return false;
  const shouts = found.length > 1 && found === found.toUpperCase();
  return shouts || !/(?:^|[.!?:\n]["'`*\s-]*)$/.test(text.slice(Math.max(0, start - 8), start));
}

/** In "a burglary" the label A is an article; a label that is written so itself may be meant. */
const isArticle = (written: string, next: string, labels: readonly string[]): boolean =>
  written === 'a' && /^\s+[\p{L}\p{N}"'`*]/u.test(next) && !labels.includes('a');

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
  const unsigned = text.replace(anySign, ' ');
  const lower = unsigned.toLowerCase();
  // Some letters change their length in lower case: places would not fit.
  const source = lower.length === unsigned.length ? unsigned : lower;
  const tokens = [...lower.matchAll(tokenPattern)];
  let result = '';
  let from = 0;
  for (let at = 0; at < tokens.length; at += 1) {
    const first = tokens[at];
    const found = labelAt(index, tokens, at);
    const last = found === null ? undefined : tokens[found.last];
    if (first === undefined || found === null || last === undefined) continue;
    const end = last.index + last[0].length;
    const written = source.slice(first.index, end);
    if (isArticle(written, source.slice(end, end + 8), labels)) continue;
    const label =
      found.labels.find((one) => one === written) ?? found.labels.find((one) => own.has(one)) ?? found.labels[0] ?? '';
    const isDistinct = label.length >= distinct || isMarked(source, first.index, end, label);
    const [marked, plain] = own.has(label) ? [signs.own, signs.ownPlain] : [signs.other, signs.otherPlain];
    result += lower.slice(from, first.index) + (isDistinct ? marked : plain);
    from = end;
    at = found.last;
  }
  return result + lower.slice(from);
}
