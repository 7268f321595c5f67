import { describe, expect, test } from 'vitest';
import type { Swap } from '../../../shared/swaps.ts';
import type { Pleading } from '../../trajectory/pleading.ts';
import { type PairedTrial, swapPairs, swapStatistics } from './swapMeasures.ts';
import { trial } from './trials.fixture.ts';

const resampling = { resamples: 2000, seed: 42, level: 0.95 };
const terms = { positive: 'YES', multiLabel: false };

/** Verdicts of cases `c0`, `c1`, …; `-` is a failed trial. */
const verdicts = (letters: string, change: (index: number) => Partial<PairedTrial> = () => ({})): PairedTrial[] =>
  [...letters].map((letter, index) => ({
    ...trial(`c${index}`),
    ...(letter === '-'
      ? { outcome: 'timeout', prediction: null }
      : { prediction: letter === 'Y' ? 'YES' : letter === 'N' ? 'NO' : letter }),
    replicate: 0,
    trial: `${index}`,
    ...change(index),
  }));

function swapsOf(swap: Swap, base: readonly PairedTrial[], swapped: readonly PairedTrial[]) {
  const about = [{ arm: 'court', swap, swapped_arm: `court~${swap}` }];
  const [found] = swapStatistics(about, (arm) => (arm === 'court' ? base : swapped), terms, resampling);
  if (found === undefined) throw new Error('no swap');
  const measure = (name: string) => {
    const one = found.measures.find((each) => each.name === name);
    if (one === undefined) throw new Error(`no measure ${name}`);
    return one;
  };
  return { ...found, measure, names: found.measures.map(({ name }) => name) };
}

describe('flip rate', () => {
  // c0 YES to YES, c1 YES to NO, c2 NO to YES, c3 NO to YES, c4 NO to NO: three of five, two of them towards YES.
  const found = swapsOf('labels', verdicts('YYNNN-NN'), verdicts('YNYYNY--').slice(0, 7));

  test('is the share of pairs, both decided, whose verdicts differ', () => {
    expect(found).toMatchObject({ arm: 'court', swap: 'labels', swapped_arm: 'court~labels', pairs: 7 });
    expect(found.measure('flip_rate')).toMatchObject({ value: 0.6, n: 5, cases: 5, over: 'pairs', interval_method: 'wilson' });
    const { low, high } = found.measure('flip_rate');
    expect(low).toBeLessThan(0.6);
    expect(high).toBeGreaterThan(0.6);
  });

  test('counts failures separately, which are in no rate, and a trial without a twin is in no pair', () => {
    expect(found.failed).toEqual({ base: 1, swapped: 1, both: 0 });
    expect(swapsOf('labels', verdicts('-'), verdicts('-')).failed).toEqual({ base: 0, swapped: 0, both: 1 });
  });

  test('says which way verdicts moved: (2 - 1) / 5 more are positive', () => {
    expect(found.moves).toEqual([
      { from: 'NO', to: 'YES', n: 2 },
      { from: 'YES', to: 'NO', n: 1 },
    ]);
    expect(found.measure('positive_change')).toMatchObject({ label: 'YES', n: 5 });
    expect(found.measure('positive_change').value).toBeCloseTo(0.2, 12);
  });

  test('of probabilities the mean difference, over pairs in which both were stated', () => {
    const believing =
      (...shares: (number | null)[]) =>
      (index: number) => {
        const share = shares[index] ?? null;
        return { belief: share === null ? null : { NO: 1 - share, YES: share } };
      };
    // (0.9 - 0.5) + (0.2 - 0.4) over two pairs; the third has no belief after.
    const { measure } = swapsOf('sides', verdicts('YNN', believing(0.5, 0.4, 0.1)), verdicts('YNN', believing(0.9, 0.2, null)));
    expect(measure('probability_change')).toMatchObject({ n: 2, over: 'believed-pairs', label: 'YES' });
    expect(measure('probability_change').value).toBeCloseTo(0.1, 12);
  });

  test('several replicates of a case weigh as one case, and resampling draws cases', () => {
    // c0 flips in both of its replicates, c1 in none of its one: (1 + 0) / 2.
    const base = [...verdicts('YN'), ...verdicts('Y', () => ({ replicate: 1 }))];
    const swapped = [...verdicts('NN'), ...verdicts('N', () => ({ replicate: 1 }))];
    const { measure } = swapsOf('labels', base, swapped);
    expect(measure('flip_rate')).toMatchObject({ value: 0.5, n: 3, cases: 2, resamples: 2000, seed: 42 });
  });

  test('without any decided pair is none, and says why', () => {
    expect(swapsOf('labels', verdicts('-Y'), verdicts('YY').slice(0, 1)).measure('flip_rate')).toMatchObject({
      value: null,
      n: 0,
      why_null: 'no pair of decided trials',
    });
  });

  test('of several labels is of their sets', () => {
    const sets = (...labels: string[]) => verdicts('Y', () => ({ prediction: labels }));
    const of = (one: PairedTrial[], other: PairedTrial[]) =>
      swapStatistics(
        [{ arm: 'a', swap: 'labels', swapped_arm: 'b' }],
        (arm) => (arm === 'a' ? one : other),
        { positive: null, multiLabel: true },
        resampling,
      )[0]?.measures[0]?.value;
    expect(of(sets('x', 'y'), sets('y', 'x'))).toBe(0);
    expect(of(sets('x', 'y'), sets('y'))).toBe(1);
  });
});

