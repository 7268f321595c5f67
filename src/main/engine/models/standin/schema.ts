import { z } from 'zod';

/** A schema that cannot be answered: an unsupported type, a reference to nowhere, a contradiction. */
export class SchemaError extends Error {}

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type JsonValue = Json;

export type SchemaNode = boolean | SchemaObject;

export interface SchemaObject {
  readonly $ref?: string | undefined;
  readonly $defs?: Record<string, SchemaNode> | undefined;
  readonly definitions?: Record<string, SchemaNode> | undefined;
  readonly type?: string | readonly string[] | undefined;
  readonly enum?: readonly JsonValue[] | undefined;
  readonly const?: JsonValue | undefined;
  readonly allOf?: readonly SchemaNode[] | undefined;
  readonly anyOf?: readonly SchemaNode[] | undefined;
  readonly oneOf?: readonly SchemaNode[] | undefined;
  readonly not?: SchemaNode | undefined;
  readonly properties?: Record<string, SchemaNode> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly additionalProperties?: SchemaNode | undefined;
  readonly propertyNames?: SchemaNode | undefined;
  readonly minProperties?: number | undefined;
  readonly maxProperties?: number | undefined;
  readonly items?: SchemaNode | undefined;
  readonly prefixItems?: readonly SchemaNode[] | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly uniqueItems?: boolean | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly pattern?: string | undefined;
  /** Further patterns, from merged schemas. */
  readonly patterns?: readonly string[] | undefined;
  readonly format?: string | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly exclusiveMinimum?: number | undefined;
  readonly exclusiveMaximum?: number | undefined;
  readonly multipleOf?: number | undefined;
}

const types = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const;
const count = z.number().int().min(0).optional();
const bound = z.number().optional();
const regexSource = z.string().max(2000).optional();

/** Schema of the JSON Schemas that can be answered. */
const schemaNodeSchema: z.ZodType<SchemaNode> = z.lazy(() => z.union([z.boolean(), objectSchema]));
const nodes = z.array(schemaNodeSchema).min(1).optional();
const nodeMap = z.record(z.string(), schemaNodeSchema).optional();
const objectSchema: z.ZodType<SchemaObject> = z.lazy(() =>
  z.object({
    $ref: z.string().optional(),
    $defs: nodeMap,
    definitions: nodeMap,
    type: z.union([z.enum(types), z.array(z.enum(types)).min(1)]).optional(),
    enum: z.array(z.json()).min(1).optional(),
    const: z.json().optional(),
    allOf: nodes,
    anyOf: nodes,
    oneOf: nodes,
    not: schemaNodeSchema.optional(),
    properties: nodeMap,
    required: z.array(z.string()).optional(),
    additionalProperties: schemaNodeSchema.optional(),
    propertyNames: schemaNodeSchema.optional(),
    minProperties: count,
    maxProperties: count,
    items: schemaNodeSchema.optional(),
    prefixItems: z.array(schemaNodeSchema).optional(),
    minItems: count,
    maxItems: count,
    uniqueItems: z.boolean().optional(),
    minLength: count,
    maxLength: count,
    pattern: regexSource,
    format: z.string().optional(),
    minimum: bound,
    maximum: bound,
    exclusiveMinimum: bound,
    exclusiveMaximum: bound,
    multipleOf: z.number().positive().optional(),
  }),
);

