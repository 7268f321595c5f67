import { describe, expect, it } from 'vitest';
import type { Comparison } from '../../../shared/statistics.ts';
import { missingEstimate } from './estimates.ts';
import { findingOf, type Ranked } from './finding.ts';

const ranked = (name: string, value: number | null, n = 200): Ranked => ({
  name,
  accuracy: {
    name: 'accuracy',
    over: 'all',
    label: null,
    side: null,
    turn: null,
    n,
    cases: n,
    ...missingEstimate(0.95, ''),
    value,
  },
});

function against(a: string, b: string, [low, value, high]: [number | null, number, number | null], cases = 200): Comparison {
  return {
    a,
    b,
    baseline: true,
    in_family: true,
    paired_cases: cases,
    difference: { ...missingEstimate(0.95, ''), low, value, high, interval_method: 'bca' },
    mcnemar: { a_only: 0, b_only: 0, p: 0.01, p_adjusted: 0.02 },
    differences: [],
    wilcoxon: null,
    cliffs_delta: null,
    smallest_detectable_difference: cases < 100 ? 0.31 : 0.1,
    detectable_at: 0.05,
    variance: null,
  };
}

const baselines = [ranked('majority', 0.6), ranked('forest', 0.62)];
const rest = { unreported: 0, hasVaried: false, commonest: null, labelled: {} };
const say = (material: Partial<Parameters<typeof findingOf>[0]>) =>
  findingOf({ arms: [], baselines, comparisons: [], chosen: null, ...rest, ...material }).sentence;

