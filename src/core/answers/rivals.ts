import type { AnswerSpec } from './answer.ts';
import { type Field, isRecord } from './fields.ts';
import { isDeclined, matchLabel } from './labels.ts';
import { namesAnswer, namesOtherVerdict, namesVerdict } from './verdictNames.ts';
import { statesOtherVerdict } from './verdictStatements.ts';

/** Keys under which models write remarks on their answer. */
const remarkKey = /note|comment|remark|addendum|postscript|disclaimer|caveat|message|footnote|^ps$/i;

/** Levels of an object that are looked at; nonsense may be nested deeper. */
const deepest = 12;

interface Search {
  readonly own: ReadonlySet<string>;
  readonly labels: readonly string[];
  readonly labelFields: readonly string[];
}

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}]{4,}/gu) ?? [];

/** `risk_level: "high risk"`: a key in words of the label is about what there is to decide. */
const isAbout = (key: string, label: string): boolean => {
  const words = new Set(wordsIn(key));
  return words.size > 0 && wordsIn(label).some((word) => words.has(word));
};

function textDiffers({ own, labels }: Search, key: string, announced: boolean, text: string): boolean {
  const label = matchLabel(text, labels);
  if (label !== null) return (announced || isAbout(key, label)) && !own.has(label);
  if (isDeclined(text)) return namesAnswer(key);
  if (!announced && !remarkKey.test(key)) return false;
  return statesOtherVerdict(announced ? `answer: ${text}` : text, own, labels);
}

function differs(search: Search, key: string, announced: boolean, value: unknown, depth: number): boolean {
  if (depth > deepest) return false;
  if (typeof value === 'string') return textDiffers(search, key, announced, value);
  if (typeof value === 'number' || typeof value === 'boolean') {
    // {"NO": true}: the label is the key.
    const label = typeof value === 'boolean' ? matchLabel(key, search.labels) : null;
    if (label !== null) return value !== search.own.has(label);
    return announced && textDiffers(search, '', true, String(value));
  }
  if (Array.isArray(value)) {
    const named = value.map((item) => (typeof item === 'string' ? matchLabel(item, search.labels) : null));
    // A list with the answer's own label among others lists what there is to choose from.
    if (named.some((label) => label !== null && search.own.has(label))) return false;
    return value.some((item) => differs(search, key, announced, item, depth + 1));
  }
  return isRecord(value) && differingKey(search, value, announced, depth + 1) !== null;
}

const shareOf = (value: unknown): number => {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\d{1,3}(?:\.\d+)? ?%?$/.test(value) ? Number.parseFloat(value) : Number.NaN;
};

/** The key of another label that has a larger number than all of the answer's own, or more than half: `{"NO": 0.7}` beside YES. */
function likelierKey({ own, labels }: Search, object: Readonly<Record<string, unknown>>): string | null {
  const shares = Object.entries(object).flatMap(([key, value]) => {
    const share = shareOf(value);
    const label = Number.isNaN(share) ? null : matchLabel(key, labels);
    return label === null ? [] : [{ key, isOwn: own.has(label), share }];
  });
  const ownMost = Math.max(...shares.map(({ isOwn, share }) => (isOwn ? share : Number.NEGATIVE_INFINITY)));
  const half = shares.some(({ share }) => share > 1) ? 50 : 0.5;
  const most = Number.isFinite(ownMost) ? ownMost : half;
  return shares.find(({ isOwn, share }) => !isOwn && share > most)?.key ?? null;
}

function differingKey(
  search: Search,
  object: Readonly<Record<string, unknown>>,
  announced: boolean,
  depth: number,
): string | null {
  const likelier = likelierKey(search, object);
  if (likelier !== null) return likelier;
  for (const [key, value] of Object.entries(object)) {
    if (namesOtherVerdict(key)) continue;
    const names = announced || search.labelFields.includes(key) || namesVerdict(key);
    if (differs(search, key, names, value, depth)) return key;
  }
  return null;
}

/** The labels that an answer gives as its verdict. */
export const ownLabels = (labelFields: readonly string[], value: unknown): Set<string> =>
  new Set(
    isRecord(value)
      ? labelFields.flatMap((name) => value[name]).filter((label): label is string => typeof label === 'string')
      : [],
  );

/** The same for fields that nobody has read yet; what is no label of the set is left out. */
export const statedLabels = <T>(spec: AnswerSpec<T>, object: Readonly<Record<string, unknown>>): Set<string> =>
  new Set(
    spec.labelFields
      .flatMap((name) => (Object.hasOwn(object, name) ? object[name] : []))
      .map((value) => (typeof value === 'string' ? matchLabel(value, spec.labels) : null))
      .filter((label) => label !== null),
  );

/**
 * The key of another object, or of the keys that the schema does not know, under which another verdict stands than
 * the answer's own labels; null if there is none. `lead` is what announces the object: `Revision:`.
 */
export function rivalIn<T>(
  spec: AnswerSpec<T>,
  own: ReadonlySet<string>,
  object: Readonly<Record<string, unknown>>,
  lead = '',
): string | null {
  if (own.size === 0 || spec.labels.length === 0) return null;
  const search = { own, labels: spec.labels, labelFields: spec.labelFields };
  return differingKey(search, object, lead !== '' && namesVerdict(lead), 0);
}

/** The same for what the schema does not know in the answer's own object, at any depth of what it knows. */
export function rivalBeside<T>(
  spec: AnswerSpec<T>,
  fields: readonly Field[],
  own: ReadonlySet<string>,
  object: Readonly<Record<string, unknown>>,
): string | null {
  const known = new Map(fields.map((field) => [field.name, field]));
  const extra = Object.fromEntries(Object.entries(object).filter(([key]) => !known.has(key)));
  const rival = rivalIn(spec, own, extra);
  if (rival !== null) return rival;
  for (const [name, field] of known) {
    // The keys of a distribution are labels.
    if (field.fields.length === 0 || name === 'distribution') continue;
    const value = object[name];
    for (const item of Array.isArray(value) ? value : [value]) {
      if (!isRecord(item)) continue;
      const inner = statedLabels(spec, item);
      const found = rivalBeside(spec, field.fields, inner.size > 0 ? inner : own, item);
      if (found !== null) return found;
    }
  }
  return null;
}
