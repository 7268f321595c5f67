import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { jsonSchemaOf } from '../answers/schema.ts';
import { certaintyFlags, certaintyShape, labelSchema, rankingShape, rawSumIn, statedBelief } from './labelBelief.ts';
import { statedLabelSet } from './labelSetBelief.ts';
import { labelSetSpec, verdictSpec } from './verdict.ts';

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

  test('all zeros are no belief, and the prediction is kept', () => {
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

  test('a ranking has as many places as asked for, and a label that is in two of them has the sum', () => {
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

describe('many labels', () => {
  const labels = (count: number) => Array.from({ length: count }, (_, index) => `Article ${index + 1}`);
  const fields = (count: number, topK: number) =>
    Object.keys(jsonSchemaOf(verdictSpec('verdict', labels(count), { topK })).properties ?? {}).slice(2);

  test('above 12 the likeliest are ranked, in place of a number for each of 183', () => {
    expect([fields(12, 5), fields(13, 5), fields(183, 0)]).toEqual([['distribution'], ['ranking'], ['distribution']]);
    const { schema, labelFields } = verdictSpec('verdict', labels(183), { topK: 2 });
    expect(labelFields).toEqual(['prediction', 'label']);
    const ranking = { first: { label: 'Article 7', percent: 60 }, second: { label: 'Article 9', percent: 20 } };
    const stated = statedBelief(labels(183), schema.parse({ reason: 'So.', prediction: 'Article 7', ranking }));
    expect([stated.confidence, stated.belief?.['Article 9'], stated.belief?.['Article 1']]).toEqual([0.75, 0.25, 0]);
  });

  test('of a set likewise, each label by itself', () => {
    const many = labels(40);
    const { schema, flags } = labelSetSpec('articles', many, { topK: 2 });
    const read = (applies: readonly string[], ...percents: readonly number[]) => {
      const ranking = {
        first: { label: 'Article 7', percent: percents[0] },
        second: { label: 'Article 9', percent: percents[1] },
      };
      return schema.parse({ reason: 'So.', applies, ranking });
    };
    const value = read(['Article 9', 'Article 7'], 90, 60);
    expect(statedLabelSet(many, value)).toMatchObject({ prediction: ['Article 7', 'Article 9'], inconsistent: false });
    expect(statedLabelSet(many, value).belief).toMatchObject({ 'Article 7': 0.9, 'Article 9': 0.6, 'Article 1': 0 });
    expect(statedLabelSet(many, read(['Article 1'], 90, 10)).inconsistent).toBe(true);
    expect(flags?.(read(['Article 1'], 0, 0))).toEqual(['no-mass']);
    expect(schema.safeParse({ ...read([], 1, 1), applies: many.slice(0, 3) }).success).toBe(false);
  });
});
