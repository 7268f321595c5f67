import type { AnswerSpec } from './answer.ts';
import { isCalledNoAnswer, isDisclaimed, namesOther, refuses, retracts } from './disclaimers.ts';
import { type Field, isRecord, wantsNumber } from './fields.ts';
import { contentOf, findMentions } from './labelledFields.ts';
import { namesFewer } from './labelSetStatements.ts';
import { bare, isDeclined, matchLabel } from './labels.ts';
import { leadLength } from './regions.ts';
import { namesNone, ownLabels } from './rivals.ts';
import { measuresOtherwise } from './scales.ts';
import { statesOtherConfidence } from './statedConfidence.ts';
import { statesOtherVerdict } from './verdictStatements.ts';

/** What an answer says in one of its own fields: a label, or a number in the unit that it was written in. */
export type Statements = ReadonlyMap<string, string | number>;

/** Other names under which models repeat a verdict. They give no value: they only contradict one. */
const verdictNames = [
  'prediction',
  'answer',
  'verdict',
  'decision',
  'ruling',
  'judge?ment',
  'classification',
  'conclusion',
  'labels?',
];

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

const plain = (name: string): string => name.replace(/[\s_-]/g, '').toLowerCase();

/** Words before a field's name that make another key of it. */
const revised = /^(?:final|revised|corrected|updated|actual|real)(?=.)/;

/**
 * A key unknown to the schema that says something else than a field that it repeats: the field's name in
 * other letters, a revised one, or an object with the same field. Null if there is none, at any depth.
 */
export function rivalKey<T>(
  spec: AnswerSpec<T>,
  fields: readonly Field[],
  object: Readonly<Record<string, unknown>>,
): string | null {
  const names = new Map(fields.map(({ name }) => [plain(name), name]));
  const own = statementsOf(spec, fields, object);
  for (const [key, value] of Object.entries(object)) {
    const field = fields.find(({ name }) => name === key);
    if (field !== undefined) {
      const inner = isRecord(value) ? rivalKey(spec, field.fields, value) : null;
      if (inner !== null) return inner;
      continue;
    }
    const name = names.get(plain(key)) ?? names.get(plain(key).replace(revised, ''));
    const repeated = name === undefined ? (isRecord(value) ? value : {}) : { [name]: value };
    if (difference(own, statementsOf(spec, fields, repeated)) !== null) return key;
  }
  return null;
}

/** The labels that other lines of a text give as the verdict; an empty text for one that declines. */
function verdictNamed(text: string, labels: readonly string[]): Set<string> {
  const line = new RegExp(
    `(?:^|\\n)[ \\t>#*_-]*(?:(?:my|the|final) ){0,2}(?:${verdictNames.join('|')})(?:[ \\t]*\\([^)\\n]{0,40}\\)|[ \\t](?:for|of|if|by|without)[ \\t][^:=\\n]{0,40})?[*_ ]{0,4}[:=]([^\\n]{1,120})`,
    'gi',
  );
  const said = [...text.matchAll(line)].map((match) => bare(match[1] ?? ''));
  return new Set(
    said.map((words) => matchLabel(words, labels) ?? (isDeclined(words) ? '' : null)).filter((label) => label !== null),
  );
}

export interface Beside {
  /** Text in which the answer's fields may be repeated, objects left out. */
  readonly prose: string;
  /** Text in front of the answer, and text that follows it; what stands in objects that nobody can read is part of it. */
  readonly before: string;
  readonly after: string;
  /** Comments in the object that it was read from. */
  readonly comments: string;
  /** Whether the answer itself was read from lines of the prose. */
  readonly inLines: boolean;
}

/** What is said of an answer that is an example, or denied. */
export const denied = 'the only answer is an example, or one that the text denies';

/** Why the text beside an answer keeps it from being one, or null. */
export function contradiction<T>(
  spec: AnswerSpec<T>,
  fields: readonly Field[],
  value: T,
  { prose, before, after, comments, inLines }: Beside,
): string | null {
  if (!isRecord(value)) return null;
  const stated = statementsOf(spec, fields, value);
  const mentions = findMentions(prose, fields);
  for (const [index, mention] of mentions.entries()) {
    const { field, opens } = mention;
    if (!opens || !stated.has(field.name)) continue;
    if (inLines && index === 0 && isDisclaimed(prose.slice(Math.max(0, mention.start - leadLength), mention.start)))
      return denied;
    const content = contentOf(prose, mention, mentions[index + 1], false, true);
    const name = difference(stated, statementsOf(spec, [field], { [field.name]: content }));
    if (name !== null) return `${name}: given more than once, and differently`;
  }
  if (measuresOtherwise(`${before}\n${after}\n${comments}`, fields, value))
    return 'the text measures by another scale than the one asked for';
  if (statesOtherConfidence(`${before}\n${after}`, fields, value)) return 'the text states another confidence than the fields';
  const own = ownLabels(spec.labelFields, value);
  if (own.size === 0) return null;
  if ([...verdictNamed(prose, spec.labels)].some((label) => !own.has(label)))
    return 'the text names another answer than the fields';
  const ofList = spec.labelFields.some((name) => Array.isArray(value[name]));
  if (ofList && !namesNone(own) && namesFewer(`${before}\n${after}`, own)) return 'the text names fewer labels than the fields';
  if (refuses(prose)) return 'the text refuses to answer';
  if (namesOther(comments, own, spec.labels)) return 'a comment names another label';
  if (isCalledNoAnswer(after)) return 'the text says that this was no answer';
  if (retracts(after, own, spec.labels)) return 'the text takes the answer back';
  const differs = [before, after].some((text) => statesOtherVerdict(text, own, spec.labels));
  return differs ? 'the text gives another verdict than the fields' : null;
}
