import { resolve, type SchemaNode, type SchemaObject } from './schema.ts';

/** Names of fields that hold a label. */
export const labelKey =
  /^(?:.*(?:predict|label|verdict|diagnos|decision|outcome|classif).*|answer|choice|winner|a1|a2|class|category|position|vote)$/i;
export const probabilityKey = /^(?:p|probability|prob|mass|likelihood|confidence|share|weight|percent)$/i;
/** Names of numbers that stand alone even where they lie between 0 and 1. */
export const measureKey =
  /credib|confid|valid|score|quality|depth|reliab|strength|relevan|certain|clarity|accuracy|temperature|contentious/i;
/** A text for each `format`. */
export const formats: Readonly<Record<string, string>> = {
  date: '2025-06-01',
  time: '09:30:00Z',
  'date-time': '2025-06-01T09:30:00Z',
  duration: 'P1D',
  email: 'clerk@example.org',
  hostname: 'example.org',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.org/file',
  uuid: '3f2b8c1e-5d4a-4b6f-9a7e-0c1d2e3f4a5b',
};

/** The values that are there. */
export function only<T>(values: readonly (T | undefined)[]): T[] {
  return values.filter((value) => value !== undefined);
}

/** Strings that a schema offers as choices, whether as enum or as a union of constants. */
export function choicesOf(schema: SchemaObject, root: SchemaNode): readonly string[] | null {
  let values = schema.enum;
  if (values === undefined) {
    const branches = (schema.anyOf ?? schema.oneOf)?.map((branch) => resolve(branch, root));
    if (branches === undefined || branches.some((branch) => branch.const === undefined && branch.enum === undefined)) return null;
    values = branches.flatMap((branch) => branch.enum ?? only([branch.const]));
  }
  return values.every((value) => typeof value === 'string') ? values : null;
}
