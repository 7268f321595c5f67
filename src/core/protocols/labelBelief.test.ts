import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { jsonSchemaOf } from '../answers/schema.ts';
import { certaintyFlags, certaintyShape, labelSchema, rankingShape, rawSumIn, statedBelief } from './labelBelief.ts';
import { verdictSpec } from './verdict.ts';

describe('labels that are hard on objects', () => {
  test('labels like numbers keep their order in the JSON Schema', () => {
    expect(jsonSchemaOf(verdictSpec('verdict', ['2', '1', '0']))).toMatchObject({
      properties: { prediction: { type: 'string', enum: ['2', '1', '0'] } },
    });
  });

  test('names of inherited members are labels like any other', () => {
    const labels = ['toString', 'constructor', 'valueOf'];
    const { schema } = verdictSpec('verdict', labels);
    const said = { reason: 'So.', prediction: 'constructor' };
    const value = schema.parse({ ...said, distribution: { toString: 20, constructor: 70, valueOf: 10 } });
    const stated = statedBelief(labels, value);
    expect(stated.confidence).toBe(0.7);
    expect(Object.entries(stated.belief ?? {})).toEqual([
      ['toString', 0.2],
      ['constructor', 0.7],
      ['valueOf', 0.1],
    ]);
    expect(schema.safeParse({ ...said, distribution: { toString: 20, valueOf: 80 } }).success).toBe(false);
    expect(schema.safeParse({ ...said, prediction: 'hasOwnProperty', distribution: {} }).success).toBe(false);
  });
});

describe('numbers that say little', () => {
  const labels = ['joy', 'fear', 'anger', 'love'];

  test('all zeros are no belief, and the prediction stands', () => {
    const schema = z.object({ prediction: labelSchema(labels), ...certaintyShape(labels) });
    const value = schema.parse({ prediction: 'fear', distribution: { joy: 0, fear: 0, anger: 0, love: 0 } });
    expect(certaintyFlags(value)).toEqual(['no-mass']);
    expect(statedBelief(labels, value)).toMatchObject({
      prediction: 'fear',
      belief: null,
      confidence: null,
      inconsistent: false,
    });
  });

  test('a ranking has as many places as asked for, and a label that stands in two of them has the sum', () => {
    const schema = z.object({ prediction: labelSchema(labels), ...rankingShape(labels, 3) });
    const ranking = {
      first: { label: 'joy', percent: 50 },
      second: { label: 'fear', percent: 30 },
      third: { label: 'joy', percent: 20 },
    };
    const value = schema.parse({ prediction: 'joy', ranking });
    expect(certaintyFlags(value)).toEqual(['repeated']);
    expect(rawSumIn(labels, value)).toBe(100);
    expect(statedBelief(labels, value).belief).toEqual({ joy: 0.7, fear: 0.3, anger: 0, love: 0 });
    expect(schema.safeParse({ prediction: 'joy', ranking: { first: ranking.first } }).success).toBe(false);
  });
});
