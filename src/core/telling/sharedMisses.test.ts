import { describe, expect, test } from 'vitest';
import { missesText, rightByGroup, sharedMisses } from './sharedMisses.ts';

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
    'Of the 3 cases that both decided and in which YES was right, court missed 2 and alone 1: this can be chance (p 1.000).',
  );
  expect(missesText(some, { a: 'court', b: 'alone' }, { decided_by: 'the town' })).toContain(
    'that the town decided as YES, court missed 2',
  );
  expect(sharedMisses(a, b, { labels, positive: null })).toEqual([
    { label: 'NO', of: 1, a: 1, b: 0, p: 1 },
    { label: 'YES', of: 3, a: 2, b: 1, p: 1 },
  ]);
});

test('arms with the same cases are tested too, and a part of the trials says nothing of chance', () => {
  const ids = Array.from({ length: 8 }, (_none, place) => `${place}`);
  const [missing, met] = ['NO', 'YES'].map((said) => linesOf(...ids.map((id) => `${id} YES ${said}`)));
  const all = sharedMisses(missing ?? [], met ?? [], { labels, positive: 'YES' });
  const text = 'Of the 8 cases that both decided and in which YES was right, a missed 8 and b 0';
  const chance = 'chance hardly explains it (p 0.008, exact test of this one comparison, so a hint)';
  expect(missesText(all, { a: 'a', b: 'b' })).toBe(`${text}: ${chance}.`);
  const same = [{ label: 'YES', of: 8, a: 3, b: 3, p: 1 }];
  expect(missesText(same, { a: 'a', b: 'b' })).toMatch(/, a missed 3 and b 3\.$/);
  expect(missesText(all, { a: 'a', b: 'b' }, { part: 'truth YES' })).toBe(`${text}.`);
});

test('nothing is said of cases tried several times, or of none', () => {
  const of = { labels, positive: 'YES' };
  expect(sharedMisses([...a, ...a], b, of)).toEqual([]);
  expect(missesText(sharedMisses(a, linesOf('9 YES YES'), of), { a: 'court', b: 'alone' })).toBeNull();
});

describe('right answers of a group', () => {
  const grouped = (lines: ReturnType<typeof linesOf>) =>
    lines.map((line) => ({
      ...line,
      correct: line.prediction === null ? null : line.prediction === line.truth,
      groups: { kind: Number(line.case) < 4 ? 'musical' : 'drama' },
    }));

  test('are of the cases that both have, a failure as not right, with the exact p', () => {
    expect(rightByGroup(grouped(a), grouped(b))).toEqual([
      { column: 'kind', value: 'musical', of: 3, a: 1, b: 2, p: 1 },
      { column: 'kind', value: 'drama', of: 2, a: 0, b: 1, p: 1 },
    ]);
  });

  test('are none where both have the same cases, or where some were tried several times', () => {
    expect(rightByGroup(grouped(b), grouped(b))).toEqual([]);
    expect(rightByGroup(grouped([...a, ...a]), grouped(b))).toEqual([]);
  });
});
