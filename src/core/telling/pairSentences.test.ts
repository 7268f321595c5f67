import { describe, expect, test } from 'vitest';
import type { StatsReport } from '../../shared/outputs.ts';
import type { PrimaryResult } from '../../shared/primary.ts';
import type { Comparison } from '../../shared/statistics.ts';
import { comparisonToCome, notAsked } from '../statistics/measures/intervalsToCome.ts';
import { mirrored } from '../statistics/measures/shownComparisons.ts';
import { comparison } from './comparison.fixture.ts';
import {
  fitTexts,
  modelsText,
  pairDetails,
  pairsInWords,
  pairTexts,
  pairVerdict,
  plainVerdict,
  ranksText,
} from './pairSentences.ts';

function verdictAsText(...of: Parameters<typeof pairVerdict>): string {
  const { said, more } = pairVerdict(...of);
  return more === null ? said : `${said} ${more}`;
}

describe('what may be said', () => {
  test('is that one is right more often if the interval excludes 0 and the adjusted p-value is small', () => {
    expect(verdictAsText(comparison())).toBe(
      'court is right in 10 more of 100 cases than alone (over 100 cases, 95% interval from 2 to 20, adjusted p 0.010): chance does not explain it.',
    );
    expect(verdictAsText(comparison({}, -0.1, -0.2, -0.02))).toBe(
      'alone is right in 10 more of 100 cases than court (over 100 cases, 95% interval from 2 to 20, adjusted p 0.010): chance does not explain it.',
    );
  });

  test('is the same without an interval, where one is right in every case and the other in none', () => {
    const { difference, mcnemar } = comparison();
    const opposite = comparison({
      difference: { ...difference, value: -1, low: null, high: null },
      mcnemar: { ...mcnemar, a_only: 0, b_only: 100 },
    });
    const found = 'chance does not explain it';
    expect(verdictAsText(opposite)).toBe(
      `alone is right in 100 more of 100 cases than court (over 100 cases, adjusted p 0.010): ${found}.`,
    );
    expect(plainVerdict(opposite)).toBe(
      `Of 100 cases, court is right more often in 0, alone in 100, and both equally often in 0; on average, court is right in 100 fewer of 100 than alone; ${found} (adjusted p 0.010).`,
    );
    expect(plainVerdict({ ...opposite, paired_cases: 101 })).toContain('what chance did to that is not known');
  });

  test('says who agrees more often with the person who decided the labels', () => {
    const said = (...values: [number, number, number, number]) => verdictAsText(comparison({}, ...values), false, 'the bank');
    expect(said(0.1, 0.02, 0.2, 0.01)).toMatch(/^court agrees with the bank in 10 more of 100 cases than alone/);
    expect(said(0, -0.1, 0.1, 1)).toContain('differ. Both court and alone agree with the bank equally often');
  });

  test('is no equality where nothing is shown', () => {
    expect(verdictAsText(comparison({}, 0.1, -0.02, 0.2, 0.2))).toBe(
      'These 100 cases do not show whether court and alone differ. The difference, court less alone, is +10 points, 95% interval −2 to +20 (adjusted p 0.200). To be found four times in five, a difference between court and alone as large as that seen (10 points) takes about 220 cases. In a comparison of this size a difference of 15 points would be found four times in five, smaller ones less often.',
    );
    expect(verdictAsText(comparison({}, -0.1, -0.2, 0.02, 0.2))).toContain(
      'The difference, court less alone, is −10 points, 95% interval −20 to +2 (adjusted p 0.200).',
    );
    expect(verdictAsText(comparison({}, 0.1, 0.02, 0.2, 0.06))).toMatch(
      /do not show whether .* differ\. The p-value adjusted for all pairs is above 5%, and an interval is not adjusted: the difference, court less alone, .* \+2 to \+20 \(adjusted p 0\.060\)\./,
    );
    const few = comparison({ mcnemar: { a_only: 3, b_only: 0, p: 0.25, p_adjusted: 0.25 } });
    expect(verdictAsText(few)).toMatch(
      /^These 100 cases do not show whether court and alone differ\. The exact test does not show a difference, and with few cases an interval is too narrow: the difference, court less alone, .* \+2 to \+20 \(adjusted p 0\.250\)\./,
    );
  });

  // A difference of 10 points with all against one takes 6 such cases of 10%: P(X >= 6) reaches 80% at 78 cases.
  test.each([
    [
      2,
      2,
      0,
      /a difference between court and alone of 10 points takes about 78 cases, if only one of the two is right in 10% of cases, the fewest that allow it \(here 4%\)\.$/,
    ],
    [
      4,
      1,
      0.03,
      /as large as that seen \(3 points\) takes about 4\d0 cases, if only one of the two is right in 5% of cases, as here, and one of 10 points about 78, if that is so in 10%, the fewest that allow it\.$/,
    ],
    [
      10,
      10,
      0,
      /a difference between court and alone of 10 points takes about 170 cases, if only one of the two is right in 20% of cases, as here\.$/,
    ],
  ])('has a number of cases where these find no difference at all: %i : %i', (a_only, b_only, value, expected) => {
    const unseen = { smallest_detectable_difference: null, mcnemar: { a_only, b_only, p: 1, p_adjusted: 1 } };
    expect(verdictAsText(comparison(unseen, value, -0.1, 0.1, 1))).toMatch(expected);
  });

  test.each([
    ['under a point', 0.009, 0.15],
    ['as large as what is found', 0.15, 0.15],
    ['of more than 100,000 cases', 0.011, 0.5],
  ])('has no number of cases for a difference %s', (_name, value, least) => {
    const pair = comparison({ smallest_detectable_difference: least }, value, -0.1, 0.2, 0.5);
    expect(verdictAsText(pair)).toMatch(/would be found four times in five, smaller ones less often\.$/);
  });

  test('is what was seen alone where no p-value is adjusted', () => {
    expect(verdictAsText(comparison({}, -0.1, -0.2, -0.02, null))).toBe(
      'Over these 100 cases alone is right 10 points more often than court (95% interval +2 to +20 points). Significance needs an adjusted p-value.',
    );
  });

  test('is not said to be undecided while its interval is computed', () => {
    const early = comparison({}, 0.1, 0, 0, null);
    const drawn = { ...early.difference, low: null, high: null, why_null: notAsked };
    for (const isPart of [false, true]) {
      expect(verdictAsText(comparisonToCome({ ...early, difference: drawn }), isPart)).toBe(
        'Over these 100 cases court is right 10 points more often than alone; whether chance explains that is being computed.',
      );
    }
  });

  test('is what was seen alone where a part is looked at', () => {
    // The interval excludes 0, and the whole may show nothing.
    expect(verdictAsText(comparison(), true)).toBe(
      'Over these 100 cases court is right 10 points more often than alone (95% interval +2 to +20 points).',
    );
  });

  test('is by the exact test where it and the interval disagree', () => {
    const few = comparison({ mcnemar: { a_only: 3, b_only: 0, p: 0.25, p_adjusted: null } });
    expect(verdictAsText(few)).toContain('; but the exact test, which decides, does not rule out chance (p 0.250).');
    // A part decides nothing.
    expect(verdictAsText(few, true)).toContain('; but the exact test does not rule out chance (p 0.250).');
    expect(verdictAsText({ ...few, mcnemar: { ...few.mcnemar, p: null } })).not.toContain('the exact test');
  });

  test('is no claim where its interval includes 0', () => {
    expect(verdictAsText(comparison({}, 0.1, -0.1, 0.3, null))).toMatch(
      /^Over these 100 cases court is right 10 points more often than alone \(.*\); it is not shown whether the two differ\. /,
    );
  });

  test('is nothing without common cases', () => {
    expect(verdictAsText(comparison({ paired_cases: 0 }))).toContain('no tried case with a known truth');
  });
});

