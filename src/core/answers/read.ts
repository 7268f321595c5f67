import type { AnswerFailureKind, AnswerReading, AnswerSpec, ParseMethod } from './answer.ts';
import { canonical } from './canonical.ts';
import { contradiction, denied, difference, rivalKey, type Statements, statementsOf } from './contradictions.ts';
import { isDisclaimed } from './disclaimers.ts';
import { excerpt } from './excerpt.ts';
import { type Field, fieldsOf, isRecord } from './fields.ts';
import { foreignShare } from './foreignShares.ts';
import { interpret } from './interpret.ts';
import { mentionsField, readLabelledFields } from './labelledFields.ts';
import { commentsIn, duplicateKey, findObjects, mostObjects, type ObjectRegion, type ObjectRegions } from './regions.ts';
import { ownLabels, rivalBeside, rivalIn, statedLabels } from './rivals.ts';
import { scaleKeyOf } from './scales.ts';
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
  const other = rivalBeside(spec, fields, statedLabels(spec, object), object);
  if (other !== null) return fail('malformed', `${excerpt(other, 60)}: says another verdict than the fields`);
  const foreign = foreignShare(fields, object);
  if (foreign !== null) return fail('malformed', `distribution: ${excerpt(foreign, 60)} is no label and has a part of it`);
  const interpretation = interpret(spec, fields, object, source);
  const scale = interpretation.ok ? scaleKeyOf(object, fields, interpretation.value) : null;
  if (scale !== null) return fail('malformed', `${excerpt(scale, 60)}: measures by another scale than the one asked for`);
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

/** What came of all objects of a text. */
interface Found<T> {
  readonly candidates: readonly Candidate<T>[];
  /** The objects as JSON or repaired; null where one is neither. */
  readonly objects: readonly (Readonly<Record<string, unknown>> | null)[];
}

/** Reads every object that has a field of the answer; null where one after an answer cannot be read. */
function readRegions<T>(spec: AnswerSpec<T>, fields: readonly Field[], regions: readonly ObjectRegion[]): Found<T> | null {
  const candidates: Candidate<T>[] = [];
  const objects: (Record<string, unknown> | null)[] = [];
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
    objects.push(object);
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
  return { candidates, objects };
}

/** The last words in front of an object that may announce it. */
const announcement = (lead: string): string => /[^.!?\n]*\s*$/.exec(lead)?.[0] ?? '';

/** The prose on both sides of an object; others that say nothing in fields, such as `{NO}`, stand in it as they are. */
function around(
  regions: readonly ObjectRegion[],
  prose: string,
  chosen: number,
  objects: Found<unknown>['objects'],
): { readonly before: string; readonly after: string } {
  const sides = { before: '', after: '' };
  let from = 0;
  for (const [index, { text, place }] of regions.entries()) {
    const side = index <= chosen ? 'before' : 'after';
    sides[side] += prose.slice(from, place);
    if (index !== chosen && (objects[index] === null || !text.includes(':'))) sides[side] += ` (${text.slice(1, -1)}) `;
    from = place + 2;
  }
  return { before: sides.before, after: sides.after + prose.slice(from) };
}

/** A key of another object than the chosen one that says something else than the answer's value; null if there is none. */
function rivalObject<T>(
  spec: AnswerSpec<T>,
  fields: readonly Field[],
  value: T,
  regions: readonly ObjectRegion[],
  objects: Found<T>['objects'],
  chosen: number,
): string | null {
  const own = ownLabels(spec.labelFields, value);
  for (const [index, object] of objects.entries()) {
    const lead = regions[index]?.lead ?? '';
    if (index === chosen || object === null || isDisclaimed(lead)) continue;
    const rival = rivalIn(spec, own, object, announcement(lead)) ?? scaleKeyOf(object, fields, value);
    if (rival !== null) return `${excerpt(rival, 60)}: another object says something else than the fields`;
  }
  return null;
}

/** The reading of an object, unless what stands around it or the comments in it say something else. */
function inContext<T>(
  spec: AnswerSpec<T>,
  fields: readonly Field[],
  { reading, index }: Candidate<T>,
  { regions, prose }: ObjectRegions,
  objects: Found<T>['objects'],
): AnswerReading<T> {
  if (!reading.ok) return reading;
  const comments = reading.method === 'tolerant-json' ? commentsIn(regions[index]?.text ?? '') : '';
  const beside = { prose, ...around(regions, prose, index, objects), comments, inLines: false };
  const problem =
    rivalObject(spec, fields, reading.value, regions, objects, index) ?? contradiction(spec, fields, reading.value, beside);
  return problem === null ? reading : fail('malformed', problem);
}

/** The reading of labelled lines, unless what stands between them says something else. */
function readLines<T>(
  spec: AnswerSpec<T>,
  fields: readonly Field[],
  { regions, prose }: ObjectRegions,
  objects: Found<T>['objects'],
  ended: boolean,
): AnswerReading<T> | null {
  const lines = around(regions, prose, -1, objects).after;
  const labelled = readLabelledFields(spec, fields, lines, ended);
  if (labelled === null) return null;
  const reading = readObject(spec, fields, labelled.entries, lines, 'labelled-fields');
  if (!reading.ok) return reading;
  const before = `${labelled.before}\n${labelled.last}`;
  const beside = { prose: lines, before, after: labelled.beside, comments: '', inLines: true };
  const problem =
    rivalObject(spec, fields, reading.value, regions, objects, -1) ?? contradiction(spec, fields, reading.value, beside);
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
  const { regions, prose, unclosed, thinking } = found;
  if (unclosed) return fail('malformed', 'the object is cut off: it has no closing brace');
  if (regions.length > mostObjects) return fail('malformed', `more than ${mostObjects} objects in the text`);
  if (thinking)
    return fail('malformed', 'the text ends in thinking: nothing but thinking that never ends, or an answer before it');
  if (prose.trim() === '') return fail('malformed', 'empty answer: nothing but thinking');
  const read = readRegions(spec, fields, regions);
  if (read === null) return fail('malformed', 'another answer follows that cannot be read');
  const agreed = agree(read.candidates);
  if (agreed !== null) return inContext(spec, fields, agreed, found, read.objects);
  const inObjects = regions.some((region) => mentionsField(region.text, fields));
  const lines = inObjects ? null : readLines(spec, fields, found, read.objects, ended);
  if (lines !== null) return lines;
  return fail('malformed', `no complete answer with ${excerpt(fields.map(({ name }) => name).join(', '), 200)}`);
}

/** Objects without any field of the answer (an echoed schema, an example) are no answers at all. */
const sharesField = (object: Readonly<Record<string, unknown>>, fields: readonly Field[]): boolean =>
  fields.some(({ name }) => Object.hasOwn(object, name));
