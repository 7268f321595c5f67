import { expect, test } from 'vitest';
import { badInput } from '../../../../shared/errors.ts';
import { ErrorInAnswer } from '../answerLines.ts';
import { HttpFailure } from '../modelServer.ts';
import { CutPull, judgePullFailure } from './pullProgress.ts';

const server = 'http://127.0.0.1:11434';
const refused = new TypeError('fetch failed', { cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) });

test.each<[string, unknown, boolean, RegExp]>([
  [
    'a full disk',
    new ErrorInAnswer('write /m/blobs/sha256-ab-partial: no space left on device'),
    true,
    /disk .* is full .*Free some space/,
  ],
  ['a full disk of Windows', new ErrorInAnswer('There is not enough space on the disk.'), true, /Free some space/],
  [
    'no such model',
    new ErrorInAnswer('pull model manifest: file does not exist'),
    true,
    /no model of this name .*Check the name/,
  ],
  [
    'an old server',
    new ErrorInAnswer('pull model manifest: 412: The model you are attempting to pull requires a newer version of Ollama.'),
    true,
    /Update Ollama/,
  ],
  ['a name that is none', new HttpFailure(400, 'invalid model name'), true, /no model of this name/],
  ['a folder that cannot be written', new ErrorInAnswer('open /m: permission denied'), true, /permissions/],
  [
    'no network at the server',
    new ErrorInAnswer('pull model manifest: Get "https://r/v2/": dial tcp: lookup r: no such host'),
    false,
    /cannot reach its library .*Check the network/,
  ],
  ['too many retries', new ErrorInAnswer('max retries exceeded: unexpected EOF'), false, /cannot reach its library/],
  [
    'a broken file',
    new ErrorInAnswer('digest mismatch, file must be downloaded again: want a, got b'),
    false,
    /came damaged \(digest mismatch.*Pull again/,
  ],
  ['an error of the server', new HttpFailure(500, 'boom'), false, /the server says: HTTP 500: boom/],
  ['another refusal', new HttpFailure(418, 'teapot'), true, /HTTP 418: teapot.*Check the name and the server/],
  ['too many requests', new HttpFailure(429, 'later'), false, /HTTP 429/],
  ['a cut', new CutPull(), false, /ended before the model was there.*resumes/],
  ['a server that is away', refused, false, /no connection to http:\/\/127\.0\.0\.1:11434 \(ECONNREFUSED\).*Start Ollama/],
  ['a host that is not allowed', badInput('far.example is not this machine'), true, /far\.example is not this machine/],
])('%s', (_, error, permanent, words) => {
  const failure = judgePullFailure(error, server);
  expect(failure.permanent).toBe(permanent);
  expect(`${failure.reason}. ${failure.remedy}`).toMatch(words);
});

test('what a server says is cut', () => {
  expect(judgePullFailure(new ErrorInAnswer('x'.repeat(10_000)), server).reason.length).toBeLessThan(300);
});