test('plain words claim a difference exactly where the other sentence does, and claim no more than the numbers', () => {
  const ends: [number, number, number, number | null][] = [
    [0.1, 0.02, 0.2, 0.01],
    [-0.1, -0.2, -0.02, 0.01],
    [0.1, 0.02, 0.2, 0.06],
    [0.1, -0.02, 0.2, 0.01],
    [0, -0.1, 0.1, 1],
  ];
  for (const [value, low, high, adjusted] of ends) {
    const pair = comparison({}, value, low, high, adjusted);
    expect(plainVerdict(pair).includes('chance does not explain it')).toBe(
      verdictAsText(pair).includes('chance does not explain it'),
    );
  }
  expect(plainVerdict(comparison())).toBe(
    'Of 100 cases, court is right more often in 14, alone in 4, and both equally often in 82; on average, court is right in 10 more of 100 than alone, probably 2 more to 20 more in many such cases; chance does not explain it (adjusted p 0.010).',
  );
  expect(plainVerdict(comparison({}, 0, -0.1, 0.1, 1))).toBe(
    'Of 100 cases, court is right more often in 14, alone in 4, and both equally often in 82; on average, court and alone are right equally often, probably court in 10 fewer to 10 more of 100 in many such cases; it is not shown whether the two differ.',
  );
  const right = (a: number, b: number) => ({
    differences: [{ name: 'accuracy', over: 'all', cases: 100, a, b, value: a - b, low: -0.1, high: 0.1, level: 0.95 }],
  });
  const counted = (value: number, a: number, b: number, ...of: [string?, boolean?]) =>
    plainVerdict(comparison(right(a, b) as Partial<Comparison>, value, -0.1, 0.1, 1), ...of);
  expect(counted(-0.01, 0.48, 0.49)).toMatch(
    /^Of the 100 cases that both have, court is right in 48 and alone in 49: 1 fewer of 100, probably /,
  );
  expect(counted(0, 0.48, 0.48, 'the bank')).toMatch(/court agrees with the bank in 48 and alone in 48, probably court in 10 /);
  expect(counted(-0.01, 0.48, 0.49, undefined, true)).toMatch(
    /^Of 100 cases, .* on average, court is right in 1 fewer of 100 than alone/,
  );
  const odd = (more: Partial<Comparison>, ...ends: [number, number, number, number]) => plainVerdict(comparison(more, ...ends));
  expect(odd({ paired_cases: 1 }, 1, 1, 1, 1)).toBe(
    'In the only case that both have, court is right more often than alone; one case does not show whether the two differ.',
  );
  expect(odd({}, 0, 0, 0, 1)).toBe(
    'Of 100 cases, court is right more often in 14, alone in 4, and both equally often in 82; on average, court and alone are right equally often; it is not shown whether the two differ.',
  );
  expect(odd({}, 0.1, 0.02, 0.2, 0.06)).toMatch(
    /20 more in many such cases; but this range is for the one comparison, and corrected .* can be chance \(adjusted p 0\.060\), so it is not/,
  );
  const unconfirmed = { mcnemar: { a_only: 3, b_only: 0, p: 0.25, p_adjusted: 0.25 } };
  expect(odd(unconfirmed, 0.1, 0.02, 0.2, 1)).toContain('; but the exact test does not rule out chance (adjusted p 0.250), so');
  expect(odd({}, 0.1, -0.02, 0.2, 0.01)).toContain(
    '; the test speaks for a difference (adjusted p 0.010), but this range does not, so',
  );
});

