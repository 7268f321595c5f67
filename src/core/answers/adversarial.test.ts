import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { AnswerSpec } from './answer.ts';
import { readAnswer } from './read.ts';

const percent = z.int().min(0).max(100);
const verdict = { prediction: z.enum(['NO', 'YES']), confidence: percent };
const factor = z.object({ factor: z.enum(['age', 'prior arrests', 'income']), weight: z.enum(['low', 'high']) });
const feelings = ['anger', 'joy', 'fear'] as const;

const specOf = (schema: z.ZodType, labels: readonly string[] = [], labelFields: readonly string[] = []): AnswerSpec<unknown> => ({
  name: 'adversarial',
  schema,
  labels,
  labelFields,
});
const specs: Readonly<Record<string, AnswerSpec<unknown>>> = {
  verdict: specOf(z.object({ reasons: z.string().min(1).max(300), ...verdict }), ['NO', 'YES'], ['prediction']),
  factors: specOf(z.object({ factors: z.array(factor).max(3), ...verdict }), ['NO', 'YES'], ['prediction']),
  scores: specOf(z.object({ scores: z.record(z.enum(feelings), percent) }), feelings),
  set: specOf(z.object({ predictions: z.array(z.enum(feelings)).max(3) }), feelings, ['predictions']),
  open: specOf(z.object({ answer: z.string().min(1).max(200) })),
  short: specOf(z.object({ note: z.string().min(1).max(10) })),
};

/** `=== what it is`, then `spec [flags]: value or failure`, then the raw answer up to the next such line. */
const rows = readFileSync(join(import.meta.dirname, 'adversarial.txt'), 'utf8')
  .split(/^=== /m)
  .slice(1)
  .map((block) => {
    const [what = '', heading = '', ...lines] = block.replace(/\n$/, '').split('\n');
    const [, spec = '', flags = '', expected = ''] = /^(\w+)(?: \[(.*)\])?: (.*)$/.exec(heading) ?? [];
    return { what, spec, flags: flags === '' ? [] : flags.split(','), expected, raw: lines.join('\n') };
  });

describe('adversarial answers', () => {
  test('are many', () => {
    expect(rows.length).toBeGreaterThan(200);
    expect(new Set(rows.map(({ what }) => what)).size).toBe(rows.length);
  });

  test.each(rows)('$spec: $what', ({ spec: name, flags, expected, raw }) => {
    const spec = specs[name];
    if (spec === undefined) throw new Error(`there is no spec ${name}`);
    const reading = readAnswer(spec, raw);
    if (expected.startsWith('{')) expect(reading).toMatchObject({ ok: true, value: JSON.parse(expected), flags });
    else expect(reading).toMatchObject({ ok: false, ...(expected === 'refused' ? {} : { kind: expected }) });
    if (reading.ok) expect(reading.value).toEqual(JSON.parse(expected));
  });
});
