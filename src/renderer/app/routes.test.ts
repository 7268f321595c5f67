import { expect, test } from 'vitest';
import { experimentIn, saidAt, soughtIn, toExperiment, toImportPredictions, toSearch, toTrialAt } from './routes.ts';

test.each(['100% sure', 'a%41b', '%', 'x/y ? & #z', 'é😀', 'plain'])(
  'an experiment called %j is found by its address',
  (name) => {
    for (const address of [toExperiment(name), toImportPredictions(name), `${toExperiment(name)}/figures/arm=a%2Fb`])
      expect(experimentIn(new URL(`http://x/#${address}`).hash.slice(1))).toBe(name);
  },
);

test.each(['first, and/or: 50%? #z %2C', '証拠', ''])('where %j was said is found by its address', (words) => {
  expect(saidAt(new URL(`http://x/#${toTrialAt('0123456789abcdef', 7, words)}`).hash.slice(1))).toEqual({ seq: 7, words });
  expect(saidAt('/trials/0123456789abcdef/play/7')).toBeNull();
});

test('an address with broken escapes names no experiment', () => {
  expect(experimentIn('/experiments/%E0%A4%A/figures')).toBeNull();
});

test.each([
  { words: '100% "a b" / ? & #z %41', experiment: null },
  { words: '証拠', experiment: '50% / x?' },
  { words: '', experiment: 'plain' },
  { words: '', experiment: null },
])('the search text is in the address: %j', (sought) => {
  const address = toSearch(sought);
  expect(address).not.toMatch(/[?#]/);
  expect(soughtIn(new URL(`http://x/#${address}`).hash.slice(1))).toEqual(sought);
});
