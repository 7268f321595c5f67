import { expect, test } from 'vitest';
import { restWords } from './rest.ts';

test('what is left divides the time by the trials at a time, and says where it is a guess', () => {
  const rest = { calls: 39.6, seconds: 1200, at_a_time: 4, first_guess: false };
  expect(restWords(rest)).toBe(
    'about 40 calls and up to 5 min, 4 trials at a time as in the last start, if the rest is like the trials that have ended',
  );
  expect(restWords({ ...rest, at_a_time: 1, first_guess: true })).toBe('about 40 calls and up to 20 min, a first guess');
  expect(restWords(null)).toContain('not known');
});
