import { expect, test } from 'vitest';
import type { Player } from '../../shared/api/experiments.ts';
import { whoAnswered } from './whoAnswered.ts';

const player = (model: string, digest: string | null, url: string, [first, last] = ['1', '2']): Player => ({
  arm: 'a',
  roles: ['judge'],
  setup: { model, digest, backend: 'ollama', url },
  calls: 2,
  ...{ first, last },
});
const one = player('elm', 'aa', 'http://a');

test.each([
  [[one, player('oak', 'bb', 'http://a')], false, /^Each model had the same digest in all its calls\. .* 1 address\.$/],
  [
    [one, player('elm', 'cc', 'http://b', ['3', '4'])],
    true,
    /^DIFFERENT DIGESTS: elm had 2, .* 2 addresses\. elm was asked first at http:\/\/a with the digest aa… \(2 calls, from T1 to T2\), then at http:\/\/b with the digest cc… .*\.$/,
  ],
  [
    [player('elm', 'aa', 'http://b', ['3', '4']), one, player('elm', 'aa', 'http://b', ['2', '3'])],
    false,
    /2 addresses\. elm was asked first at http:\/\/a \(2 calls, .*\), then at http:\/\/b \(4 calls, from T2 to T4\); the digest was the same\.$/,
  ],
  [
    [player('elm', 'aa', 'http://b', ['1', '9']), player('elm', 'aa', 'http://c', ['2', '8']), one],
    false,
    /3 addresses\. elm was asked at http:\/\/b \(2 calls, from T1 to T9\) and at http:\/\/a \(.*\) and at http:\/\/c \(.* to T8\); the/,
  ],
  [
    [one, player('elm', null, 'http://a')],
    false,
    /^No two known digests of a model differ; some are not known\..* with an unknown digest /,
  ],
  [[{ ...one, setup: null }], false, /^No digest of a model is known\.$/],
])('%#: digests are compared for each model, and its addresses come in their order', (players, differs, text) => {
  expect(whoAnswered(players, (at) => `T${at}`)).toEqual({ text: expect.stringMatching(text), differs });
});