describe('interval and ranks of Brier losses', () => {
  const pair = (low: number, high: number, p: number, favours: 'a' | 'b' | null) => {
    const brier = {
      name: 'brier',
      over: 'believed',
      cases: 90,
      a: 0.2,
      b: 0.25,
      value: (low + high) / 2,
      low,
      high,
      level: 0.95,
    };
    const wilcoxon = { of: 'brier', cases: 90, n: 90, statistic: 1, method: 'normal', p, p_adjusted: p, favours };
    return comparison({ differences: [brier], wilcoxon } as Partial<Comparison>);
  };

  test.each([
    [-0.03, -0.01, 0.01, 'a', false],
    [-0.03, -0.01, 0.2, 'a', true],
    [-0.03, -0.01, 0.01, 'b', true],
    [0.01, 0.03, 0.01, 'b', false],
    [-0.01, 0.03, 0.01, 'b', true],
    [-0.01, 0.03, 0.2, 'b', false],
  ] as const)('from %f to %f with p %f for %s: %s, from either side', (low, high, p, favours, differs) => {
    const found = pair(low, high, p, favours);
    expect([found, mirrored(found)].map((each) => ranksText([each]) !== null)).toEqual([differs, differs]);
  });

  test('name the pair, and count several', () => {
    const found = pair(-0.03, -0.01, 0.2251, 'a');
    expect(ranksText([found])).toContain('for court against alone (p 0.225): the interval is of the mean');
    expect(ranksText([found, found])).toContain('for 2 pairs:');
  });
});

