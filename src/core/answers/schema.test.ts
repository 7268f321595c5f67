import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { AnswerSpec } from './answer.ts';
import { readAnswer } from './read.ts';
import { jsonSchemaOf, retryMessage } from './schema.ts';

const specOf = (labels: readonly string[]): AnswerSpec<unknown> => ({
  name: 'verdict',
  schema: z.object({ reason: z.string().min(1).max(9), prediction: z.literal(labels), confidence: z.int().min(0).max(100) }),
  labelFields: ['prediction'],
  labels,
});
const spec = specOf(['NO', 'YES']);

function messageFor(answer: unknown, asked = spec): string {
  const reading = readAnswer(asked, JSON.stringify(answer));
  if (reading.ok) throw new Error('the answer should have been refused');
  return retryMessage(reading, asked);
}

test('the schema keeps the order of keys, and throws on what JSON Schema cannot say', () => {
  expect(Object.keys(Object(jsonSchemaOf(spec).properties))).toEqual(['reason', 'prediction', 'confidence']);
  expect(() => jsonSchemaOf({ ...spec, schema: z.object({ at: z.date() }) })).toThrow();
});

describe('a retry message', () => {
  test('says what was wrong and what to answer', () => {
    expect(messageFor({ reason: 'r', prediction: 'MAYBE', confidence: 5 })).toBe(
      'Your last answer could not be used: prediction: "MAYBE" is not one of the labels. Answer again with one complete JSON ' +
        'object and nothing else, with the fields reason, prediction, confidence, in this order. prediction must be exactly ' +
        'one of "NO", "YES".',
    );
  });

  test.each([
    [{ reason: 'r', prediction: 'YES' }, 'confidence is missing.'],
    [{ reason: 'r', prediction: 'YES', confidence: 1.11 }, 'confidence must be a whole number.'],
    [{ reason: 'r', prediction: 'YES', confidence: 111 }, 'confidence must be at most 100.'],
    [{ reason: 'r', prediction: 'YES', confidence: '5' }, 'confidence must be a number.'],
    [{ reason: '', prediction: 'YES', confidence: 5 }, 'reason must be at least 1 characters.'],
    [{ reason: 'longer than nine', prediction: 'YES', confidence: 5 }, 'reason must be at most 9 characters.'],
    [{ reason: 'r', prediction: 'YES', confidence: 5, other: 1 }, 'the key other was not asked for.'],
    [{ reason: 'r', prediction: 'unknown', confidence: 5 }, '"unknown" declines to decide.'],
  ])('names the first error of %j', (answer, named) => {
    expect(messageFor(answer)).toContain(`${named} Answer again`);
  });

  test('names all labels or none, and stays short', () => {
    const many = specOf(Array.from({ length: 200 }, (_, index) => `label ${index}`));
    const message = messageFor({ reason: 'r', prediction: 'x'.repeat(900), confidence: 5 }, many);
    expect(message).toMatch(/prediction must be exactly one of the labels given above\.$/);
    expect(message.length).toBeLessThan(600);
  });
});
