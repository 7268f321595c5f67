import { jsonrepair } from 'jsonrepair';
import type { AnswerSpec } from './answer.ts';
import { type Field, isRecord, wantsNumber } from './fields.ts';
import { duplicateKey, type ObjectRegion } from './regions.ts';

/**
 * Characters of one text that are repaired at most, all its objects together: the library's time grows with the
 * square of the length. Answers that keep to a schema of ours are shorter.
 */
export const longestRepair = 10_000;

/** Numbers and constants that stand alone: `7.` may be half of a number and is none. */
const literal =
  /(?<![\p{L}\p{N}_.+-])(?:-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?|true|false|null|None|True|False)(?![\p{L}\p{N}_.])/gu;

const literalName = (text: string): string =>
  text === 'None' ? 'null' : /^[a-zA-Z]/.test(text) ? text.toLowerCase() : String(Number(text));

function countLiterals(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [found] of text.matchAll(literal)) counts.set(literalName(found), (counts.get(literalName(found)) ?? 0) + 1);
  return counts;
}

/** Whether every number, boolean and null of the value stands in the source, as often as it is used. */
function hasSupport(value: unknown, source: string): boolean {
  const left = countLiterals(source);
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (Array.isArray(next) || isRecord(next)) {
      pending.push(...Object.values(next));
    } else if (typeof next !== 'string') {
      const count = left.get(String(next)) ?? 0;
      if (count === 0) return false;
      left.set(String(next), count - 1);
    }
  }
  return true;
}

/** The texts in label and number fields, at any depth. */
function exactTexts(
  labelFields: readonly string[],
  fields: readonly Field[],
  value: Readonly<Record<string, unknown>>,
): readonly string[] {
  const exact = new Set([...labelFields, ...fields.filter(wantsNumber).map(({ name }) => name)]);
  const inner = new Map(fields.map((field) => [field.name, field.fields]));
  return Object.entries(value).flatMap(([name, content]) =>
    (Array.isArray(content) ? content : [content]).flatMap((item) => {
      if (isRecord(item)) return exactTexts(labelFields, inner.get(name) ?? [], item);
      return exact.has(name) && typeof item === 'string' ? [item] : [];
    }),
  );
}

/**
 * Repairs the slips of an object that is complete to its closing brace: quotes, commas, comments,
 * Python's constants. Null where a repair would have to invent or complete something: every number,
 * boolean and null must stand in the text, and the texts of label and number fields letter by letter.
 */
export function repairObject<T>(
  spec: AnswerSpec<T>,
  fields: readonly Field[],
  region: ObjectRegion,
): Record<string, unknown> | null {
  if (region.damaged) return null;
  try {
    const json = jsonrepair(region.text);
    const value: unknown = JSON.parse(json);
    if (!isRecord(value) || duplicateKey(json) !== null || !hasSupport(value, region.text)) return null;
    return exactTexts(spec.labelFields, fields, value).every((text) => region.text.includes(text)) ? value : null;
  } catch {
    return null;
  }
}
