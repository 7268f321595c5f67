import type { AnswerFailureKind, AnswerReading, AnswerSpec, ParseMethod } from './answer.ts';
import { canonical } from './canonical.ts';
import { contradiction, denied, difference, rivalKey, type Statements, statementsOf } from './contradictions.ts';
import { isDisclaimed } from './disclaimers.ts';
import { excerpt } from './excerpt.ts';
import { type Field, fieldsOf, isRecord } from './fields.ts';
import { interpret } from './interpret.ts';
import { mentionsField, readLabelledFields } from './labelledFields.ts';
import { commentsIn, duplicateKey, findObjects, mostObjects, type ObjectRegion, type ObjectRegions } from './regions.ts';
import { longestRepair, repairObject } from './tolerant.ts';

export type AnswerFailure = Extract<AnswerReading<never>, { ok: false }>;

/** Characters above which an answer is refused unread. */
export const longestAnswer = 1_000_000;

const fail = (kind: AnswerFailureKind, message: string): AnswerFailure => ({ ok: false, kind, message });

function parseStrict(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readObject<T>(
  spec: AnswerSpec<T>,
  fields: readonly Field[],
  object: Readonly<Record<string, unknown>>,
  source: string,
  method: ParseMethod,
): AnswerReading<T> {
  const rival = rivalKey(spec, fields, object);
  if (rival !== null) return fail('malformed', `${excerpt(rival, 60)}: says something else than the field that it repeats`);
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

/** What came of one object that has a field of the answer. */
interface Candidate<T> {
  readonly reading: AnswerReading<T>;
  readonly statements: Statements;
  /** The prose in front of it makes it an example, or denies it: it may contradict an answer, not be one. */
  readonly disclaimed: boolean;
  /** Its place among the text's objects. */
  readonly index: number;
}

const differ = 'more than one complete answer, and they differ';

/** One candidate out of several: all that say something must say the same. */
function agree<T>(candidates: readonly Candidate<T>[]): Candidate<T> | null {
  const telling = candidates.filter(({ reading }) => identity(reading) !== null);
  const owned = telling.filter(({ disclaimed }) => !disclaimed);
  const chosen = owned.find(({ reading }) => reading.ok && reading.method === 'embedded-json') ?? owned[0];
  if (chosen === undefined) {
    const last = candidates.at(-1);
    if (last === undefined || identity(last.reading) === null) return last ?? null;
    return { ...last, reading: fail('malformed', denied) };
  }
  const distinct = new Set(telling.map(({ reading }) => identity(reading))).size;
  const contradicted = candidates.some(({ reading, statements, index }) => {
    const foreign = !reading.ok && reading.kind === 'invalid_label';
    // Before an answer such an object shows its form: {"prediction": "<label>"}.
    return foreign ? index > chosen.index : difference(chosen.statements, statements) !== null;
  });
  return distinct > 1 || contradicted ? { ...chosen, reading: fail('malformed', differ) } : chosen;
}

/** Reads every object that has a field of the answer; null where one after an answer cannot be read. */
function readRegions<T>(
  spec: AnswerSpec<T>,
  fields: readonly Field[],
  regions: readonly ObjectRegion[],
): readonly Candidate<T>[] | null {
  const candidates: Candidate<T>[] = [];
  let repairs = longestRepair;
  for (const [index, region] of regions.entries()) {
    const strict = parseStrict(region.text);
    const isStrict = isRecord(strict);
    const disclaimed = isDisclaimed(region.lead);
    let object = isStrict ? strict : null;
    if (object === null && region.text.length <= repairs) {
      repairs -= region.text.length;
      object = repairObject(spec, fields, region);
    }
    if (object === null || !sharesField(object, fields)) {
      const answered = candidates.some(({ reading }) => identity(reading) !== null);
      if (object === null && answered && mentionsField(region.text, fields)) return null;
      continue;
    }
    const reading = isStrict
      ? readStrict(spec, fields, object, region.text, 'embedded-json')
      : readObject(spec, fields, object, region.text, 'tolerant-json');
    candidates.push({ reading, statements: statementsOf(spec, fields, object), disclaimed, index });
  }
  return candidates;
}

/** The prose behind the object at `index`; every object stands in the prose as `{}`. */
function proseAfter(prose: string, index: number): string {
  let end = 0;
  for (let passed = 0; passed <= index; passed += 1) end = prose.indexOf('{}', end) + 2;
  return prose.slice(end);
}

/** The reading of an object, unless the text around it or the comments in it say something else. */
function inContext<T>(
  spec: AnswerSpec<T>,
  fields: readonly Field[],
  { reading, index }: Candidate<T>,
  { regions, prose }: ObjectRegions,
): AnswerReading<T> {
  if (!reading.ok) return reading;
  const comments = reading.method === 'tolerant-json' ? commentsIn(regions[index]?.text ?? '') : '';
  const after = proseAfter(prose, index);
  const problem = contradiction(spec, fields, reading.value, { prose, after, comments, inLines: false });
  return problem === null ? reading : fail('malformed', problem);
}

/**
 * Reads a model's raw text as an answer, by four methods, the strictest first: the whole text as JSON;
 * the outermost object in it (in a fence or not, thinking parts skipped) as JSON; such an object
 * repaired; labelled fields outside of any object. The last two recover what is there and never complete a value: an object
 * without its closing brace is refused whole, and so are answers that the text contradicts or takes back.
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

  const found = findObjects(raw);
  const { regions, prose, unclosed } = found;
  if (unclosed) return fail('malformed', 'the object is cut off: it has no closing brace');
  if (regions.length > mostObjects) return fail('malformed', `more than ${mostObjects} objects in the text`);
  if (prose.trim() === '') return fail('malformed', 'empty answer: nothing but thinking');
  const candidates = readRegions(spec, fields, regions);
  if (candidates === null) return fail('malformed', 'another answer follows that cannot be read');
  const agreed = agree(candidates);
  if (agreed !== null) return inContext(spec, fields, agreed, found);
  const inObjects = regions.some((region) => mentionsField(region.text, fields));
  const labelled = inObjects ? null : readLabelledFields(spec, fields, prose, ended);
  if (labelled !== null) {
    const reading = readObject(spec, fields, labelled.entries, prose, 'labelled-fields');
    const problem = reading.ok
      ? contradiction(spec, fields, reading.value, { prose, after: labelled.beside, comments: '', inLines: true })
      : null;
    return problem === null ? reading : fail('malformed', problem);
  }
  return fail('malformed', `no complete answer with ${excerpt(fields.map(({ name }) => name).join(', '), 200)}`);
}

/** Objects without any field of the answer (an echoed schema, an example) are no answers at all. */
const sharesField = (object: Readonly<Record<string, unknown>>, fields: readonly Field[]): boolean =>
  fields.some(({ name }) => Object.hasOwn(object, name));
