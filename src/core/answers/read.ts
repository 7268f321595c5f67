import type { z } from 'zod';
import type { JsonSchema } from '../../shared/model.ts';
import type { AnswerFailure, AnswerFailureKind, AnswerFlag, AnswerReading, AnswerSpec, ParseMethod } from './answer.ts';
import { excerpt, listed } from './excerpt.ts';
import { asArray, isRecord, membersOf, valueAt } from './fields.ts';
import { isDeclined, matchLabel } from './labels.ts';
import { jsonSchemaOf } from './schema.ts';
import { repeatedKey, soleObject } from './soleObject.ts';

/** Characters above which an answer is refused unread; answers that keep to a schema of ours are far shorter. */
const longestAnswer = 200_000;

/** Most keys dropped from one answer: each is compared with every label. */
const mostDropped = 20;

type MayGo = (content: unknown, dropped: number) => boolean;

export const fail = (kind: AnswerFailureKind, message: string): AnswerFailure => ({ ok: false, kind, message });

/** The refusal of an answer that is too long to be looked at, or null. */
export const tooLong = (raw: string): AnswerFailure | null =>
  raw.length > longestAnswer ? fail('malformed', `answer longer than ${longestAnswer} characters`) : null;

const shown = (path: readonly PropertyKey[]): string => excerpt(path.map(String).join('.'), 60) || 'answer';

/** Drops the keys that the schema does not know, at any depth. Returns how many, or the place of one that may not go. */
function dropUnknownKeys(schema: JsonSchema, value: unknown, mayGo: MayGo): number | string {
  let dropped = 0;
  let refused: string | null = null;
  const visit = (parts: readonly unknown[], inner: unknown, path: readonly PropertyKey[]): void => {
    const schemas = parts.filter(isRecord);
    const branches = schemas.flatMap(({ anyOf }) => asArray(anyOf));
    if (branches.length > 0) {
      visit([...schemas.map(({ anyOf: _, ...own }) => own), ...branches], inner, path);
      return;
    }
    if (Array.isArray(inner)) {
      for (const [index, item] of inner.entries()) {
        const itemSchemas = schemas.map(({ items, prefixItems }) => asArray(prefixItems)[index] ?? items);
        visit(itemSchemas, item, [...path, index]);
      }
    }
    const objects = schemas.filter(({ type }) => type === 'object').map(membersOf);
    if (!isRecord(inner) || objects.length === 0) return;
    for (const [name, content] of Object.entries(inner)) {
      if (refused !== null) return;
      const known = objects.flatMap((members) => (members.has(name) ? [members.get(name)] : []));
      const place = [...path, name];
      if (known.length > 0) {
        if (typeof content === 'object') visit(known, content, place);
      } else if (mayGo(content, dropped)) {
        Reflect.deleteProperty(inner, name);
        dropped += 1;
      } else refused ??= shown(place);
    }
  };
  visit([schema], value, []);
  return refused ?? dropped;
}

/** Whether zod alone finds a text too long: it counts UTF-16 units, JSON Schema characters, and it was the schema that was sent. */
function isShortEnough(value: unknown, issue: z.core.$ZodIssue): boolean {
  const text = valueAt(value, issue.path);
  return issue.code === 'too_big' && typeof text === 'string' && [...text].length <= issue.maximum;
}

function limitOf(origin: string, limit: string): string {
  if (origin === 'string') return `${limit} characters`;
  return origin === 'array' ? `${limit} items` : limit;
}

const typeText = new Map<string, string>([
  ['int', 'a whole number'],
  ['number', 'a number'],
  ['string', 'a text'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
  ['record', 'an object'],
]);

function describe(value: unknown, issue: z.core.$ZodIssue): string {
  const path = shown(issue.path);
  const isMissing = valueAt(value, issue.path) === undefined;
  if (isMissing && (issue.code === 'invalid_type' || issue.code === 'invalid_value')) return `${path} is missing`;
  if (issue.code === 'invalid_type') return `${path} must be ${typeText.get(issue.expected) ?? issue.expected}`;
  if (issue.code === 'invalid_value') return `${path} must be one of ${listed(issue.values.map(String), 80)}`;
  if (issue.code === 'too_big') return `${path} must be at most ${limitOf(issue.origin, String(issue.maximum))}`;
  if (issue.code === 'too_small') return `${path} must be at least ${limitOf(issue.origin, String(issue.minimum))}`;
  return `${path} is not valid`;
}

/** What a refused value fails by: a label alone that is none, a refusal to name one, or the first error of the schema. */
function failureOf(spec: AnswerSpec<unknown>, value: unknown, issues: readonly z.core.$ZodIssue[]): AnswerFailure {
  const [first] = issues;
  if (first === undefined) return fail('malformed', 'the answer is not valid');
  const isLabel = ({ code, path }: z.core.$ZodIssue): boolean => {
    const field = path.findLast((key) => typeof key === 'string');
    return code === 'invalid_value' && spec.labelFields.includes(field ?? '') && valueAt(value, path) !== undefined;
  };
  if (!issues.every(isLabel)) return fail('malformed', describe(value, first));
  const said = valueAt(value, first.path);
  const quoted = `${shown(first.path)}: ${excerpt(JSON.stringify(said), 80)}`;
  // To decline in a part of the answer is not to decline the question.
  if (typeof said === 'string' && first.path.length === 1 && isDeclined(said)) {
    return fail('undecided', `${quoted} declines to decide`);
  }
  return fail('invalid_label', `${quoted} is not one of the labels ${listed(spec.labels, 300)}`);
}

/** An answer from a JSON value, which is changed. */
export function fromValue<T>(spec: AnswerSpec<T>, value: unknown, method: ParseMethod, mayGo: MayGo): AnswerReading<T> {
  const dropped = dropUnknownKeys(jsonSchemaOf(spec), value, mayGo);
  if (typeof dropped === 'string') return fail('malformed', `the key ${dropped} was not asked for`);
  // To compile a schema costs more than the few answers that it reads.
  const { data = value as T, error } = spec.schema.safeParse(value, { jitless: true });
  const issues = (error?.issues ?? []).filter((issue) => !isShortEnough(value, issue));
  if (issues.length > 0) return failureOf(spec, value, issues);
  const found: AnswerFlag[] = method === 'embedded-json' ? ['embedded'] : [];
  if (dropped > 0) found.push('dropped-key');
  return { ok: true, value: data, method, flags: [...found, ...(spec.flags?.(data) ?? [])] };
}

/**
 * Reads a model's raw text as an answer: one JSON object that satisfies the schema, with nothing else but thinking before
 * it and a fence around it. A key that was not asked for is dropped where it holds free text that is no label. All that
 * the schema admits is accepted. Never throws.
 */
export function readAnswer<T>(spec: AnswerSpec<T>, raw: string): AnswerReading<T> {
  const refusal = tooLong(raw);
  if (refusal !== null) return refusal;
  const found = soleObject(raw);
  if (typeof found === 'string') return fail('malformed', found);
  const { value, json, embedded } = found;
  const repeated = repeatedKey(json);
  if (repeated !== null) return fail('malformed', `the key ${excerpt(repeated, 60)} stands twice in one object`);
  const isFreeText = (content: unknown, dropped: number): boolean =>
    dropped < mostDropped && typeof content === 'string' && matchLabel(content, spec.labels) === null;
  return fromValue(spec, value, embedded ? 'embedded-json' : 'json', isFreeText);
}
