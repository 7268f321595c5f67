import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { randomSource } from '../cases/shuffle.ts';
import { sampleAnswer } from './sample.ts';

const factor = z.object({ factor: z.enum(['age', 'sex']), weight: z.literal(['low', 'high']), reason: z.string().min(1).max(8) });
const schema = z.strictObject({
  prediction: z.enum(['YES', 'NO']),
  side: z.literal('defense'),
  confidence: z.int().min(0).max(100),
  share: z.number().min(0).max(1),
  certain: z.boolean(),
  factors: z.array(factor).min(1).max(4),
  scores: z.record(z.enum(['a', 'b']), z.int().min(0).max(9)),
  seen: z.partialRecord(z.enum(['a', 'b']), z.boolean()),
  pair: z.tuple([z.boolean(), z.null()]),
  other: z.union([z.enum(['none']), z.int().min(10).max(99)]),
  note: z.string().max(5).nullable(),
  speech: z.string().min(20).max(30).optional(),
});
const draw = (part: z.ZodType, seed: number, lengths?: 'random' | 'longest' | 'shortest'): unknown =>
  sampleAnswer(z.toJSONSchema(part), randomSource(seed, 'sample'), lengths);

/** Zod counts UTF-16 units where JSON Schema counts characters. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replaceAll(/[\u{10000}-\u{10ffff}]/gu, 'x'));

describe('sampleAnswer', () => {
  it('draws only what the schema admits, and all of it', () => {
    const drawn = Array.from({ length: 500 }, (_, seed) => schema.parse(plain(draw(schema, seed))));
    expect(new Set(drawn.map(({ factors }) => factors.length))).toEqual(new Set([1, 2, 3, 4]));
    expect(new Set(drawn.map(({ confidence }) => confidence)).size).toBeGreaterThan(90);
    expect(new Set(drawn.map(({ speech }) => speech === undefined)).size).toBe(2);
    expect(new Set(drawn.map(({ seen }) => Object.keys(seen).length))).toEqual(new Set([0, 1, 2]));
  });

  it('repeats a draw under the same seed', () => {
    expect(draw(schema, 7)).toEqual(draw(schema, 7));
    expect(draw(schema, 7)).not.toEqual(draw(schema, 8));
  });

  it('bounds the length of every draw', () => {
    const size = (value: unknown): number => [...JSON.stringify(value)].filter((character) => character !== '\\').length;
    const longest = schema.parse(plain(draw(schema, 1, 'longest')));
    const shortest = schema.parse(plain(draw(schema, 1, 'shortest')));
    expect(longest).toMatchObject({ prediction: 'YES', confidence: 100, factors: { length: 4 } });
    expect(longest.speech).toHaveLength(30);
    expect(shortest).toMatchObject({ prediction: 'NO', confidence: 0, factors: { length: 1 }, seen: {}, note: '' });
    expect(shortest).not.toHaveProperty('speech');
    for (let seed = 0; seed < 50; seed += 1) expect(size(draw(schema, seed))).toBeGreaterThanOrEqual(size(shortest));
  });

  it.each([
    [z.string().regex(/a/), 'the keyword pattern at $'],
    [z.object({ said: z.string() }), '$.said has no maxLength'],
    [z.array(z.boolean()), '$ has no maxItems'],
    [z.record(z.string(), z.boolean()), '$ lists no names'],
    [z.number(), '$ has no range'],
    [z.unknown(), 'no type that the sampler knows'],
  ])('refuses what it cannot draw: %#', (part, message) => {
    expect(() => draw(part, 1)).toThrow(message);
  });
});
