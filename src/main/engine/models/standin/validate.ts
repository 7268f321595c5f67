import { type JsonValue, resolve, SchemaError, type SchemaNode, type SchemaObject } from './schema.ts';

function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

function hasType(value: JsonValue, type: SchemaObject['type']): boolean {
  if (type === undefined) return true;
  const allowed = typeof type === 'string' ? [type] : type;
  return allowed.includes(typeOf(value)) || (allowed.includes('integer') && Number.isInteger(value));
}

function numberFits(value: number, schema: SchemaObject): boolean {
  if (value < (schema.minimum ?? value) || value > (schema.maximum ?? value)) return false;
  if (schema.exclusiveMinimum !== undefined && value <= schema.exclusiveMinimum) return false;
  if (schema.exclusiveMaximum !== undefined && value >= schema.exclusiveMaximum) return false;
  if (schema.multipleOf === undefined) return true;
  const times = value / schema.multipleOf;
  return Math.abs(times - Math.round(times)) < 1e-9 * Math.max(1, Math.abs(times));
}

/** Whether a text keeps the lengths (counted so that any counting agrees) and patterns of a schema. */
export function stringFits(value: string, schema: SchemaObject): boolean {
  if (value.length > (schema.maxLength ?? value.length) || [...value].length < (schema.minLength ?? 0)) return false;
  return [schema.pattern, ...(schema.patterns ?? [])].every((pattern) => pattern === undefined || compile(pattern).test(value));
}

/** A pattern as a regular expression. Throws `SchemaError`. */
export function compile(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    try {
      return new RegExp(pattern);
    } catch {
      throw new SchemaError(`pattern '${pattern}' is not a regular expression`);
    }
  }
}

function arrayFits(value: readonly JsonValue[], schema: SchemaObject, root: SchemaNode): boolean {
  if (value.length < (schema.minItems ?? 0) || value.length > (schema.maxItems ?? value.length)) return false;
  if (schema.uniqueItems === true && new Set(value.map((item) => JSON.stringify(item))).size < value.length) return false;
  return value.every((item, index) => matches(item, schema.prefixItems?.[index] ?? schema.items ?? true, root));
}

function objectFits(value: { readonly [key: string]: JsonValue }, schema: SchemaObject, root: SchemaNode): boolean {
  const keys = Object.keys(value);
  if (keys.length < (schema.minProperties ?? 0) || keys.length > (schema.maxProperties ?? keys.length)) return false;
  if ((schema.required ?? []).some((key) => !Object.hasOwn(value, key))) return false;
  return Object.entries(value).every(([key, item]) => {
    if (schema.propertyNames !== undefined && !matches(key, schema.propertyNames, root)) return false;
    const known = schema.properties !== undefined && Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
    return matches(item, known ?? schema.additionalProperties ?? true, root);
  });
}

// The library's own guard does not narrow read-only arrays.
function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Whether a value satisfies a schema. */
export function matches(value: JsonValue, node: SchemaNode, root: SchemaNode): boolean {
  if (typeof node === 'boolean') return node;
  let schema: SchemaObject;
  try {
    schema = resolve(node, root);
  } catch (error) {
    if (error instanceof SchemaError) return false;
    throw error;
  }
  if (!hasType(value, schema.type)) return false;
  const text = JSON.stringify(value);
  if (schema.enum !== undefined && !schema.enum.some((choice) => JSON.stringify(choice) === text)) return false;
  if (schema.const !== undefined && JSON.stringify(schema.const) !== text) return false;
  if (schema.anyOf !== undefined && !schema.anyOf.some((part) => matches(value, part, root))) return false;
  if (schema.oneOf !== undefined && schema.oneOf.filter((part) => matches(value, part, root)).length !== 1) return false;
  if (schema.not !== undefined && matches(value, schema.not, root)) return false;
  if (typeof value === 'string') return stringFits(value, schema);
  if (typeof value === 'number') return numberFits(value, schema);
  if (isList(value)) return arrayFits(value, schema, root);
  return typeof value !== 'object' || value === null || objectFits(value, schema, root);
}
