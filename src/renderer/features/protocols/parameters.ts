import { z } from 'zod';
import type { JsonSchema } from '../../../shared/model.ts';

export type Scalar = string | number | boolean;

export type ParameterField =
  | {
      readonly kind: 'choice';
      readonly name: string;
      readonly choices: readonly Scalar[];
      /** What holds where nothing is set; null where nothing does. */
      readonly preset: Scalar | null;
    }
  | { readonly kind: 'switch'; readonly name: string; readonly preset: boolean }
  | {
      readonly kind: 'number';
      readonly name: string;
      readonly whole: boolean;
      readonly least: number | null;
      readonly most: number | null;
      readonly preset: number | null;
    }
  | { readonly kind: 'text'; readonly name: string; readonly preset: string | null }
  /** A fixed number of words, as the two labels in dispute. */
  | { readonly kind: 'words'; readonly name: string; readonly count: number }
  /** Anything else is written as JSON. */
  | { readonly kind: 'json'; readonly name: string };

const propertySchema = z.looseObject({
  type: z.string().optional(),
  enum: z.array(z.union([z.string(), z.number()])).optional(),
  default: z.unknown().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  prefixItems: z.array(z.looseObject({ type: z.string().optional() })).optional(),
});
const objectSchema = z.looseObject({ properties: z.record(z.string(), propertySchema) });

/** Bounds of a safe integer say nothing to a reader. */
const bound = (value: number | undefined): number | null =>
  value === undefined || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? null : value;

function fieldOf(name: string, property: z.infer<typeof propertySchema>): ParameterField {
  const preset = property.default;
  if (property.enum !== undefined) {
    return { kind: 'choice', name, choices: property.enum, preset: property.enum.find((choice) => choice === preset) ?? null };
  }
  if (property.type === 'boolean') {
    return typeof preset === 'boolean'
      ? { kind: 'switch', name, preset }
      : { kind: 'choice', name, choices: [true, false], preset: null };
  }
  if (property.type === 'integer' || property.type === 'number') {
    return {
      kind: 'number',
      name,
      whole: property.type === 'integer',
      least: bound(property.minimum),
      most: bound(property.maximum),
      preset: typeof preset === 'number' ? preset : null,
    };
  }
  if (property.type === 'string') return { kind: 'text', name, preset: typeof preset === 'string' ? preset : null };
  const items = property.prefixItems;
  if (items !== undefined && items.length > 0 && items.every(({ type }) => type === 'string')) {
    return { kind: 'words', name, count: items.length };
  }
  return { kind: 'json', name };
}

export function parameterFields(schema: JsonSchema): ParameterField[] {
  const parsed = objectSchema.safeParse(schema);
  if (!parsed.success) return [];
  return Object.entries(parsed.data.properties).map(([name, property]) => fieldOf(name, property));
}

export type Parameters = Readonly<Record<string, unknown>>;

/** Sets a parameter, or takes it out where it is as preset, so that a record names only what was chosen. */
export function withParameter(params: Parameters, field: ParameterField, value: unknown): Record<string, unknown> {
  const { [field.name]: _before, ...others } = params;
  const asPreset = 'preset' in field && value === field.preset;
  return value === undefined || value === null || asPreset ? others : { ...others, [field.name]: value };
}

const presetOf = (preset: unknown): Parameters => z.record(z.string(), z.unknown()).catch({}).parse(preset);

/** A parameter's value in the paper's own setting; undefined where that does not set it. */
export const paperValue = (preset: unknown, name: string): unknown => presetOf(preset)[name];

/** Every parameter at the paper's own value, naming only what differs from the default. */
export function paperParameters(fields: readonly ParameterField[], preset: unknown): Record<string, unknown> {
  return fields.reduce<Record<string, unknown>>((params, field) => {
    const value = paperValue(preset, field.name);
    // An empty list is what a protocol has where nothing is said.
    return Array.isArray(value) && value.length === 0 ? params : withParameter(params, field, value);
  }, {});
}

export function parametersAside(fields: readonly ParameterField[], params: Parameters, preset: unknown): string {
  const paper = paperParameters(fields, preset);
  const names = new Set([...Object.keys(paper), ...Object.keys(params)]);
  if ([...names].every((name) => JSON.stringify(paper[name]) === JSON.stringify(params[name]))) return 'as in the paper';
  const changed = changedParameters(fields, params);
  return changed === 0 ? 'defaults' : `${changed} changed`;
}

export const isChanged = (field: ParameterField, params: Parameters): boolean =>
  field.name in params && !('preset' in field && field.preset === params[field.name]);

export const changedParameters = (fields: readonly ParameterField[], params: Parameters): number =>
  fields.filter((field) => isChanged(field, params)).length;
