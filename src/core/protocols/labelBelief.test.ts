import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readAnswer } from '../answers/read.ts';
import { jsonSchemaOf } from '../answers/schema.ts';
import { certaintyShape, labelSchema, statedBelief } from './labelBelief.ts';

const specOf = (labels: readonly string[]) => ({
  name: 'verdict',
  schema: z.object({ prediction: labelSchema(labels), ...certaintyShape(labels) }),
  labelFields: ['prediction'],
  labels,
});

describe('labels that are hard on objects', () => {
  test('labels like numbers keep their order in the JSON Schema', () => {
    expect(jsonSchemaOf(specOf(['2', '1', '0']))).toMatchObject({
      properties: { prediction: { type: 'string', enum: ['2', '1', '0'] } },
    });
  });

  test('names of inherited members are labels like any other', () => {
    const labels = ['toString', 'constructor', 'valueOf'];
    const spec = specOf(labels);
    const distribution = { toString: 20, constructor: 70, valueOf: 10 };
    const reading = readAnswer(spec, JSON.stringify({ prediction: 'Constructor', distribution }));
    expect(reading).toMatchObject({ ok: true, value: { prediction: 'constructor' } });
    const stated = statedBelief(labels, reading.ok ? reading.value : null);
    expect(stated.confidence).toBe(0.7);
    expect(Object.entries(stated.belief ?? {})).toEqual([
      ['toString', 0.2],
      ['constructor', 0.7],
      ['valueOf', 0.1],
    ]);
    const part = { toString: 20, valueOf: 80 };
    expect(readAnswer(spec, JSON.stringify({ prediction: 'valueOf', distribution: part }))).toMatchObject({
      ok: false,
      message: 'distribution.constructor: missing',
    });
    expect(readAnswer(spec, '{"prediction":"hasOwnProperty","distribution":{}}')).toMatchObject({ kind: 'invalid_label' });
  });
});
