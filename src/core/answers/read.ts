import type { AnswerFailureKind, AnswerReading, AnswerSpec, ParseMethod } from './answer.ts';
import { excerpt } from './excerpt.ts';
import { type Field, fieldsOf, isRecord } from './fields.ts';
import { interpret } from './interpret.ts';
import { mentionsField, readLabelledFields } from './labelledFields.ts';
import { duplicateKey, findObjects } from './regions.ts';
import { repairObject } from './tolerant.ts';

export type AnswerFailure = Extract<AnswerReading<never>, { ok: false }>;

/** Characters above which an answer is refused unread. */
export const longestAnswer = 1_000_000;

/** Objects in one text above which it is refused: no model answers like that. */
const mostObjects = 200;

const fail = (kind: AnswerFailureKind, message: string): AnswerFailure => ({ ok: false, kind, message });

function parseStrict(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A JSON text of a validated value that does not depend on the order of keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isRecord(part) ? Object.fromEntries(Object.entries(part).sort(([first], [second]) => (first < second ? -1 : 1))) : part,
  );
}

function readObject<T>(
  spec: AnswerSpec<T>,
  fields: readonly Field[],
  object: Readonly<Record<string, unknown>>,
  source: string,
  method: ParseMethod,
): AnswerReading<T> {
  const interpretation = interpret(spec, fields, object, source);
  return interpretation.ok ? { ...interpretation, method } : interpretation;
}

function readStrict<T>(
  spec: AnswerSpec<T>,
  fields: readonly Field[],
  object: Record<string, unknown>,
  text: string,
  method: ParseMethod,
): AnswerReading<T> {
  const twice = duplicateKey(text);
  if (twice !== null) return fail('malformed', `${excerpt(twice, 60)}: given more than once in one object`);
  return readObject(spec, fields, object, text, method);
}

/** What tells two readings apart; readings that are no decision of any kind have none. */
function identity<T>(reading: AnswerReading<T>): string | null {
  if (reading.ok) return canonical(reading.value);
  return reading.kind === 'undecided' ? 'undecided' : null;
}

/** One reading out of several objects' readings: all that say something must say the same. */
function agree<T>(readings: readonly AnswerReading<T>[]): AnswerReading<T> | null {
  const telling = readings.filter((reading) => identity(reading) !== null);
  if (new Set(telling.map(identity)).size > 1) {
    return fail('malformed', 'more than one complete answer, and they differ');
  }
  const strict = telling.find((reading) => reading.ok && reading.method === 'embedded-json');
  return strict ?? telling[0] ?? readings.at(-1) ?? null;
}

/**
 * Reads a model's raw text as an answer, by four methods, the strictest first: the whole text as JSON;
 * the outermost object in it (in a fence or not, thinking parts skipped) as JSON; such an object
 * repaired; labelled fields outside of any object. The last two recover what is there and never complete a value: an object
 * without its closing brace is refused whole, and so are two complete answers that differ.
 *
 * `ended` says that the backend reported a complete answer; only then may a labelled field's value
 * end with the text itself. The schema must be an object schema. Never throws; time is linear
 * but for repairs, which are bounded in length.
 */
export function readAnswer<T>(spec: AnswerSpec<T>, raw: string, ended = false): AnswerReading<T> {
  if (raw.length > longestAnswer) return fail('malformed', `answer longer than ${longestAnswer} characters`);
  const whole = raw.trim();
  if (whole === '') return fail('malformed', 'empty answer');
  const fields = fieldsOf(spec.schema);
  const object = parseStrict(whole);
  if (isRecord(object) && sharesField(object, fields)) return readStrict(spec, fields, object, whole, 'json');

  const { regions, prose, unclosed } = findObjects(raw);
  if (unclosed) return fail('malformed', 'the object is cut off: it has no closing brace');
  if (regions.length > mostObjects) return fail('malformed', `more than ${mostObjects} objects in the text`);
  if (prose.trim() === '') return fail('malformed', 'empty answer: nothing but thinking');
  const readings: AnswerReading<T>[] = [];
  for (const region of regions) {
    const strict = parseStrict(region.text);
    if (isRecord(strict)) {
      if (sharesField(strict, fields)) readings.push(readStrict(spec, fields, strict, region.text, 'embedded-json'));
      continue;
    }
    const repaired = repairObject(spec, fields, region);
    if (repaired !== null && sharesField(repaired, fields)) {
      readings.push(readObject(spec, fields, repaired, region.text, 'tolerant-json'));
    }
  }
  const agreed = agree(readings);
  if (agreed !== null) return agreed;
  const inObjects = regions.some((region) => mentionsField(region.text, fields));
  const labelled = inObjects ? null : readLabelledFields(spec, fields, prose, ended);
  if (labelled !== null) return readObject(spec, fields, labelled, prose, 'labelled-fields');
  return fail('malformed', `no complete answer with ${excerpt(fields.map(({ name }) => name).join(', '), 200)}`);
}

/** Objects without any field of the answer (an echoed schema, an example) are no answers at all. */
const sharesField = (object: Readonly<Record<string, unknown>>, fields: readonly Field[]): boolean =>
  fields.some(({ name }) => Object.hasOwn(object, name));
