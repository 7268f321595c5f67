import { jsonrepair } from 'jsonrepair';
import type { AnswerReading, AnswerSpec, ParseMethod } from './answer.ts';
import { isRecord, membersOf } from './fields.ts';
import { matchLabel } from './labels.ts';
import { fail, fromValue, tooLong } from './read.ts';
import { jsonSchemaOf } from './schema.ts';
import { endOfThinking, parsed } from './soleObject.ts';

/** Characters of one text that are repaired at most: the library's time grows with the square of the length. */
const longestRepair = 10_000;

function repaired(text: string): unknown {
  if (text.length > longestRepair) return undefined;
  try {
    return parsed(jsonrepair(text));
  } catch {
    return undefined;
  }
}

const wantsNumber = (schema: unknown): boolean => isRecord(schema) && (schema.type === 'number' || schema.type === 'integer');

/** The text after each field's name and a colon, up to the end of the line, without marks around it. */
function labelledLines(text: string, members: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const found = [...members.keys()].flatMap((name) => {
    const words = RegExp.escape(name).replaceAll('_', '[ _]');
    const [, line] = new RegExp(`(?:^|[\\s"'*_])${words}["'*_]{0,4}[ \\t]{0,4}[:=]([^\\n]*)`, 'i').exec(text) ?? [];
    const value = line?.replace(/^[\s"'*_]+/, '').replace(/[\s"'*_,;|.]{1,24}$/, '');
    return value === undefined || value === '' ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found);
}

/** Labels in their own spelling, and texts such as `65%` as numbers where a number is wanted; at the top alone. */
function coerced<T>(spec: AnswerSpec<T>, members: ReadonlyMap<string, unknown>, value: Record<string, unknown>): unknown {
  const entries = Object.entries(value).map(([name, content]) => {
    if (typeof content !== 'string') return [name, content];
    if (spec.labelFields.includes(name)) return [name, matchLabel(content, spec.labels) ?? content];
    const number = /^(-?\d{1,15}(?:\.\d{1,15})?)\s?%?$/.exec(content.trim())?.[1];
    return [name, wantsNumber(members.get(name)) && number !== undefined ? Number(number) : content];
  });
  return Object.fromEntries(entries);
}

/**
 * Reads an answer as AgenticSimLaw's authors did, for those who replicate them: the whole text as JSON, else a fenced or
 * the outermost object as JSON, else that object repaired, else labelled lines. The first that satisfies the schema is the
 * answer, with any text around it. Keys that were not asked for are dropped. Source: AgenticSimLaw, section on robust
 * parsing; the order is theirs, the patterns are ours.
 */
export function readAsPaper<T>(spec: AnswerSpec<T>, raw: string): AnswerReading<T> {
  const refusal = tooLong(raw);
  if (refusal !== null) return refusal;
  const text = raw.split(endOfThinking).at(-1)?.trim() ?? '';
  const members = membersOf(jsonSchemaOf(spec));
  // From the first fence on, so that no other start is tried: that would take the square of the time.
  const fenced = /^[^{]*(\{.*?\})\s*```/s.exec(text.slice(text.search(/```\w*\s*\{/)))?.[1];
  const outermost = fenced ?? text.slice(Math.max(0, text.indexOf('{')), text.lastIndexOf('}') + 1);
  const methods: readonly (readonly [ParseMethod, () => unknown])[] = [
    ['json', () => parsed(raw) ?? parsed(text)],
    ['embedded-json', () => parsed(outermost)],
    ['tolerant-json', () => repaired(outermost === '' ? text : outermost)],
    ['labelled-fields', () => labelledLines(text, members)],
  ];
  let failure: AnswerReading<T> | null = null;
  for (const [method, find] of methods) {
    const value = find();
    if (!isRecord(value) || ![...members.keys()].some((name) => Object.hasOwn(value, name))) continue;
    const reading = fromValue(spec, coerced(spec, members, value), method, () => true);
    if (reading.ok) return reading;
    failure ??= reading;
  }
  return failure ?? fail('malformed', 'no answer was found in the text');
}
