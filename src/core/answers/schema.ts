import { z } from 'zod';
import type { JsonSchema } from '../../shared/model.ts';
import type { AnswerSpec } from './answer.ts';
import { excerpt, listed } from './excerpt.ts';
import { asArray, fieldsOf, isRecord } from './fields.ts';
import type { AnswerFailure } from './read.ts';

/**
 * The JSON Schema that is sent with the request; its keys stand in the order of the zod schema, which
 * is the order of generation. Throws on schemas that JSON Schema cannot say (transforms, dates).
 */
export function jsonSchemaOf<T>(spec: AnswerSpec<T>): JsonSchema {
  return Object.fromEntries(Object.entries(z.toJSONSchema(spec.schema)).filter(([key]) => key !== '$schema'));
}

function isBounded(schema: Readonly<Record<string, unknown>>): boolean {
  if (Object.hasOwn(schema, 'const') || Array.isArray(schema.enum)) return true;
  const types = [schema.type, ...asArray(schema.type)];
  if (types.includes('string') && typeof schema.maxLength !== 'number') return false;
  if (types.includes('array') && typeof schema.maxItems !== 'number') return false;
  if (!types.includes('object')) return true;
  const open = (schema.additionalProperties ?? !isRecord(schema.properties)) !== false;
  const namesListed = isRecord(schema.propertyNames) && Array.isArray(schema.propertyNames.enum);
  return !open || namesListed || typeof schema.maxProperties === 'number';
}

/**
 * Paths of the places in a JSON Schema where an answer can grow without end: strings without
 * `maxLength`, arrays without `maxItems`, records whose keys are not listed. Empty when all are bounded.
 */
export function unboundedPaths(schema: JsonSchema): string[] {
  const found: string[] = [];
  const visit = (part: unknown, path: string): void => {
    if (!isRecord(part)) return;
    if (!isBounded(part)) found.push(path);
    for (const keyword of ['properties', '$defs']) {
      const members = part[keyword];
      if (isRecord(members)) for (const [name, member] of Object.entries(members)) visit(member, `${path}.${name}`);
    }
    for (const keyword of ['items', 'additionalProperties', 'propertyNames']) visit(part[keyword], `${path}.${keyword}`);
    for (const keyword of ['prefixItems', 'anyOf', 'oneOf', 'allOf']) {
      for (const [index, member] of asArray(part[keyword]).entries()) visit(member, `${path}.${keyword}.${index}`);
    }
  };
  visit(schema, '$');
  return found;
}

/** Characters a retry message has at most. */
export const longestRetryMessage = 600;

/**
 * What a retry tells the model: what was wrong with its answer and what to answer. It repeats the
 * model's own wrong value and the question's labels, all of them or none, and suggests no value.
 */
export function retryMessage<T>(failure: AnswerFailure, spec: AnswerSpec<T>): string {
  const known = fieldsOf(spec.schema);
  const names = known.map(({ name }) => name).join(', ');
  const shape = names.length <= 160 ? `with the fields ${names}, in this order` : 'with all the fields that were asked for';
  const labels = listed(spec.labels, 200);
  const choice = labels.endsWith(' labels)') ? 'one of the labels given above' : `one of ${labels}`;
  const fields = spec.labelFields.join(' and ');
  const isList = known.some(({ name, types }) => spec.labelFields.includes(name) && types.has('array'));
  const must = isList ? `each item of ${fields} must be exactly` : `${fields} must be exactly`;
  const rule = spec.labels.length === 0 || fields === '' || fields.length > 60 ? '' : ` ${must} ${choice}.`;
  const reason =
    failure.kind === 'invalid_label'
      ? failure.message.replace(/ is not one of the labels .*$/s, ' is not one of the labels')
      : failure.message;
  const problem = `Your last answer could not be used: ${excerpt(reason, 150)}.`;
  return `${problem} Answer again with one complete JSON object and nothing else, ${shape}.${rule}`;
}
