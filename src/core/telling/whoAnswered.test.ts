import { expect, test } from 'vitest';
import type { Player } from '../../shared/api/experiments.ts';
import { whoAnswered } from './whoAnswered.ts';

const player = (model: string, digest: string | null, url: string): Player => ({
  arm: 'a',
  roles: ['judge'],
  setup: { model, digest, backend: 'ollama', url },
  calls: 1,
});
const one = player('elm', 'aa', 'http://127.0.0.1:1');

test.each([
  [[one, player('oak', 'bb', 'http://127.0.0.1:1')], false, /^Each model had the same digest in all its calls\. .* 1 address\.$/],
  [[one, player('elm', 'cc', 'http://127.0.0.1:2')], true, /^DIFFERENT DIGESTS: elm had 2, .* 2 addresses\.$/],
  [[one, player('elm', null, 'http://127.0.0.1:1')], false, /^No two known digests of a model differ; some are not known\./],
])('%#: digests are compared for each model', (players, differs, text) => {
  expect(whoAnswered(players)).toEqual({ text: expect.stringMatching(text), differs });
});
