import { z } from 'zod';

/** A field of an answer's schema, as far as reading a text needs it. */
export interface Field {
  readonly name: string;
  readonly required: boolean;
  /** JSON Schema type names the field accepts; empty where the schema does not say. */
  readonly types: ReadonlySet<string>;
  /** The largest number the field accepts, or null where none is declared. */
  readonly maximum: number | null;
  /** The fields of the object that the value may be, or of the objects in the list that it may be. */
  readonly fields: readonly Field[];
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function typeOfConstant(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function collect(schema: unknown, types: Set<string>, maxima: number[]): void {
  if (!isRecord(schema)) return;
  for (const type of [schema.type, ...asArray(schema.type)]) {
    if (typeof type === 'string') types.add(type);
  }
  for (const constant of asArray(schema.enum)) types.add(typeOfConstant(constant));
  if (Object.hasOwn(schema, 'const')) types.add(typeOfConstant(schema.const));
  if (typeof schema.maximum === 'number') maxima.push(schema.maximum);
  for (const branch of [schema.anyOf, schema.oneOf, schema.allOf].flatMap(asArray)) collect(branch, types, maxima);
}

function innerFields(schema: unknown): readonly Field[] {
  if (!isRecord(schema)) return [];
  const parts = [schema.items, ...[schema.anyOf, schema.oneOf, schema.allOf].flatMap(asArray)];
  return [...ownFields(schema), ...parts.flatMap(innerFields)];
}

function ownFields(json: unknown): readonly Field[] {
  if (!isRecord(json) || !isRecord(json.properties)) return [];
  const required = new Set(asArray(json.required));
  return Object.entries(json.properties).map(([name, property]) => {
    const types = new Set<string>();
    const maxima: number[] = [];
    collect(property, types, maxima);
    const maximum = maxima.length > 0 ? Math.max(...maxima) : null;
    return { name, required: required.has(name), types, maximum, fields: innerFields(property) };
  });
}

/** The top-level fields of an object schema in order; empty for any other schema. */
export function fieldsOf(schema: z.ZodType): readonly Field[] {
  return ownFields(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
}

export const wantsNumber = (field: Field): boolean => field.types.has('number') || field.types.has('integer');

const scalarTypes = new Set(['string', 'number', 'integer', 'boolean', 'null']);

/** Whether every value the field accepts is a string, a number, a boolean or null. */
export const isScalar = (field: Field): boolean =>
  field.types.size > 0 && [...field.types].every((type) => scalarTypes.has(type));
