import { z } from 'zod';
import type { JsonSchema } from '../../shared/model.ts';
import { remembered } from '../../shared/remembered.ts';
import type { AnswerFailure, AnswerSpec } from './answer.ts';
import { excerpt, listed } from './excerpt.ts';
import { asArray, isRecord, membersOf } from './fields.ts';

/** The JSON Schema of the request, in the order of generation. Throws on what JSON Schema cannot express (transforms, dates). */
export const jsonSchemaOf = <T>({ schema }: AnswerSpec<T>): JsonSchema => made(schema);

const made = remembered((schema: z.ZodType): JsonSchema => {
  const { $schema: _, ...json } = z.toJSONSchema(schema);
  return json;
});

const takesList = (schema: unknown): boolean =>
  isRecord(schema) && (schema.type === 'array' || asArray(schema.anyOf).some(takesList));

/** What a retry says to the model: what was wrong and what to answer. It names all labels or none, and suggests no value. */
export function retryMessage<T>(failure: AnswerFailure, spec: AnswerSpec<T>): string {
  const known = membersOf(jsonSchemaOf(spec));
  const names = [...known.keys()].join(', ');
  const shape = names.length <= 160 ? `with the fields ${names}, in this order` : 'with all the fields that were asked for';
  const labels = listed(spec.labels, 200);
  const choice = labels.endsWith(' labels)') ? 'one of the labels given above' : `one of ${labels}`;
  const fields = spec.labelFields.join(' and ');
  const isList = spec.labelFields.some((name) => takesList(known.get(name)));
  const must = isList ? `each item of ${fields} must be exactly` : `${fields} must be exactly`;
  const rule = spec.labels.length === 0 || fields === '' || fields.length > 60 ? '' : ` ${must} ${choice}.`;
  const reason =
    failure.kind === 'invalid_label'
      ? failure.message.replace(/ is not one of the labels .*$/s, ' is not one of the labels')
      : failure.message;
  const problem = `Your last answer could not be used: ${excerpt(reason, 150)}.`;
  return `${problem} Answer again with one complete JSON object and nothing else, ${shape}.${rule}`;
}