describe('the pairs that have a sentence', () => {
  const arm = (name: string, value: number) => ({ arm: name, base_arm: null, accuracy_all: { value }, measures: [] });
  const pair = (a: string, b: string, p = 0.5, more: Partial<Comparison> = {}) =>
    comparison({ a, b, in_family: true, mcnemar: { a_only: 9, b_only: 9, p, p_adjusted: p }, ...more }, 0.01, -0.1, 0.1, p);
  const reportOf = (comparisons: readonly Comparison[]) =>
    ({
      arms: [arm('low', 0.5), arm('best', 0.9), arm('middle', 0.7), arm('next', 0.8)],
      baselines: [arm('majority', 0.5), arm('forest', 0.6)],
      finding: { best: null },
      comparisons,
    }) as unknown as StatsReport;
  const namesOf = (found: readonly Comparison[]) => found.map(({ a, b }) => `${a} ${b}`);
  const all = [
    ...['majority', 'forest'].map((name) => pair('best', name, 0.5, { baseline: true })),
    pair('low', 'best'),
    pair('low', 'middle', 0.001),
    pair('best', 'middle'),
    pair('best', 'next'),
  ];

  test('are those of the best arm with the strongest others, whatever their order, and the best baseline', () => {
    for (const comparisons of [all, all.toReversed()]) {
      const found = pairsInWords(reportOf(comparisons));
      expect(namesOf(found.arms)).toEqual(['best next', 'best middle', 'low best', 'low middle']);
      expect([found.more, found.baseline?.b]).toEqual([0, 'forest']);
    }
  });

  test('are of the most cases first: with an arm that has all of them before one that has a part', () => {
    const part = pair('best', 'next', 0.5, { paired_cases: 30 });
    const found = pairsInWords(reportOf([part, pair('best', 'middle'), pair('low', 'best')]));
    expect(namesOf(found.arms)).toEqual(['best middle', 'low best', 'best next']);
  });

  test('leave out the primary comparison, pairs without cases and a damaged record, and count the rest', () => {
    const [, , first, ...others] = all;
    const decided = pair('best', 'next');
    const found = pairsInWords({
      ...reportOf([first as Comparison, ...others.slice(0, 2), decided, pair('middle', 'next', 1, { paired_cases: 0 })]),
      primary: { compare: ['next', 'best'] } as unknown as PrimaryResult,
    });
    expect(namesOf(found.arms)).toEqual(['best middle', 'low best', 'low middle']);
    expect(found).toMatchObject({ more: 0, baseline: null });
    expect(pairsInWords({ ...reportOf(all), damage: {} } as unknown as StatsReport)).toEqual({
      arms: [],
      more: 0,
      baseline: null,
    });
  });

  test('come in sentences, with where the others are', () => {
    const others = ['one', 'another', 'third'].map((name) => pair('low', name));
    expect(pairTexts(reportOf([...all, ...others.slice(1)])), 'each of a few pairs has one').toHaveLength(6);
    const texts = pairTexts(reportOf([...all, ...others]));
    expect(texts).toHaveLength(4);
    expect(texts[0]).toBe(
      'Of 100 cases, best is right more often in 9, next in 9, and both equally often in 82. This does not show whether they differ.',
    );
    expect(pairDetails(reportOf([...all, ...others]))[0]).toMatch(
      /^The difference, best less next, is .* a difference between best and next as large as that seen \(1 point\) takes about 23,000 cases, and one of 10 points about 220\. In a comparison of this size /,
    );
    expect(texts[3]).toBe('4 more pairs of arms: see “Exploratory comparisons”.');
  });

  test('have the counts first, where each case was tried once those of a table of four', () => {
    const differences = [{ name: 'accuracy', over: 'all', a: 0.5, b: 0.5 }] as unknown as Comparison['differences'];
    const report = reportOf([pair('best', 'next', 1, { differences })]);
    expect(pairTexts(report)[0]).toMatch(
      /^Of 100 cases, only best is right in 9 and only next in 9; both are right in 41 and neither in 41\. This does/,
    );
    expect(pairTexts({ ...report, decided_by: 'the bank' })[0]).toMatch(/only best agrees with the bank in 9 and only next in 9/);
  });

  test('say where the two differ in protocol and model at once, and not where they differ in one of these or something is changed', () => {
    const endOf = (own: object, its: object) => {
      const arms = [
        { ...arm('court', 0.9), protocol: 'trialCourt', models: ['llama3.1:8b', 'phi3'], ...own },
        { ...arm('one answer', 0.8), protocol: 'direct', models: ['qwen2.5:7b'], ...its },
      ];
      return modelsText([pair('court', 'one answer')], { arms } as unknown as StatsReport);
    };
    expect(endOf({}, {})).toBe(
      'Arms that also have different models, which may explain the difference: court (llama3.1:8b and phi3) and one answer (qwen2.5:7b).',
    );
    const same = [endOf({ models: ['qwen2.5:7b'] }, {}), endOf({ protocol: 'direct' }, {}), endOf({}, { models: [] })];
    expect([...same, endOf({}, { base_arm: 'court' })]).toEqual([null, null, null, null]);
    expect(endOf({ standin: true }, { standin: true })).toBeNull();
    expect(endOf({ standin: true }, {})).toContain('different models');
  });

  test('say whose probabilities fit better, as a hint, only where the interval leaves out 0', () => {
    const brier = (value: number, low: number | null, high: number | null) => ({
      differences: [{ name: 'brier', over: 'believed', cases: 90, value, low, high, level: 0.95 }],
    });
    const of = (...found: Parameters<typeof brier>) =>
      fitTexts(reportOf([pair('best', 'next', 0.5, brier(...found) as unknown as Partial<Comparison>)]));
    const over = '90 cases for which both have them';
    expect(of(0.13, 0.087, 0.174)).toEqual([
      {
        isFound: true,
        text: `The probabilities of next seem to fit better than those of best: over the ${over}, their Brier score is lower by 0.130 (95% interval 0.087 to 0.174). This interval has no p-value of its own, so it is a hint and no claim.`,
      },
    ]);
    const ranked = { ...brier(0.13, 0.087, 0.174), wilcoxon: { of: 'brier', p: 0.01 } } as unknown as Partial<Comparison>;
    expect(fitTexts(reportOf([pair('best', 'next', 0.5, ranked)]))[0]?.text).toContain('(that of Wilcoxon’s test of this pair');
    expect(of(-0.05, -0.1, 0.02)).toEqual([
      {
        isFound: false,
        text: `It is not shown whose probabilities fit better, those of best or of next: over the ${over}, the Brier score of best is lower by 0.050 (95% interval −0.020 to 0.100).`,
      },
    ]);
    expect(of(0.13, null, null)).toEqual([]);
    expect(of(0, 0, 0)[0]?.text).toContain('their Brier scores are the same (95% interval 0.000 to 0.000).');
    const decided = { ...reportOf([pair('best', 'next')]), primary: { compare: ['best', 'next'] } } as unknown as StatsReport;
    expect(fitTexts(decided)).toHaveLength(1);
    const byBrier = { ...decided, primary: { compare: ['best', 'next'], measure: 'brier' } } as unknown as StatsReport;
    expect(fitTexts(byBrier), 'the primary comparison says it').toEqual([]);
    expect(fitTexts({ ...decided, damage: {} } as unknown as StatsReport)).toEqual([]);
  });
});
