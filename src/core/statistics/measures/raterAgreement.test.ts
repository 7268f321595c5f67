import { expect, test } from 'vitest';
import type { RaterAgreement } from '../../../shared/statistics.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { type RatedTrial, raterAgreement } from './raterAgreement.ts';
import { drawing, line, trial } from './trials.fixture.ts';

/** One letter a case: its verdict, `-` for a failed trial, a space for none at all. */
const linesOf = (arm: string, verdicts: string, replicate = 0): TrialLine[] =>
  [...verdicts].flatMap((verdict, index) => {
    if (verdict === ' ') return [];
    const failed = { outcome: 'timeout', prediction: null } as const;
    return [line(arm, trial(`c${index}`, verdict === '-' ? failed : { prediction: verdict }), { replicate })];
  });
const arm = (name: string, lines: readonly RatedTrial[], imported = false) => ({ name, imported, lines });
const agreement = (arms: Parameters<typeof raterAgreement>[0], votes: Parameters<typeof raterAgreement>[1] = new Map()) =>
  raterAgreement(arms, votes, drawing(400));
const of = (found: readonly RaterAgreement[], among: RaterAgreement['among']) => found.filter((each) => each.among === among);

test('arms on the same case, a failure and a case that only one tried left out; imported ones among themselves', () => {
  const found = agreement([
    arm('m', linesOf('m', 'aaabbb-ab')),
    arm('p', linesOf('p', 'aabbbba- '), true),
    arm('q', linesOf('q', 'aab-bba- '), true),
  ]);
  expect(found.map(({ among, arms }) => [among, arms.join()])).toEqual([
    ['arms', 'm,p,q'],
    ['imported', 'p,q'],
    ['pair', 'm,p'],
    ['pair', 'p,q'],
    ['pair', 'm,q'],
  ]);
  // Units aaa aaa abb bb bbb bbb aa: n = 19, n_a = 9, n_b = 10, n D_o = 2.
  expect(of(found, 'arms')[0]).toMatchObject({ raters: 3, cases: 7, n: 19, resamples: 400 });
  expect(of(found, 'arms')[0]?.value).toBeCloseTo(1 - (18 * 2) / 180, 12);
  expect(of(found, 'arms')[0]?.low).toBeLessThan(0.8);
  expect(of(found, 'imported')[0]).toMatchObject({ value: 1, low: null, cases: 6, n: 12 });
});

test('replicates are compared within their arm, and arms within a replicate; a case is drawn with all its replicates', () => {
  const found = agreement([
    arm('m', [...linesOf('m', 'aabb'), ...linesOf('m', 'bbaa', 1)]),
    arm('o', [...linesOf('o', 'aabb'), ...linesOf('o', 'bbaa', 1)]),
  ]);
  expect(of(found, 'arms')).toMatchObject([{ value: 1, raters: 2, cases: 4, n: 16 }]);
  expect(of(found, 'replicates').map(({ arms, value, n }) => [arms.join(), value, n])).toEqual([
    ['m', 1 - (7 * 8) / 32, 8],
    ['o', 1 - (7 * 8) / 32, 8],
  ]);
});

test('the votes of a bench are those of one trial; a single verdict everywhere has no agreement beyond chance', () => {
  const lines = linesOf('court', 'aab');
  const votes = new Map(lines.map(({ trial: id }, index) => [id, index < 2 ? { a: 3, b: 0 } : { a: 1, b: 2 }]));
  const [judges] = of(agreement([arm('court', lines)], votes), 'judges');
  // n = 9, n_a = 7, n_b = 2, n D_o = (2 + 2) / 2.
  expect(judges).toMatchObject({ raters: 3, cases: 3, n: 9 });
  expect(judges?.value).toBeCloseTo(1 - (8 * 2) / 28, 12);
  const alike = agreement([arm('m', linesOf('m', 'aaa')), arm('o', linesOf('o', 'aaa'))]);
  expect(of(alike, 'arms')).toMatchObject([{ value: null, low: null, n: 6, why_null: expect.stringContaining('the same one') }]);
});

test('sets of labels agree if they are the same set, in any order', () => {
  const several = (name: string, prediction: string[]) =>
    arm(name, [line(name, trial('c', { prediction })), ...linesOf(name, 'a')]);
  const found = agreement([several('m', ['x', 'y']), several('o', ['y', 'x'])]);
  expect(of(found, 'arms')).toMatchObject([{ value: 1, n: 4 }]);
  expect(of(found, 'pair')).toMatchObject([{ agreed: { count: 2 } }]);
});

test('more cases than a function takes arguments', () => {
  const verdicts = Array.from({ length: 150_000 }, (_, index) => trial(`c${index}`));
  const lines = verdicts.map((each) => ({ ...each, trial: each.case, replicate: 0 }));
  const votes = new Map(lines.map((each) => [each.trial, { NO: 3 }]));
  const found = raterAgreement([arm('bench', lines)], votes, drawing(0));
  expect(found).toMatchObject([{ among: 'judges', raters: 3, cases: 150_000 }]);
});

test('of two arms it says on how many of the same cases and replicates both said the same', () => {
  const pairsIn = (found: ReturnType<typeof agreement>) =>
    found.flatMap(({ arms, agreed, cases }) => (agreed === undefined ? [] : [{ arms: arms.join(), cases, ...agreed }]));
  // m and p: c0 to c6 without c4; o has c0 and c1 only, so its pairs come last.
  const [first, ...others] = pairsIn(
    agreement([arm('o', linesOf('o', 'ab')), arm('m', linesOf('m', 'aaabbba')), arm('p', linesOf('p', 'aabb-bb'), true)]),
  );
  expect(first).toMatchObject({ arms: 'm,p', cases: 6, count: 4, share: { n: 6, cases: 6, interval_method: 'wilson' } });
  expect(first?.share.value).toBeCloseTo(4 / 6, 12);
  expect(others.map(({ arms, count, share }) => [arms, count, share.n])).toEqual([
    ['o,m', 1, 2],
    ['o,p', 1, 2],
  ]);
  // Replicates of a case are drawn together, and ten pairs are enough.
  const twice = (name: string) => arm(name, [...linesOf(name, 'aabb'), ...linesOf(name, name === 'x' ? 'abbb' : 'aabb', 1)]);
  expect(pairsIn(agreement([twice('x'), twice('y')]))).toMatchObject([
    { cases: 4, count: 7, share: { n: 8, interval_method: 'bca' } },
  ]);
  expect(pairsIn(agreement([...'abcdefg'].map((name) => arm(name, linesOf(name, 'ab')))))).toHaveLength(10);
});
