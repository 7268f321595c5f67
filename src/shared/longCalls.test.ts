import { expect, test } from 'vitest';
import { type Writing, writingWords } from './longCalls.ts';

const silent: Writing = {
  ...{ key: 'turn-1/defense/attempt-1', role: 'defense', text: '{"', pieces: 7 },
  ...{ sentAt: 1000, idleSeconds: 120, isAskedAgain: true },
};

test('a call that takes long is named with its age and with what a silence brings, and no other one is', () => {
  expect(writingWords(silent, 31_000)).toBeNull();
  expect(writingWords({ ...silent, sentAt: null }, 99_000)).toBeNull();
  expect(writingWords(silent, 45_000)).toBe(
    'has been speaking for 44 s, about 7 tokens so far; after 2 min of silence it is asked again',
  );
  expect(writingWords({ ...silent, isAskedAgain: false }, 45_000)).toMatch(/; after 2 min of silence it counts as failed$/);
  expect(writingWords({ ...silent, pieces: 0 }, 45_000)).toBe('was asked 44 s ago and has not begun to answer');
});
