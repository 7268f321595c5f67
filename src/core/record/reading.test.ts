import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { AnswerSpec } from '../answers/answer.ts';
import type { Prompt } from '../prompts/wording.ts';
import { correctedPrompt, readAttempt } from './reading.ts';

const spec: AnswerSpec<{ prediction: string }> = {
  name: 'verdict',
  schema: z.object({ prediction: z.enum(['NO', 'YES']) }),
  labelFields: ['prediction'],
  labels: ['NO', 'YES'],
};
const good = '{"prediction":"YES"}';
const raw = (answer: string | null, done: string | null = 'stop') => ({ answer, done, failure: null });

describe('readAttempt', () => {
  test('a complete answer has its value and how it was found', () => {
    const value = { prediction: 'YES' };
    expect(readAttempt(spec, raw(good), 'strict')).toEqual({ rejected: null, method: 'json', value, flags: [] });
    expect(readAttempt(spec, raw(`\`\`\`json\n${good}\n\`\`\``), 'strict')).toEqual({
      rejected: null,
      method: 'embedded-json',
      value,
      flags: ['embedded'],
    });
  });

  test.each([
    ['malformed', 'well'],
    ['malformed', ''],
    ['malformed', null],
    ['invalid_label', '{"prediction":"PERHAPS"}'],
    ['undecided', '{"prediction":"undecided"}'],
  ])('%s: %j', (rejected, answer) => {
    expect(readAttempt(spec, raw(answer), 'strict')).toMatchObject({
      rejected,
      method: null,
      correction: expect.stringContaining('could not be used'),
    });
  });

  test('a cut answer is never read, not even a complete one', () => {
    for (const answer of [good, '{"prediction":"YE', ''])
      expect(readAttempt(spec, raw(answer, 'length'), 'strict')).toMatchObject({ rejected: 'truncated' });
  });

  test('words around the object are refused, unless answers are read as in the paper', () => {
    expect(readAttempt(spec, raw(`So: ${good}`), 'strict')).toMatchObject({ rejected: 'malformed' });
    expect(readAttempt(spec, raw(`So: ${good}`), 'paper')).toMatchObject({ rejected: null, method: 'embedded-json' });
  });

  test('a failure of the call is reported as such, even if text came with it', () => {
    for (const kind of ['overflow', 'timeout', 'backend_error', 'cancelled'] as const) {
      const failure = { kind, message: 'said the server', permanent: false };
      expect(readAttempt(spec, { answer: good, done: 'stop', failure }, 'strict')).toEqual({
        rejected: kind,
        method: null,
        message: 'said the server',
        correction: null,
      });
    }
  });
});

describe('correctedPrompt', () => {
  const prompt: Prompt = [
    { role: 'system', parts: ['rules'] },
    { role: 'user', parts: ['facts', 'task'] },
  ];

  test('without a correction the prompt is the same', () => {
    expect(correctedPrompt(prompt, raw('x'), null)).toBe(prompt);
  });

  test('a refused answer is repeated, and then what was wrong with it', () => {
    expect(correctedPrompt(prompt, raw('x'), 'wrong')).toEqual([
      ...prompt,
      { role: 'assistant', parts: ['x'] },
      { role: 'user', parts: ['wrong'] },
    ]);
  });

  test.each([raw(null), raw(''), raw(' \n'), raw('{"prediction', 'length')])(
    'an empty or cut answer is not repeated: %j',
    (attempt) => {
      expect(correctedPrompt(prompt, attempt, 'shorter')).toEqual([
        prompt[0],
        { role: 'user', parts: ['facts', 'task', 'shorter'] },
      ]);
      expect(prompt[1]?.parts).toHaveLength(2);
    },
  );
});