/** Parses a JSON Schema. Throws `SchemaError`. */
export function parseSchema(value: unknown): SchemaNode {
  const parsed = schemaNodeSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new SchemaError(`invalid JSON schema in format: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim());
}

/** The node that a local reference points to. */
function follow(root: SchemaNode, reference: string): SchemaNode {
  if (!reference.startsWith('#')) throw new SchemaError(`unsupported reference '${reference}'`);
  const steps = reference
    .slice(1)
    .split('/')
    .slice(1)
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
  let at: unknown = root;
  for (const step of steps) {
    at = typeof at === 'object' && at !== null && Object.hasOwn(at, step) ? Reflect.get(at, step) : undefined;
  }
  if (at === undefined) throw new SchemaError(`reference '${reference}' points to nothing`);
  return parseSchema(at);
}

const equal = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);

function typesOf(schema: SchemaObject): readonly string[] | undefined {
  return typeof schema.type === 'string' ? [schema.type] : schema.type;
}

function meetTypes(left: SchemaObject, right: SchemaObject): readonly string[] | undefined {
  const [ours, theirs] = [typesOf(left), typesOf(right)];
  if (ours === undefined || theirs === undefined) return ours ?? theirs;
  const both = ours.filter((type) => theirs.includes(type) || (type === 'integer' && theirs.includes('number')));
  if (theirs.includes('integer') && ours.includes('number') && !both.includes('integer')) both.push('integer');
  if (both.length === 0) throw new SchemaError('allOf asks for two types at once');
  return both;
}

function highest(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined || right === undefined ? (left ?? right) : Math.max(left, right);
}

function lowest(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined || right === undefined ? (left ?? right) : Math.min(left, right);
}

/** Both schemas at once, without following references inside. */
function both(left: SchemaNode | undefined, right: SchemaNode | undefined): SchemaNode | undefined {
  if (left === undefined || right === undefined || left === true || right === true) {
    return left === undefined || left === true ? (right ?? left) : left;
  }
  return left === false || right === false ? false : { allOf: [left, right] };
}

function mergeProperties(left: SchemaObject, right: SchemaObject): Record<string, SchemaNode> | undefined {
  if (left.properties === undefined && right.properties === undefined) return undefined;
  const merged: Record<string, SchemaNode> = {};
  for (const name of new Set([...Object.keys(left.properties ?? {}), ...Object.keys(right.properties ?? {})])) {
    const ours = left.properties?.[name] ?? left.additionalProperties;
    const theirs = right.properties?.[name] ?? right.additionalProperties;
    merged[name] = both(ours, theirs) ?? true;
  }
  return merged;
}

function mergePrefix(left: SchemaObject, right: SchemaObject): SchemaNode[] | undefined {
  if (left.prefixItems === undefined && right.prefixItems === undefined) return undefined;
  const length = Math.max(left.prefixItems?.length ?? 0, right.prefixItems?.length ?? 0);
  const at = (schema: SchemaObject, index: number): SchemaNode | undefined => schema.prefixItems?.[index] ?? schema.items;
  return Array.from({ length }, (_, index) => both(at(left, index), at(right, index)) ?? true);
}

function listOf(schema: SchemaObject): string[] {
  return [...(schema.pattern === undefined ? [] : [schema.pattern]), ...(schema.patterns ?? [])];
}

/** A schema that holds where both hold. */
export function merge(left: SchemaObject, right: SchemaObject): SchemaObject {
  const choices =
    left.enum === undefined || right.enum === undefined
      ? (left.enum ?? right.enum)
      : left.enum.filter((value) => right.enum?.some((other) => equal(value, other)));
  if (left.const !== undefined && right.const !== undefined && !equal(left.const, right.const)) {
    throw new SchemaError('allOf asks for two values at once');
  }
  if (choices?.length === 0) throw new SchemaError('allOf leaves no enum value');
  const multiples = [left.multipleOf, right.multipleOf].filter((value) => value !== undefined);
  const alternatives = [left.anyOf, right.anyOf].filter((value) => value !== undefined);
  const exclusive = [left.oneOf, right.oneOf].filter((value) => value !== undefined);
  // Two lists of alternatives cannot share a slot: the second waits in allOf for its own turn.
  const waiting = [...alternatives.slice(1).map((anyOf) => ({ anyOf })), ...exclusive.slice(1).map((oneOf) => ({ oneOf }))];
  return {
    ...left,
    ...right,
    type: meetTypes(left, right),
    enum: choices,
    anyOf: alternatives[0],
    oneOf: exclusive[0],
    allOf: waiting.length > 0 ? waiting : undefined,
    not: left.not !== undefined && right.not !== undefined ? { anyOf: [left.not, right.not] } : (left.not ?? right.not),
    properties: mergeProperties(left, right),
    required: [...new Set([...(left.required ?? []), ...(right.required ?? [])])],
    additionalProperties: both(left.additionalProperties, right.additionalProperties),
    propertyNames: both(left.propertyNames, right.propertyNames),
    items: both(left.items, right.items),
    prefixItems: mergePrefix(left, right),
    minProperties: highest(left.minProperties, right.minProperties),
    maxProperties: lowest(left.maxProperties, right.maxProperties),
    minItems: highest(left.minItems, right.minItems),
    maxItems: lowest(left.maxItems, right.maxItems),
    uniqueItems: left.uniqueItems === true || right.uniqueItems === true,
    minLength: highest(left.minLength, right.minLength),
    maxLength: lowest(left.maxLength, right.maxLength),
    pattern: undefined,
    patterns: [...new Set([...listOf(left), ...listOf(right)])],
    minimum: highest(left.minimum, right.minimum),
    maximum: lowest(left.maximum, right.maximum),
    exclusiveMinimum: highest(left.exclusiveMinimum, right.exclusiveMinimum),
    exclusiveMaximum: lowest(left.exclusiveMaximum, right.exclusiveMaximum),
    multipleOf: multiples.length === 2 ? (multiples[0] ?? 1) * (multiples[1] ?? 1) : multiples[0],
  };
}

/** The schema without references and allOf at its own level. */
export function resolve(node: SchemaNode, root: SchemaNode, depth = 0): SchemaObject {
  if (node === false) throw new SchemaError('the schema allows nothing');
  if (node === true) return {};
  if (depth > 50) throw new SchemaError('references go round in circles');
  const { $ref, allOf, ...own } = node;
  let result: SchemaObject = own;
  if ($ref !== undefined) result = merge(result, resolve(follow(root, $ref), root, depth + 1));
  for (const part of allOf ?? []) result = merge(result, resolve(part, root, depth + 1));
  return result.allOf === undefined ? result : resolve(result, root, depth + 1);
}