test('with it goes how often verdicts differ where only seeds do', () => {
  const second = (letters: string) => verdicts(letters, () => ({ replicate: 1 }));
  // Replicates of c0 differ, those of c1 and c2 do not.
  const found = swapsOf('labels', [...verdicts('YYN'), ...second('NYN')], verdicts('YYN'));
  expect(found.measure('replicate_flip_rate')).toMatchObject({ n: 3, cases: 3, over: 'replicate-pairs' });
  expect(found.measure('replicate_flip_rate').value).toBeCloseTo(1 / 3, 12);
  expect(swapsOf('labels', verdicts('YYN'), verdicts('YYN')).measure('replicate_flip_rate')).toMatchObject({
    value: null,
    why_null: expect.stringMatching(/without replicates/),
  });
});

test('an interval that leaves out no effect although the exact test does not rule out chance has a caution', () => {
  // Three of twelve cases move, all the same way: p 2/8.
  const few = swapsOf('order', verdicts('YYYNNNNNNNNN'), verdicts('NNNNNNNNNNNN')).measure('positive_change');
  expect([few.high, few.p]).toEqual([expect.any(Number), 0.25]);
  expect(few.high).toBeLessThan(0);
  expect(few.caution).toBe(
    'too narrow: it leaves out 0, but the exact test of signs over cases, p 0.250, does not rule out chance',
  );
  const many = swapsOf('order', verdicts('YYYYYYNNNNNN'), verdicts('NNNNNNNNNNNN')).measure('positive_change');
  expect([many.p, many.caution]).toEqual([2 / 64, undefined]);
});

describe('who won', () => {
  const pleading = (prosecutor: string, defense: string, last: string): Partial<PairedTrial> => ({
    path: { steps: [], initial: null, pleading: { claims: { prosecutor, defense }, last } satisfies Pleading },
  });

  test('order: the share of trials won by the last speaker, over both trials of each pair', () => {
    const usual = () => pleading('YES', 'NO', 'defense');
    const turned = () => pleading('YES', 'NO', 'prosecutor');
    // Defense last: NO, NO, YES wins 2 of 3; prosecution last: YES, NO, YES wins 2 of 3; together 4 of 6.
    const found = swapsOf('order', verdicts('NNY', usual), verdicts('YNY', turned));
    expect(found.measure('won_by_last_speaker')).toMatchObject({ n: 6, cases: 3, over: 'pair-trials' });
    expect(found.measure('won_by_last_speaker').value).toBeCloseTo(4 / 6, 12);
    expect(found.names).not.toContain('won_by_prosecution');
  });

  test('sides: the share won by the prosecution, which argued for either label as often', () => {
    const usual = () => pleading('YES', 'NO', 'defense');
    const turned = () => pleading('NO', 'YES', 'defense');
    // The prosecution won c0 before and c0, c1 after: 3 of 4.
    const found = swapsOf('sides', verdicts('YN', usual), verdicts('NN', turned));
    // One case moves the share; the other was won once.
    expect(found.measure('won_by_prosecution')).toMatchObject({ value: 0.75, n: 4, p: 1 });
  });

  test('a pair with a verdict for a label that nobody argued for is not counted', () => {
    const usual = () => pleading('YES', 'NO', 'defense');
    const found = swapsOf('sides', verdicts('YYM', usual), verdicts('YMN', usual));
    expect(found.measure('won_by_prosecution')).toMatchObject({ value: 1, n: 2, cases: 1 });
  });

  test('if no one argues no one wins', () => {
    expect(swapsOf('order', verdicts('YN'), verdicts('YN')).names).not.toContain('won_by_last_speaker');
  });
});

test('pairs are of one case and replicate', () => {
  const base = [...verdicts('YN'), ...verdicts('Y', () => ({ replicate: 1 }))];
  expect(
    swapPairs(
      base,
      verdicts('N', () => ({ replicate: 1 })),
    ),
  ).toMatchObject([{ case: 'c0', replicate: 1 }]);
});
