import type { z } from 'zod';
import type { AnswerFailureKind, AnswerSpec } from './answer.ts';
import { excerpt, listed } from './excerpt.ts';
import { type Field, isRecord, wantsNumber } from './fields.ts';
import { isDeclined, matchLabel } from './labels.ts';

export type Interpretation<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly kind: AnswerFailureKind; readonly message: string };

type Failure = Extract<Interpretation<never>, { ok: false }>;

const fail = (kind: AnswerFailureKind, message: string): Failure => ({ ok: false, kind, message });

/** A value that becomes the answer's field, or why it cannot. */
type Reading = { readonly ok: true; readonly value: unknown } | Failure;

/** Whether every number of this value in the source has the label's spelling: `1.0` and `-0` are no `1` and `0`. */
const isSpelled = (value: number, label: string, source: string): boolean =>
  [...source.matchAll(/(?<![\w.+-])[-+]?\d{1,30}(?:\.\d{0,30})?(?:e[-+]?\d{1,4})?(?!\w|\.\d)/gi)].every(
    ([found]) => Number(found) !== value || found === label,
  );

function readLabel(name: string, value: unknown, labels: readonly string[], source: string): Reading {
  if (Array.isArray(value)) {
    const found: unknown[] = [];
    for (const item of value) {
      const reading = readLabel(name, item, labels, source);
      // One member that declines beside labels is no label; alone it declines the whole field.
      if (!reading.ok && reading.kind === 'undecided' && value.length > 1) return notALabel(name, item, labels);
      if (!reading.ok) return reading;
      found.push(reading.value);
    }
    return { ok: true, value: found };
  }
  if (value === null) return { ok: true, value };
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
    return notALabel(name, value, labels);
  }
  const text = String(value);
  const label = matchLabel(text, labels);
  if (label !== null) {
    // A number or boolean counts as a label only if it stands there in the label's spelling: not 1e1 for "10".
    const literal =
      typeof value === 'string' ||
      (source.toLowerCase().includes(label.toLowerCase()) && (typeof value === 'boolean' || isSpelled(value, label, source)));
    if (literal) return { ok: true, value: label };
    return notALabel(name, value, labels);
  }
  if (isDeclined(text)) return fail('undecided', `${name}: declined to decide: "${excerpt(text, 80)}"`);
  return notALabel(name, value, labels);
}

function notALabel(name: string, value: unknown, labels: readonly string[]): Failure {
  const plain = isRecord(value) ? 'an object' : excerpt(String(value), 80);
  const shown = typeof value === 'string' ? `"${plain}"` : plain;
  return fail('invalid_label', `${name}: ${shown} is not one of the labels ${listed(labels, 300)}`);
}

const numberText = /^(-?(?:0|[1-9]\d{0,30})(?:\.\d{1,30})?)(\s?%|\s(?:percent|per cent))?$/i;

const inPercent = (value: unknown): boolean => typeof value === 'string' && /(?:%|percent|per cent)\s*$/i.test(value);

/** Whether some numbers look like parts of one and others like percent, and they add up to neither. */
function mixesScales(stated: Readonly<Record<string, unknown>>): boolean {
  const numbers = Object.values(stated).map((value) => (typeof value === 'string' ? Number(value) : value));
  const known = numbers.filter((value): value is number => typeof value === 'number' && Number.isFinite(value));
  const sum = known.reduce((total, value) => total + value, 0);
  return known.some((value) => value > 0 && value < 1) && known.some((value) => value > 1) && Math.abs(sum - 100) > 10;
}

/** @param fractions whether the numbers may be parts of one though the scale runs from 0 to 100 */
function readNumber(field: Field, name: string, value: unknown, fractions: boolean): Reading {
  let number = value;
  if (typeof value === 'string' && !field.types.has('string')) {
    const match = numberText.exec(value.trim());
    // On any other scale than percent a percent sign would change the number.
    if (match !== null && (match[2] === undefined || field.maximum === 100)) number = Number(match[1]);
  }
  if (typeof number === 'number' && field.maximum === 100 && !fractions) {
    const rule = 'is ambiguous where the scale runs from 0 to 100; give a whole number from 0 to 100';
    if (number > 0 && number < 1) return fail('malformed', `${name}: a number between 0 and 1 ${rule}`);
    // On a scale from 0 to 1 it says certain, on this one nearly impossible.
    if (number === 1 && field.name === 'confidence' && !inPercent(value)) return fail('malformed', `${name}: 1 ${rule}`);
  }
  return { ok: true, value: number };
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let found: unknown = value;
  for (const key of path) {
    if (Array.isArray(found) && typeof key === 'number') found = found[key];
    else if (isRecord(found) && Object.hasOwn(found, key)) found = found[String(key)];
    else return undefined;
  }
  return found;
}

function dropExtraKeys(value: unknown, issues: readonly z.core.$ZodIssue[]): boolean {
  let dropped = false;
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') continue;
    const owner = valueAt(value, issue.path);
    if (!isRecord(owner)) continue;
    for (const key of issue.keys) dropped = Reflect.deleteProperty(owner, key) || dropped;
  }
  return dropped;
}

