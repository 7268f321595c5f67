import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { AnswerSpec } from '../answers/answer.ts';
import { olderReading } from './olderReading.ts';
import { readAttempt } from './reading.ts';

const spec: AnswerSpec<{ reason: string; prediction: string }> = {
  name: 'verdict',
  schema: z.object({ reason: z.string(), prediction: z.enum(['NO', 'YES']) }),
  labelFields: ['prediction'],
  labels: ['NO', 'YES'],
};
const yes = '{"reason":"r","prediction":"YES"}';
const no = '{"reason":"r","prediction":"NO"}';
const raw = (answer: string | null) => ({ answer, done: 'stop', failure: null });
const again = (answer: string | null, method: string | null, rejected: 'malformed' | 'invalid_label' | null = null) =>
  olderReading(spec, raw(answer), { method, rejected }, readAttempt(spec, raw(answer)));
const value = { reason: 'r', prediction: 'YES' };

describe('a value that the present rules refuse', () => {
  test.each([
    ['json', '{"reason":"r","prediction":"YES","Prediction":"NO"}'],
    ['embedded-json', `${yes}\nprediction: NO`],
    ['embedded-json', `As said: ${yes}\n${yes}\nprediction: NO`],
  ])('%s: it stands where valid JSON has it: %s', (method, answer) => {
    expect(readAttempt(spec, raw(answer))).toMatchObject({ rejected: 'malformed' });
    expect(again(answer, method)).toEqual({ rejected: null, method, value });
  });

  test.each([
    ['embedded-json', `${yes} or ${no}`, 'which of two'],
    ['embedded-json', '{"prediction":"MAYBE"}', 'no value at all'],
    ['json', `${yes} prediction: NO`, 'JSON that is not the whole'],
    ['tolerant-json', "{reason:'r',prediction:'YES'} prediction: NO", 'one that was repaired'],
    ['labelled-fields', 'reason: r\nprediction: YES\nprediction: NO', 'one that was gathered'],
    ['embedded-json', `<think>${yes}</think> well`, 'one that was only thought'],
    ['another-way', yes.slice(1), 'one found in a way that is not known'],
    ['json', null, 'none'],
  ])('%s does not stand: %s (%s)', (method, answer, _why) => {
    expect(again(answer, method)).toBeNull();
  });
});

test('a value that was found in another way is the one that is found now', () => {
  expect(again(yes, 'tolerant-json')).toEqual({ rejected: null, method: 'json', value });
});

test('a failure stands, whatever the answer says', () => {
  for (const answer of [yes, 'well', null]) {
    expect(again(answer, null, 'invalid_label')).toMatchObject({ rejected: 'invalid_label', method: null, correction: null });
  }
});
