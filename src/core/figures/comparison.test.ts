import { expect, test } from 'vitest';
import { preferencesOf, preferenceText } from './debate.ts';
import type { Of } from './entries.fixture.ts';

type Better = Of<'comparison'>['better'];

const sheet = (role: string, first: 'debate' | 'answer', better: Better): Of<'comparison'> => ({
  kind: 'comparison',
  seq: 1,
  key: `comparison/${role}/${first}-first/sheet`,
  role,
  order: [first, first === 'debate' ? 'answer' : 'debate'],
  words: { debate: 100, answer: 98 },
  scores: [{ debate: { depth: 5, quality: 5 }, answer: { depth: 5, quality: 5 } }],
  better,
  justification: 'So.',
});

test('a judge prefers what it prefers in both orders; two different results are a separate result', () => {
  const found = preferencesOf([
    ...[sheet('judge1', 'debate', 'debate'), sheet('judge1', 'answer', 'debate')],
    // Always what is read first.
    ...[sheet('judge2', 'debate', 'debate'), sheet('judge2', 'answer', 'answer')],
    ...[sheet('judge3', 'debate', 'tie'), sheet('judge3', 'answer', 'debate')],
    ...[sheet('judge4', 'debate', 'tie'), sheet('judge4', 'answer', 'tie')],
    sheet('judge5', 'answer', 'answer'),
  ]);
  expect(found.map(({ role, result }) => [role, result])).toEqual([
    ['judge1', 'debate'],
    ['judge2', 'order'],
    ['judge3', 'order'],
    ['judge4', 'tie'],
    ['judge5', null],
  ]);
  expect(found.slice(0, 2).map(preferenceText)).toEqual([
    'the debate informs better, in both orders',
    'the preference turns with the order',
  ]);
});
