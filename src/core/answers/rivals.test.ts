import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { fieldsOf } from './fields.ts';
import { rivalBeside, rivalIn } from './rivals.ts';
import { verdictSpec } from './verdict.fixture.ts';

const yes = new Set(['YES']);

describe('another object', () => {
  test.each<[Record<string, unknown>, string, string | null]>([
    [{ answer: 'NO' }, '', 'answer'],
    [{ answer: 'yes' }, '', null],
    [{ answer: 'unknown' }, '', 'answer'],
    [{ correction: 'unknown' }, '', null],
    [{ answer: ['NO'] }, '', 'answer'],
    [{ answer: ['NO', 'YES'] }, '', null],
    [{ deep: { deeper: { verdict: { is: 'NO' } } } }, '', 'deep'],
    [{ value: 'NO' }, '', 'value'],
    [{ married: 'NO' }, '', 'married'],
    [{ married: 'NO', employed: 'NO' }, '', null],
    [{ married: 'NO', re_arrest: 'NO', employed: 'NO' }, '', 're_arrest'],
    [{ p_no: 0.7 }, '', 'p_no'],
    [{ p_no: 0.3 }, '', null],
    [{ error: 'I cannot decide.' }, '', 'error'],
    [{ error: 'none' }, '', null],
    [{ value: 'NO' }, 'Revision: ', 'value'],
    [{ value: 'NO' }, 'Facts: ', 'value'],
    [{ married: 'NO' }, 'Facts: ', null],
    [{ value: 'NO' }, 'The first draft of the answer: ', null],
    [{ alternative: { answer: 'NO' } }, '', null],
    [{ NO: true }, '', 'NO'],
    [{ YES: false }, '', 'YES'],
    [{ NO: 40, YES: 60 }, '', null],
    [{ remark: 'In the end the answer is NO.' }, '', 'remark'],
    [{ remark: 'NO would be possible.' }, '', null],
    [{ prediction: 'NO' }, '', 'prediction'],
  ])('%j behind %j: %j', (object, lead, key) => {
    expect(rivalIn(verdictSpec, yes, object, lead)).toBe(key);
  });

  test('an answer without a label has no rival, and nonsense is survived', () => {
    expect(rivalIn(verdictSpec, new Set(), { answer: 'NO' })).toBeNull();
    let nested: unknown = 'NO';
    for (let depth = 0; depth < 5000; depth += 1) nested = { answer: nested };
    expect(() => rivalIn(verdictSpec, yes, { answer: nested })).not.toThrow();
  });
});

describe('keys in the object of the answer', () => {
  const part = z.object({ prediction: z.enum(['NO', 'YES']) });
  const spec = { ...verdictSpec, schema: z.object({ ...part.shape, updates: z.array(part) }) };
  const fields = fieldsOf(spec.schema);

  test('known fields are none, in lists neither', () => {
    expect(rivalBeside(spec, fields, yes, { prediction: 'YES', updates: [{ prediction: 'NO' }] })).toBeNull();
  });

  test('unknown ones are, in lists too, where they are held against the labels of their own object', () => {
    const updates = (...items: unknown[]) => ({ prediction: 'YES', updates: items });
    expect(rivalBeside(spec, fields, yes, updates({ prediction: 'NO', answer: 'YES' }))).toBe('answer');
    expect(rivalBeside(spec, fields, yes, updates({ prediction: 'NO', answer: 'NO' }))).toBeNull();
    expect(rivalBeside(spec, fields, yes, { ...updates(), final: 'NO' })).toBe('final');
  });
});
