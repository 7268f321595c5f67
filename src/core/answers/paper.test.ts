import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readAsPaper } from './paper.ts';
import { readAnswer } from './read.ts';

const spec = {
  name: 'verdict',
  schema: z.object({ reason: z.string().min(1).max(80), prediction: z.enum(['NO', 'YES']), confidence: z.int().min(0).max(100) }),
  labelFields: ['prediction'],
  labels: ['NO', 'YES'],
};
const value = { reason: 'r', prediction: 'YES', confidence: 65 };
const json = JSON.stringify(value);

describe('readAsPaper', () => {
  test.each([
    ['json', json],
    ['json', `<think>${json.replace('YES', 'NO')}</think>${json}`],
    ['json', '{"reason":"r","prediction":"yes","confidence":"65%","score":3}'],
    ['embedded-json', `Here you are:\n\`\`\`json\n${json}\n\`\`\`\nI mixed up the labels.`],
    ['embedded-json', `My answer is ${json}, as I said.`],
    ['tolerant-json', "So: {'reason': 'r', prediction: 'YES', 'confidence': 65,}"],
    ['tolerant-json', '{"reason":"r","prediction":"YES","confidence":65'],
    ['labelled-fields', '**Reason**: r\n**Prediction:** Yes.\nConfidence = 65%'],
  ])('%s finds the answer in %s', (method, raw) => {
    expect(readAsPaper(spec, raw)).toMatchObject({ ok: true, method, value });
  });

  test.each([
    ['malformed', ''],
    ['malformed', 'I would say YES.'],
    ['malformed', '{"reason":"r","prediction":"YES","confidence":650}'],
    ['malformed', 'prediction: YES'],
    ['invalid_label', '{"reason":"r","prediction":"MAYBE","confidence":65}'],
    ['undecided', '{"reason":"r","prediction":"unknown","confidence":65}'],
  ])('%s: %s', (kind, raw) => {
    expect(readAsPaper(spec, raw)).toMatchObject({ ok: false, kind });
  });

  test('what it finds among other words is no answer for the strict reader', () => {
    expect(readAnswer(spec, `My answer is ${json}, as I said.`)).toMatchObject({ ok: false, kind: 'malformed' });
  });
});
