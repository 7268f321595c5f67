import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { AnswerSpec } from '../answers/answer.ts';
import { olderReading, type RecordedReading } from './olderReading.ts';
import { type RawAttempt, readAttempt } from './reading.ts';

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

describe('what no rules of reading have a say in', () => {
  const reading = (attempt: RawAttempt, recorded: RecordedReading) =>
    olderReading(spec, attempt, recorded, readAttempt(spec, attempt));
  const cut = { answer: yes, done: 'length', failure: null };
  const failed = { answer: null, done: null, failure: { kind: 'timeout' as const, message: 'late' } };

  test('an answer that was cut off was never a value, nor any other failure', () => {
    expect(readAttempt(spec, cut)).toMatchObject({ rejected: 'truncated' });
    expect(reading(cut, { method: 'json', rejected: null })).toBeNull();
    expect(reading(cut, { method: 'embedded-json', rejected: null })).toBeNull();
    expect(reading(cut, { method: null, rejected: 'undecided' })).toBeNull();
  });

  test('a call that failed did not decline', () => {
    expect(reading(failed, { method: null, rejected: 'undecided' })).toBeNull();
    expect(reading({ ...failed, answer: yes }, { method: 'json', rejected: null })).toBeNull();
  });

  test.each(['truncated', 'overflow', 'timeout', 'backend_error', 'cancelled'] as const)(
    'an answer that came was no %s',
    (rejected) => {
      for (const answer of [yes, 'well']) expect(reading(raw(answer), { method: null, rejected })).toBeNull();
    },
  );
});

test('a failure to read stands, whatever the answer says', () => {
  for (const answer of [yes, 'well', null]) {
    expect(again(answer, null, 'invalid_label')).toMatchObject({ rejected: 'invalid_label', method: null, correction: null });
  }
});