describe('the finding', () => {
  it('says first that no arm beats every baseline, though one looks better', () => {
    const sentence = say({
      arms: [ranked('court', 0.65), ranked('cot', 0.5)],
      comparisons: [
        against('court', 'majority', [0.01, 0.05, 0.09]),
        against('court', 'forest', [-0.01, 0.03, 0.07]),
        against('cot', 'majority', [-0.2, -0.1, -0.01]),
        against('cot', 'forest', [-0.2, -0.12, -0.02]),
      ],
    });
    expect(sentence).toBe(
      'No arm is shown to beat every baseline. One arm is shown to be worse than a baseline: cot is right in 12 fewer of 100 cases than forest (adjusted p 0.020), in 10 fewer than majority (adjusted p 0.020). The best arm is court (65% of 200), and the best baseline is forest (62% of 200): +3 points, 95% interval −1 to +7.',
    );
  });

  it('says of the best of several what is to be expected of it, and from where its interval reaches', () => {
    const chosen = { arm: 'court', of: 8, value: 0.65, corrected: 0.612, low: 0.55, level: 0.95, resamples: 100, seed: 7 };
    const comparisons = baselines.map(({ name }) => against('court', name, [-0.1, 0, 0.1]));
    const [court, cot] = [ranked('court', 0.65), ranked('cot', 0.5)];
    const arms = [{ ...court, accuracy: { ...court.accuracy, low: 0.58, high: 0.71 } }, cot];
    const found = findingOf({ arms, baselines, comparisons, chosen, ...rest });
    expect(found.sentence).toMatch(
      /^No arm is shown to beat every baseline\. The best arm is court \(65% of 200, 95% interval 58% to 71%; 61\.2% corrected for being the best of 8 arms, interval 55% to 71%\), and the best/,
    );
    expect(found.best).toEqual({ ...chosen, high: 0.71 });
    expect(say({ arms: [court], comparisons })).toContain('court (65% of 200), and the best');
    // Where cases have 1 trial or 2, the mean over cases is of no number of trials.
    for (const [value, n, cases, some, of] of [
      [0.425, 30, 20, {}, '42.5% of 20 cases, 30 trials'],
      // Of 6 cases three trials each are right, of 6 the only one is wrong.
      [0.5, 24, 12, {}, '50% of 12 cases, 24 trials'],
      [0.425, 40, 20, { count: 17 }, '42.5% of 40'],
      [1, 30, 20, {}, '100% of 30'],
    ] as const) {
      const uneven = { ...court, accuracy: { ...court.accuracy, value, n, cases, ...some } };
      expect(say({ arms: [uneven], comparisons })).toContain(`court (${of}), and the best`);
    }
    // The interval of the best of several is no shorter than its own.
    const wide = [{ ...court, accuracy: { ...court.accuracy, low: 0.5, high: 0.71 } }, cot];
    expect(findingOf({ arms: wide, baselines, comparisons, chosen, ...rest }).best?.low).toBe(0.5);
    const alone = findingOf({ arms: [court], baselines, comparisons, chosen: null, ...rest, unreported: 2 });
    expect(alone.sentence).toContain('Of these: No arm is shown to beat every baseline. The best arm is court');
    // An end that is not known leaves no interval.
    const open = findingOf({ arms: [court, cot], baselines, comparisons, chosen, ...rest });
    expect(open.best).toEqual({ ...chosen, low: null, high: null });
  });

  it('names the arms that do, with the comparison that speaks least for them', () => {
    const sentence = say({
      arms: [ranked('court', 0.75), ranked('cot', 0.5)],
      comparisons: [
        against('court', 'majority', [0.1, 0.15, 0.2]),
        against('court', 'forest', [0.05, 0.13, 0.18]),
        against('cot', 'majority', [-0.2, -0.1, 0]),
        against('cot', 'forest', [-0.2, -0.12, 0]),
      ],
    });
    expect(sentence).toBe(
      'One arm beats every baseline: court (75% of 200), against forest +13 points, 95% interval +5 to +18. Not shown to beat every baseline: cot (against majority −10 points, 95% interval −20 to 0).',
    );
  });

  it('does not take an interval that ends at 0 for a victory', () => {
    const arms = [ranked('court', 0.75)];
    const touching = [against('court', 'majority', [0.1, 0.15, 0.2]), against('court', 'forest', [0, 0.13, 0.2])];
    expect(say({ arms, comparisons: touching })).toMatch(/^No arm is shown to beat every baseline\./);
  });

  it('does not ask an arm to beat a baseline that is drawn by lot', () => {
    const lot = { ...against('court', 'lot', [-0.1, 0.05, 0.2]), in_family: false };
    const comparisons = [...baselines.map(({ name }) => against('court', name, [0.1, 0.15, 0.2])), lot];
    expect(say({ arms: [ranked('court', 0.75)], comparisons })).toMatch(/^One arm beats every baseline: court/);
  });

  it('says why no arm wins whose interval lies above the share of the baseline', () => {
    const arm = ranked('vendor', 0.634);
    const vendor = { ...arm, accuracy: { ...arm.accuracy, low: 0.571, high: 0.692 } };
    const majority = [ranked('majority', 0.563)];
    const missed = { arms: [vendor], baselines: majority, comparisons: [against('vendor', 'majority', [-0.021, 0.071, 0.162])] };
    expect(say(missed)).toContain(
      '+7.1 points, 95% interval −2.1 to +16.2. The interval of the arm alone, 57.1% to 69.2%, lies above the share of the baseline; but that share is an estimate too, so the difference case by case decides.',
    );
    expect(say({ ...missed, baselines: [ranked('majority', 0.6)] })).not.toContain('alone');
  });

  it('says that there are further arms where some were named', () => {
    const comparisons = baselines.map(({ name }) => against('court', name, [0.1, 0.15, 0.2]));
    expect(say({ arms: [ranked('court', 0.75)], comparisons, unreported: 3 })).toMatch(
      /^This report names 1 of the 4 arms of the experiment\. Of these: One arm beats every baseline/,
    );
  });

  it('does not take an interval above 0 for a victory where the exact test finds none', () => {
    const arms = [ranked('court', 1, 3)];
    const lucky = ['majority', 'forest'].map((name) => ({
      ...against('court', name, [0.2, 1, 1], 3),
      mcnemar: { a_only: 3, b_only: 0, p: 0.25, p_adjusted: 0.25 },
    }));
    expect(say({ arms, comparisons: lucky })).toMatch(
      /^No arm is shown to beat every baseline\..*does not rule out chance \(adjusted p 0\.250\)/,
    );
    const unlucky = lucky.map((pair) => ({ ...pair, difference: { ...pair.difference, low: -1, value: -1, high: -0.2 } }));
    expect(say({ arms, comparisons: unlucky })).toContain('does not rule out chance (adjusted p 0.250)');
    const adjusted = unlucky.map((pair) => ({ ...pair, mcnemar: { ...pair.mcnemar, p: 0.03 } }));
    expect(say({ arms, comparisons: adjusted })).toContain(
      'but this interval is for the one comparison, and corrected for all of them this can be chance (adjusted p 0.250)',
    );
    const enough = lucky.map((pair) => ({ ...pair, mcnemar: { a_only: 6, b_only: 0, p: 0.03125, p_adjusted: 0.05 } }));
    expect(say({ arms, comparisons: enough })).toMatch(/^One arm beats every baseline: court/);
  });

  it('says of a run under way on which cases the difference is, and denies none that was found', () => {
    const whole = ranked('majority', 0.833, 48);
    const pair = against('court', 'majority', [-0.9, -0.6, -0.3], 10);
    const accuracy = { name: 'accuracy', over: 'all' as const, cases: 10, a: 0.4, b: 1, ...pair.difference };
    const unseen = { ...pair, differences: [accuracy], smallest_detectable_difference: null };
    expect(say({ arms: [ranked('court', 0.4, 10)], baselines: [whole], comparisons: [unseen] })).toBe(
      'No arm is shown to beat every baseline. One arm is shown to be worse than a baseline: court is right in 60 fewer of 100 cases than majority (adjusted p 0.020). The only arm is court (40% of 10), and the best baseline is majority (83.3% of 48): −60 points, 95% interval −90 to −30 on the 10 cases that both have, where majority has 100%. 10 cases are few.',
    );
    expect(say({ arms: [ranked('court', 0.4, 10)], baselines: [], hasVaried: true })).toMatch(
      /^The only unchanged arm is court \(40% of 10\)\. There is no trained baseline/,
    );
    const half = { ...unseen, paired_cases: 5 };
    const few = { arms: [ranked('court', 0.4, 10)], baselines: [ranked('majority', 1, 5)], comparisons: [half] };
    expect(say(few)).toContain(' on the 5 cases that both have, where court has 40%.');
  });

  it('names no arm as worse by its interval alone, and says of decided labels that arms agree less often', () => {
    const arms = ['court', 'cot', 'one', 'two'].map((name) => ranked(name, 0.4));
    const worse = arms.map(({ name }) => against(name, 'majority', [-0.3, -0.2, -0.1]));
    const sentence = say({ arms, comparisons: worse, labelled: { decided_by: 'the bank' } });
    expect(sentence).toContain(
      '4 arms are shown to be worse than a baseline: court agrees with the bank in 20 fewer of 100 cases',
    );
    expect(sentence).toContain('; 1 more: see');
    const unproved = worse.map((pair) => ({ ...pair, mcnemar: { ...pair.mcnemar, p_adjusted: 0.06 } }));
    expect(say({ arms, comparisons: unproved })).not.toContain('worse');
  });

  it('calls no arm the best where the arms have different cases, and says who is ahead over those that two have', () => {
    const arms = [ranked('court', 0.6), ranked('half', 0.81, 100)];
    const withBaselines = arms.flatMap(({ name }) => baselines.map((each) => against(name, each.name, [-0.1, 0, 0.1])));
    const said = (pair: Comparison) => say({ arms, comparisons: [...withBaselines, { ...pair, baseline: false }] });
    expect(said(against('court', 'half', [-0.3, -0.1, 0.1], 100))).toBe(
      'No arm is shown to beat every baseline. The arms do not have the same cases, so none is called the best; over the cases that two have, none is shown to be ahead. Not shown to beat every baseline: court (against majority 0 points, 95% interval −10 to +10); half (against majority 0 points, 95% interval −10 to +10).',
    );
    expect(said(against('court', 'half', [-0.3, -0.2, -0.1], 100))).toContain(
      'these are ahead: half of court by 20 points (100 cases, adjusted p 0.020).',
    );
    // As many cases, but not the same ones.
    const others = [ranked('court', 0.6), ranked('half', 0.81)];
    const apart = { ...against('court', 'half', [-0.3, -0.1, 0.1], 100), baseline: false };
    expect(say({ arms: others, comparisons: [apart], baselines: [] })).toMatch(/^The arms do not have the same cases/);
  });

  it('can say without its own interval that an arm like the baseline does not beat it', () => {
    const like = (name: string): Comparison => {
      const pair = against('court', name, [null, 0, null]);
      return { ...pair, difference: { ...pair.difference, interval_method: null, resamples: 2000 } };
    };
    const sentence = say({ arms: [ranked('court', 0.62)], comparisons: [like('majority'), like('forest')] });
    expect(sentence).toMatch(/^No arm is shown to beat every baseline\. .*: 0 points\.$/);
  });

  it('says without a baseline what a constant answer would be worth', () => {
    const commonest = { label: 'NO', cases: 135, of: 200, trials: null };
    expect(say({ arms: [ranked('court', 0.557)], baselines: [], commonest })).toContain(
      'Always answering "NO" would be right in 67.5% of the 200 cases tried, more often than any arm was.',
    );
    expect(say({ arms: [ranked('court', 0.7)], baselines: [], commonest })).toMatch(/ of the 200 cases tried\.$/);
  });

  it('names no winner among arms that are right equally often', () => {
    const two = [ranked('court', 0.5), ranked('cot', 0.5)];
    expect(say({ arms: two, baselines: [] })).toMatch(/^court and cot are right equally often \(50% of 200\)\. /);
    const court = ranked('court', 0.5);
    const fewer = { ...court, accuracy: { ...court.accuracy, n: 400, count: 200 } };
    expect(say({ arms: [fewer, ranked('cot', 0.5)], baselines: [] })).toMatch(
      /^court \(50% of 400\) and cot \(50% of 200\) are right equally often, each of its trials\. /,
    );
    expect(say({ arms: [...two, ranked('vote', 0.5)], baselines: [] })).toMatch(
      /^court and 2 more arms are right equally often /,
    );
    const comparisons = baselines.map(({ name }) => against('court', name, [-0.2, -0.1, 0.05]));
    expect(say({ arms: two, comparisons })).toContain('forest (62% of 200): court less forest −10 points');
    // Of more arms these two were chosen, so that what is to be expected of them is less.
    const chosen = { arm: 'court', of: 3, value: 0.5, corrected: 0.47, low: 0.4, level: 0.95, resamples: 100, seed: 7 };
    expect(say({ arms: two, baselines: [], chosen })).not.toContain('corrected');
    expect(say({ arms: [...two, ranked('vote', 0.3)], baselines: [], chosen })).toContain('(50% of 200; 47% corrected');
  });

  it('names the arms that are not shown to beat every baseline where others are, and not those that are shown to be worse', () => {
    const comparisons = [
      ...['majority', 'forest'].map((name) => against('court', name, [0.1, 0.2, 0.3])),
      ...['majority', 'forest'].map((name) => against('kolb', name, [-0.06, 0.09, 0.23])),
      ...['majority', 'forest'].map((name) => against('lost', name, [-0.3, -0.2, -0.1])),
    ];
    const arms = [ranked('court', 0.8), ranked('kolb', 0.6), ranked('lost', 0.3)];
    const sentence = say({ arms, comparisons });
    expect(sentence).toContain(' Not shown to beat every baseline: kolb (against majority +9 points, 95% interval −6 to +23).');
    const counted = (a: number, b: number) =>
      comparisons.map((each) => ({
        ...each,
        differences: [{ name: 'accuracy', over: 'all' as const, cases: 60, a, b, ...each.difference }],
      }));
    const constant = baselines.map((each) => (each.name === 'majority' ? { ...each, always: 'NO' } : each));
    expect(say({ arms, comparisons: counted(33 / 60, 37 / 60), baselines: constant })).toContain(
      ' kolb (is right in 33 of 60 cases, majority, always NO, in 37: +9 points, 95% interval −6 to +23).',
    );
    // Tried twice, a share of whole cases can be of cases that are each half right.
    const twice = arms.map((each) => ({ ...each, accuracy: { ...each.accuracy, cases: 100 } }));
    expect(say({ arms: twice, comparisons: counted(0.45, 0.5) })).toContain(
      ' kolb (is right in 45% of 60 cases, majority in 50%: +9',
    );
    expect(sentence).not.toContain('; lost');
    expect(say({ arms: arms.slice(0, 1), comparisons: comparisons.slice(0, 2) })).not.toContain('Not shown');
  });

  it('says nothing of what could be seen in an arm that was compared with none', () => {
    const sentence = say({ arms: [ranked('court', 0.7, 60), ranked('cot', 0.6, 60)], baselines: [] });
    expect(sentence).toMatch(/ 60 cases are few\.$/);
  });

  it('says that few cases show little', () => {
    const comparisons = [against('court', 'majority', [-0.2, 0.1, 0.4], 20), against('court', 'forest', [-0.2, 0.1, 0.4], 20)];
    expect(say({ arms: [ranked('court', 0.7, 20)], comparisons })).toMatch(
      / 20 cases are few: a difference of 31 points would be found four times in five, smaller ones less often; one between court and forest as large as that seen \(10 points\) takes about 190 cases\.$/,
    );
    // Of 20 cases court and forest differ in 2 : 1, so that 20 cannot find any difference that these allow.
    const unseen = { smallest_detectable_difference: null, mcnemar: { a_only: 2, b_only: 1, p: 1, p_adjusted: 1 } };
    const [, last] = comparisons.map((each) => ({ ...each, ...unseen, difference: { ...each.difference, value: 0.05 } }));
    const only = { comparisons: last === undefined ? [] : [last], arms: [ranked('court', 0.7, 20)] };
    expect(say({ ...only, baselines: [ranked('forest', 0.65, 20)], labelled: { decided_by: 'the bank' } })).toMatch(
      / 20 cases are few: to be found four times in five, a difference between court and forest as large as that seen \(5 points\) takes about 500 cases, and one of 10 points about 120, if only one of the two agrees with the bank in 15% of cases, as here\.$/,
    );
    const apart = { ...unseen, paired_cases: 0, mcnemar: { a_only: 0, b_only: 0, p: null, p_adjusted: null } };
    const disjoint = only.comparisons.map((each) => ({ ...each, ...apart }));
    expect(say({ ...only, comparisons: disjoint })).toContain(' 20 cases are few: hardly any difference could be seen.');
    const corrected = comparisons.map((each) => ({ ...each, detectable_at: 0.025 }));
    expect(say({ arms: [ranked('court', 0.7, 20)], comparisons: corrected })).toContain(
      ' 20 cases are few: corrected for all pairs, a difference of',
    );
  });

  it('says of the arm with the fewest cases what its own pairs could show', () => {
    const comparisons = ['majority', 'forest'].flatMap((name) => [
      { ...against('court', name, [0.1, 0.2, 0.3]), smallest_detectable_difference: 0.1 },
      { ...against('clerk', name, [0.1, 0.3, 0.5], 20), smallest_detectable_difference: 0.31 },
    ]);
    const arms = [ranked('court', 0.8), ranked('clerk', 0.9, 20)];
    expect(say({ arms, comparisons })).toContain(' 20 cases of clerk are few: a difference of 31 points would be found');
    const [first, ...others] = comparisons;
    const unlike = [{ ...against('clerk', 'majority', [0.1, 0.3, 0.5], 20), smallest_detectable_difference: 0.25 }, ...others];
    expect(say({ arms, comparisons: first === undefined ? [] : [first, ...unlike] })).toContain(
      ' are few: a difference of 25 to 31 points, depending on the pair, would be found',
    );
  });

  it('does not call many cases few for the sake of another arm', () => {
    const arms = [ranked('court', 0.7), ranked('begun', 0, 1)];
    const comparisons = [against('begun', 'majority', [-1, -1, -1], 1), against('court', 'majority', [-0.1, 0.1, 0.2])];
    expect(say({ arms, comparisons })).not.toMatch(/(?:is|are) few/);
    expect(
      say({ arms, comparisons: [{ ...against('begun', 'court', [0, 0, 0], 1), baseline: false }], baselines: [] }),
    ).not.toMatch(/(?:is|are) few/);
  });

  it('says why no finding is possible', () => {
    expect(say({ arms: [ranked('court', null, 0)] })).toMatch(/^No trial of a case with a known truth has ended/);
    expect(say({ arms: [ranked('court', 0.7)], baselines: [] })).toMatch(/There is no trained baseline to compare it with\./);
    const blind = [against('court', 'majority', [null, 0.1, null]), against('court', 'forest', [null, 0.1, null])];
    expect(say({ arms: [ranked('court', 0.7)], comparisons: blind })).toMatch(/it is unknown whether an arm beats the baselines/);
  });

  it('comes with its rule, which names the test that was made', () => {
    const ruleOf = (arm: Ranked) => findingOf({ arms: [arm], baselines, comparisons: [], chosen: null, ...rest }).rule;
    const once = ranked('court', 0.7);
    expect(ruleOf(once)).toContain("the p-value of McNemar's exact test, adjusted");
    const twice = ruleOf({ ...once, accuracy: { ...once.accuracy, n: 2 * once.accuracy.cases } });
    expect(twice).toContain('the p-value of the exact permutation test of signs, adjusted');
    expect(twice).not.toContain('McNemar');
  });
});
