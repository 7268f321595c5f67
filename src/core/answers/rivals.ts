import type { AnswerSpec } from './answer.ts';
import { countFacts, echoesFact, isOfDecision, namesFacts } from './echoedFacts.ts';
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

/** Keys under which models give reasons, which need not fit their verdict. */
const reasonKey = /reason|explanation|rationale|because|why|evidence|argument|analysis/i;

/** Keys under which models say that they gave no answer, and values with which they say that they did. */
const failureKey = /^(?:errors?|refusal|refused|failure|abstain(?:ed|s)?|abstention|declined)$/i;
const nothing = /^(?:|none|no|null|nil|n\/?a|false|ok|0|-)$/i;

/** How far a key, and what stands around it, says what its value is. */
type Standing = 'verdict' | 'fact' | 'unknown';

const failed = (key: string, value: unknown): boolean =>
  failureKey.test(key) && (value === true || (typeof value === 'string' && !nothing.test(value.trim())));

/** The label that a text is, or begins with and then explains: `NO (he works)`. */
function labelOf(key: string, text: string, labels: readonly string[]): string | null {
  const whole = matchLabel(text, labels);
  if (whole !== null || reasonKey.test(key)) return whole;
  const head = /^([^(,;:.\n\u2013\u2014]{1,80}?)(?: ?[(,;:\u2013\u2014]|\. | - )/.exec(text)?.[1];
  return head === undefined ? null : matchLabel(head, labels);
}

function textDiffers({ own, labels }: Search, key: string, standing: Standing, text: string): boolean {
  const label = labelOf(key, text, labels);
  if (label !== null) return standing !== 'fact' && !own.has(label);
  if (isDeclined(text)) return namesAnswer(key);
  if (standing !== 'verdict' && !remarkKey.test(key)) return false;
  return statesOtherVerdict(standing === 'verdict' ? `answer: ${text}` : text, own, labels);
}

function differs(search: Search, key: string, standing: Standing, value: unknown, depth: number): boolean {
  if (depth > deepest) return false;
  if (typeof value === 'string') return textDiffers(search, key, standing, value);
  if (typeof value === 'number' || typeof value === 'boolean') {
    // {"NO": true}: the label is the key.
    const label = typeof value === 'boolean' ? labelInKey(key, search.labels) : null;
    if (label !== null) return value !== search.own.has(label);
    return textDiffers(search, '', standing, String(value));
  }
  if (Array.isArray(value)) {
    const named = value.map((item) => (typeof item === 'string' ? matchLabel(item, search.labels) : null));
    // A list with the answer's own label among others lists what there is to choose from.
    if (named.some((label) => label !== null && search.own.has(label))) return false;
    return value.some((item) => differs(search, key, standing, item, depth + 1));
  }
  return isRecord(value) && differingKey(search, value, standing, depth + 1) !== null;
}

/** Words that make a key with a label in it one for the label's share. */
const shareWord =
  /^(?:p|pr|prob|probs|probability|likelihood|chance|chances|risk|odds|score|confidence|certainty|share|percent|percentage|pct|weight|belief|of|for|the|is|in|to|a|an|that|label|class|answer)$/u;

/** The label that a key is, or has with words of shares: `p_yes`, `risk of YES`. */
function labelInKey(key: string, labels: readonly string[]): string | null {
  const whole = matchLabel(key, labels);
  if (whole !== null || key.length > 200) return whole;
  const words = key
    .replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, '$1 ')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');
  let [start, end] = [0, words.length];
  while (start < end && shareWord.test(words[start]?.toLowerCase() ?? '')) start += 1;
  while (end > start && shareWord.test(words[end - 1]?.toLowerCase() ?? '')) end -= 1;
  return start === end ? null : matchLabel(words.slice(start, end).join(' '), labels);
}

const shareOf = (value: unknown): number => {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\d{1,3}(?:\.\d+)? ?%?$/.test(value) ? Number.parseFloat(value) : Number.NaN;
};

/** The key of another label that has a larger number than all of the answer's own, or more than half: `{"NO": 0.7}` beside YES; of two, one's own with less. */
function likelierKey({ own, labels }: Search, object: Readonly<Record<string, unknown>>): string | null {
  const shares = Object.entries(object).flatMap(([key, value]) => {
    const share = shareOf(value);
    const label = Number.isNaN(share) || namesOtherVerdict(key) ? null : labelInKey(key, labels);
    return label === null ? [] : [{ key, isOwn: own.has(label), share }];
  });
  const ownMost = Math.max(...shares.map(({ isOwn, share }) => (isOwn ? share : Number.NEGATIVE_INFINITY)));
  const half = shares.some(({ share }) => share > 1) ? 50 : 0.5;
  const most = Number.isFinite(ownMost) ? ownMost : half;
  const least = labels.length === 2 && shares.every(({ isOwn, share }) => isOwn && share < half);
  return shares.find(({ isOwn, share }) => (isOwn ? least : share > most))?.key ?? null;
}

function standingOf(search: Search, key: string, around: Standing, facts: number): Standing {
  if (search.labelFields.includes(key) || namesVerdict(key)) return 'verdict';
  if (around === 'verdict') return around;
  if (around === 'fact') return isOfDecision(key) ? 'unknown' : around;
  return echoesFact(key, search.labels, facts) ? 'fact' : 'unknown';
}

function differingKey(search: Search, object: Readonly<Record<string, unknown>>, around: Standing, depth: number): string | null {
  const likelier = likelierKey(search, object);
  if (likelier !== null) return likelier;
  const facts = countFacts(Object.keys(object));
  for (const [key, value] of Object.entries(object)) {
    if (failed(key, value)) return key;
    if (namesOtherVerdict(key)) continue;
    if (differs(search, key, standingOf(search, key, around, facts), value, depth)) return key;
  }
  return null;
}

/** Stands for the empty set of labels as a verdict: it equals no label, so that any of them says something else. */
const noneOfThem = '\u0000';

const verdictIn = (labelFields: readonly string[], object: Readonly<Record<string, unknown>>): readonly unknown[] =>
  labelFields.flatMap((name) => {
    const value = Object.hasOwn(object, name) ? object[name] : null;
    return Array.isArray(value) && value.length === 0 ? noneOfThem : value;
  });

/** Whether such labels are the empty set. */
export const namesNone = (own: ReadonlySet<string>): boolean => own.has(noneOfThem);

/** The labels that an answer gives as its verdict. */
export const ownLabels = (labelFields: readonly string[], value: unknown): Set<string> =>
  new Set(isRecord(value) ? verdictIn(labelFields, value).filter((label): label is string => typeof label === 'string') : []);

/** The same for fields that nobody has read yet; what is no label of the set is left out. */
export const statedLabels = <T>(spec: AnswerSpec<T>, object: Readonly<Record<string, unknown>>): Set<string> =>
  new Set(
    verdictIn(spec.labelFields, object)
      .map((value) => {
        if (value === noneOfThem) return noneOfThem;
        return ['string', 'number', 'boolean'].includes(typeof value) ? matchLabel(String(value), spec.labels) : null;
      })
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
  if (lead !== '' && namesOtherVerdict(lead)) return null;
  const standing = lead !== '' && namesVerdict(lead) ? 'verdict' : namesFacts(lead) ? 'fact' : 'unknown';
  return differingKey(search, object, standing, 0);
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
