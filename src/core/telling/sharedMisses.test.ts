import { expect, test } from 'vitest';
import { missesText, sharedMisses } from './sharedMisses.ts';

/** `c1 YES NO`: a case, its truth and what was decided; `-` for no decision. */
const linesOf = (...texts: readonly string[]) =>
  texts.map((text) => {
    const [id = '', truth = '', prediction = ''] = text.split(' ');
    const outcome = prediction === '-' ? ('undecided' as const) : ('decided' as const);
    return { case: id, truth, status: 'done' as const, outcome, prediction: outcome === 'decided' ? prediction : null };
  });
const labels = ['NO', 'YES'];
const a = linesOf('1 YES NO', '2 YES YES', '3 YES NO', '4 NO YES', '5 YES -', '6 YES NO');
const b = linesOf('1 YES YES', '2 YES YES', '3 YES NO', '4 NO NO', '5 YES NO');

test('misses are counted over the cases that both decided, of the positive label or of both', () => {
  const some = sharedMisses(a, b, { labels, positive: 'YES' });
  expect(missesText(some, { a: 'court', b: 'alone' })).toBe(
    'Of the 3 cases that both decided and in which YES was right, court missed 2 and alone 1.',
  );
  expect(missesText(some, { a: 'court', b: 'alone' }, 'the town')).toContain('that the town decided as YES, court missed 2');
  expect(sharedMisses(a, b, { labels, positive: null })).toEqual([
    { label: 'NO', of: 1, a: 1, b: 0 },
    { label: 'YES', of: 3, a: 2, b: 1 },
  ]);
});

test('nothing is said of the same cases, of cases tried several times, or of none', () => {
  const of = { labels, positive: 'YES' };
  expect(sharedMisses(a.slice(0, 5), b, of)).toEqual([]);
  expect(sharedMisses([...a, ...a], b, of)).toEqual([]);
  expect(missesText(sharedMisses(a, linesOf('9 YES YES'), of), { a: 'court', b: 'alone' })).toBeNull();
});