const hasLength = (origin: string): boolean => origin === 'string' || origin === 'array';

function describe(value: unknown, issue: z.core.$ZodIssue): string {
  const path = excerpt(issue.path.map(String).join('.'), 60) || 'answer';
  if (issue.code === 'invalid_type') {
    return `${path}: ${valueAt(value, issue.path) === undefined ? 'missing' : `expected ${issue.expected}`}`;
  }
  if (issue.code === 'invalid_value') {
    return `${path}: ${valueAt(value, issue.path) === undefined ? 'missing' : 'not one of the allowed values'}`;
  }
  if (issue.code === 'too_big') return `${path}: too ${hasLength(issue.origin) ? 'long' : 'large'}`;
  if (issue.code === 'too_small') return `${path}: too ${hasLength(issue.origin) ? 'short' : 'small'}`;
  return `${path}: not valid`;
}

/** The schema's word on a value; keys that it does not know are dropped, at any depth. */
function validate<T>(spec: AnswerSpec<T>, value: unknown): Interpretation<T> {
  let result = spec.schema.safeParse(value);
  if (!result.success && dropExtraKeys(value, result.error.issues)) result = spec.schema.safeParse(value);
  if (result.success) return { ok: true, value: result.data };
  const issues = result.error.issues;
  const shown = issues.slice(0, 5).map((issue) => describe(value, issue));
  const rest = issues.length > shown.length ? `; and ${issues.length - shown.length} more` : '';
  return fail('malformed', `${shown.join('; ')}${rest}`);
}

/** Reads labels and numbers by the schema's fields, at any depth, and keeps what could not be read. */
class FieldReader {
  readonly failures: Failure[] = [];
  readonly #spec: AnswerSpec<unknown>;
  readonly #source: string;

  constructor(spec: AnswerSpec<unknown>, source: string) {
    this.#spec = spec;
    this.#source = source;
  }

  /** The answer's own fields. */
  answer(fields: readonly Field[], object: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return this.#object(fields, object, this.#spec.labelFields, '', false);
  }

  #object(
    fields: readonly Field[],
    object: Readonly<Record<string, unknown>>,
    labelFields: readonly string[],
    path: string,
    fractions: boolean,
  ): Record<string, unknown> {
    const entries = new Map(Object.entries(object));
    const put = (name: string, reading: Reading): void => {
      if (reading.ok) entries.set(name, reading.value);
      else this.failures.push(reading);
    };
    for (const name of this.#spec.labels.length > 0 ? labelFields : []) {
      if (entries.has(name)) put(name, this.#label(path, name, entries.get(name)));
    }
    for (const field of fields) {
      if (!entries.has(field.name) || labelFields.includes(field.name)) continue;
      const value = entries.get(field.name);
      const name = excerpt(`${path}${field.name}`, 60);
      if (wantsNumber(field)) put(field.name, readNumber(field, name, value, fractions));
      else entries.set(field.name, this.#inner(field, value, `${path}${field.name}.`));
    }
    return Object.fromEntries(entries);
  }

  #label(path: string, name: string, value: unknown): Reading {
    const { labels } = this.#spec;
    const shown = excerpt(`${path}${name}`, 60);
    const reading = readLabel(shown, value, labels, this.#source);
    // To decline in a part of the answer is not to decline the question.
    const declinesPart = !reading.ok && reading.kind === 'undecided' && path !== '';
    return declinesPart ? notALabel(shown, value, labels) : reading;
  }

  #inner(field: Field, value: unknown, path: string): unknown {
    if (field.fields.length === 0) return value;
    // One list deep: a schema with lists of lists gets no such reading, and nonsense no deep recursion.
    if (Array.isArray(value)) {
      return value.map((item, index) => (isRecord(item) ? this.#inner(field, item, `${path}${index}.`) : item));
    }
    if (!isRecord(value)) return value;
    // A distribution is divided by its sum, so that parts of one are as good as percent; its keys are labels.
    const isDistribution = field.name === 'distribution';
    if (isDistribution && mixesScales(value)) {
      const shown = excerpt(path, 60).replace(/\.$/, '');
      this.failures.push(fail('malformed', `${shown}: parts of one and percent are mixed; give percent that add up to 100`));
    }
    const fractions = isDistribution && !Object.values(value).some(inPercent);
    const known = new Set(isDistribution ? [] : field.fields.map(({ name }) => name));
    const labelFields = this.#spec.labelFields.filter((name) => known.has(name));
    return this.#object(field.fields, value, labelFields, path, fractions);
  }
}

/**
 * From a parsed object to an answer: labels in their own spelling, number texts as numbers, then the
 * schema. `source` is the text that the object was read from. An open refusal to decide in a label
 * field goes before every other failure.
 */
export function interpret<T>(
  spec: AnswerSpec<T>,
  fields: readonly Field[],
  object: Readonly<Record<string, unknown>>,
  source: string,
): Interpretation<T> {
  const reader = new FieldReader(spec, source);
  const value = reader.answer(fields, object);
  const failure = reader.failures.find(({ kind }) => kind === 'undecided') ?? reader.failures[0];
  return failure ?? validate(spec, value);
}
