import type { AnswerSpec } from './answer.ts';
import { type Field, isRecord, wantsNumber } from './fields.ts';
import { contentOf, findMentions } from './labelledFields.ts';
import { bare, matchLabel } from './labels.ts';

/** What an answer says in one of its own fields: a label, or a number in the unit that it was written in. */
export type Statements = ReadonlyMap<string, string | number>;

/** Other names under which models repeat a verdict. They give no value: they only contradict one. */
const verdictNames = ['prediction', 'answer', 'verdict', 'decision', 'ruling', 'classification', 'conclusion', 'label'];

/** Openings with which an answer is taken back. */
const retraction =
  /\b(?:actually|wait|correction|correcting|corrected|on (?:second thought|reflection)|upon reflection|scratch that|i (?:meant|was wrong|misspoke|take that back|change my|(?:have )?changed my)|(?:that|this) (?:is|was) wrong|should (?:be|have been|read)|instead|revised|final answer is)\b/gi;

/** Characters after such an opening in which another label counts. */
const reach = 160;

/** Openings above which a text is taken for one that cannot decide. */
const mostRetractions = 30;

const introducesExample =
  /\b(?:for example|for instance|e\.g\.|an example|example (?:answer|output|response|reply)|hypothetical(?:ly)?|instead of|rather than)[^.!?\n]{0,40}\s*(?:```\w*\s*)?$/i;
const opensExample = /(?:^|\n)[\s*#>]*example[*\s]*:?[*\s]*(?:```\w*\s*)?$/i;
const denies =
  /(?:\b(?:not|never)|n['\u2019]t)(?: (?:be|say|answer|predict|choose|give|output|return|write|respond|reply|with|the|a|an|as|this|that|is|correct|json)){0,4}\s*[:"`]*\s*$/i;

/** Whether the prose in front of an object makes it an example, or denies it. */
export const isDisclaimed = (lead: string): boolean =>
  introducesExample.test(lead) || opensExample.test(lead) || denies.test(lead);

function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return value;
  const match = typeof value === 'string' ? /^(\d{1,3}(?:\.\d{1,6})?)\s?%?$/.exec(value.trim()) : null;
  return match === null ? null : Number(match[1]);
}

/** The labels and numbers in the top-level fields of an object that may not be an answer otherwise. */
export function statementsOf<T>(
  spec: AnswerSpec<T>,
  fields: readonly Field[],
  object: Readonly<Record<string, unknown>>,
): Map<string, string | number> {
  const stated = new Map<string, string | number>();
  for (const field of fields) {
    const value = Object.hasOwn(object, field.name) ? object[field.name] : undefined;
    const isLabel = spec.labelFields.includes(field.name);
    const read = isLabel && typeof value === 'string' ? matchLabel(value, spec.labels) : null;
    const number = !isLabel && wantsNumber(field) ? numberOf(value) : null;
    if (read !== null) stated.set(field.name, read);
    else if (number !== null) stated.set(field.name, number);
  }
  return stated;
}

/** Seventy percent and 0.7 are the same, in whatever unit they are asked for. */
const same = (first: string | number, second: string | number): boolean =>
  first === second ||
  (typeof first === 'number' &&
    typeof second === 'number' &&
    (Math.abs(first - 100 * second) < 1e-9 || Math.abs(second - 100 * first) < 1e-9));

/** The first field in which the two say different things, or null. */
export function difference(first: Statements, second: Statements): string | null {
  for (const [name, value] of first) {
    const other = second.get(name);
    if (other !== undefined && !same(value, other)) return name;
  }
  return null;
}

/** A key that is a field's name in other letters and says something else than the field, or null. */
export function rivalKey<T>(
  spec: AnswerSpec<T>,
  fields: readonly Field[],
  object: Readonly<Record<string, unknown>>,
): string | null {
  const plain = (name: string): string => name.replace(/[\s_-]/g, '').toLowerCase();
  const names = new Map(fields.map(({ name }) => [plain(name), name]));
  const own = statementsOf(spec, fields, object);
  for (const [key, value] of Object.entries(object)) {
    const name = names.get(plain(key));
    if (name === undefined || name === key) continue;
    if (difference(own, statementsOf(spec, fields, { [name]: value })) !== null) return key;
  }
  return null;
}

function verdictNamed(text: string, labels: readonly string[]): Set<string> {
  const line = new RegExp(
    `(?:^|\\n)[ \\t>#*_-]*(?:(?:my|the|final) ){0,2}(?:${verdictNames.join('|')})[*_ ]{0,4}[:=]([^\\n]{1,120})`,
    'gi',
  );
  const found = [...text.matchAll(line)].map((match) => matchLabel(bare(match[1] ?? ''), labels));
  return new Set(found.filter((label) => label !== null));
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/** Whether the text takes an answer back: an opening that does so, then another label, or the answer's own denied. */
export function retracts(text: string, own: ReadonlySet<string>, labels: readonly string[]): boolean {
  let openings = 0;
  for (const match of text.matchAll(retraction)) {
    openings += 1;
    if (openings > mostRetractions) return true;
    let passage = text.slice(match.index, match.index + match[0].length + reach);
    const lower = passage.toLowerCase();
    // The longest first: "not guilty" holds no "guilty".
    const named = labels.filter((label) => label !== '' && lower.includes(label.toLowerCase()));
    for (const label of named.toSorted((first, second) => second.length - first.length)) {
      const pattern = `(?<![\\p{L}\\p{N}_])(not[ \\t]+)?["'*\`]{0,3}${escaped(label)}(?![\\p{L}\\p{N}_])`;
      // Short labels are words of the language too: in other letters they count only before a stop.
      const loose = label.length < 5 ? `${pattern}(?=["'*\`]{0,3}[.,;!)]|\\s*$)` : pattern;
      for (const expression of [new RegExp(pattern, 'gu'), new RegExp(loose, 'giu')]) {
        for (const found of passage.matchAll(expression)) {
          if (!own.has(label) || found[1] !== undefined) return true;
        }
        passage = passage.replace(expression, ' ');
      }
    }
  }
  return false;
}

export interface Beside {
  /** Text in which the answer's fields may be repeated, objects left out. */
  readonly prose: string;
  /** Text that follows the answer. */
  readonly after: string;
}

/** Why the text beside an answer keeps it from being one, or null. */
export function contradiction<T>(
  spec: AnswerSpec<T>,
  fields: readonly Field[],
  value: T,
  { prose, after }: Beside,
): string | null {
  if (!isRecord(value)) return null;
  const stated = statementsOf(spec, fields, value);
  const mentions = findMentions(prose, fields);
  for (const [index, mention] of mentions.entries()) {
    const { field, opens } = mention;
    if (!opens || !stated.has(field.name)) continue;
    const content = contentOf(prose, mention, mentions[index + 1], false, true);
    const name = difference(stated, statementsOf(spec, [field], { [field.name]: content }));
    if (name !== null) return `${name}: given more than once, and differently`;
  }
  const own = new Set(spec.labelFields.flatMap((name) => value[name]).filter((label) => typeof label === 'string'));
  if (own.size === 0) return null;
  if ([...verdictNamed(prose, spec.labels)].some((label) => !own.has(label)))
    return 'the text names another answer than the fields';
  return retracts(after, own, spec.labels) ? 'the text takes the answer back' : null;
}
