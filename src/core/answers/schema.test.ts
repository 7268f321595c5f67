import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readAnswer } from './read.ts';
import { jsonSchemaOf, longestRetryMessage, retryMessage, unboundedPaths } from './schema.ts';
import { verdictSpec } from './verdict.fixture.ts';

const specOf = (schema: z.ZodType<unknown>) => ({ name: 'x', schema, labelFields: [], labels: [] });

describe('jsonSchemaOf', () => {
  test('keeps the order of keys and leaves out $schema', () => {
    const schema = jsonSchemaOf(verdictSpec);
    expect(schema).toEqual({
      type: 'object',
      properties: {
        prediction: { type: 'string', enum: ['NO', 'YES'] },
        confidence: { anyOf: [{ type: 'number', minimum: 0, maximum: 100 }, { type: 'null' }] },
        reasoning: { type: 'string', maxLength: 2000 },
      },
      required: ['prediction', 'confidence'],
      additionalProperties: false,
    });
    expect(JSON.stringify(schema)).toMatch(/prediction.*confidence.*reasoning/);
  });

  test('throws on what JSON Schema cannot say', () => {
    expect(() => jsonSchemaOf(specOf(z.object({ at: z.date() })))).toThrow();
  });
});

describe('unboundedPaths', () => {
  test('a bounded schema has none', () => {
    expect(unboundedPaths(jsonSchemaOf(verdictSpec))).toEqual([]);
  });

  test('names strings, arrays and records that can grow without end', () => {
    const schema = z.object({
      text: z.string(),
      list: z.array(z.string().max(5)),
      items: z.array(z.object({ note: z.string() })).max(3),
      maybe: z.string().nullable(),
      pair: z.tuple([z.string(), z.string().max(5)]),
      open: z.record(z.string().max(5), z.number()),
      closed: z.record(z.enum(['A', 'B']), z.string()),
      fixed: z.literal('x'),
      kind: z.enum(['a', 'b']),
      number: z.number(),
    });
    expect(unboundedPaths(jsonSchemaOf(specOf(schema)))).toEqual([
      '$.text',
      '$.list',
      '$.items.items.note',
      '$.maybe',
      '$.pair.prefixItems.0',
      '$.open',
      '$.closed.additionalProperties',
    ]);
  });
});

describe('retryMessage', () => {
  const messageFor = (raw: string): string => {
    const reading = readAnswer(verdictSpec, raw);
    if (reading.ok) throw new Error('the answer should have been refused');
    return retryMessage(reading, verdictSpec);
  };

  test('says what was wrong and what to answer', () => {
    expect(messageFor('{"prediction":"MAYBE","confidence":55}')).toBe(
      'Your last answer could not be used: prediction: "MAYBE" is not one of the labels. Answer again with one complete JSON ' +
        'object and nothing else, with the fields prediction, confidence, reasoning, in this order. prediction must be exactly ' +
        'one of "NO", "YES".',
    );
    expect(messageFor('{"prediction":"YES"}')).toMatch(/confidence: missing\. Answer again/);
    expect(messageFor('{"prediction":"UNKNOWN"}')).toMatch(/declined to decide: "UNKNOWN"\. Answer again/);
    expect(messageFor('')).toMatch(/empty answer\. Answer again/);
  });

  test('names all labels or none, so that it suggests no value', () => {
    const labels = Array.from({ length: 200 }, (_, index) => `label ${index}`);
    const many = { name: 'x', schema: z.object({ label: z.enum(labels) }), labelFields: ['label'], labels };
    const reading = readAnswer(many, '{"label":"other"}');
    const message = reading.ok ? '' : retryMessage(reading, many);
    expect(message).toMatch(/label must be exactly one of the labels given above\.$/);
    expect(message).not.toMatch(/label \d/);
  });

  test('property: never longer than the limit', () => {
    const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 30 });
    const labels = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 300 }), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(names, labels, fc.string({ maxLength: 2000 }), (fields, candidates, message) => {
        const schema = z.object(Object.fromEntries(fields.map((name) => [name, z.enum(candidates)])));
        const spec = { name: 'x', schema, labelFields: fields, labels: candidates };
        return retryMessage({ ok: false, kind: 'malformed', message }, spec).length <= longestRetryMessage;
      }),
    );
  });
});
