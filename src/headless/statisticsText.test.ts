import { expect, test } from 'vitest';
import type { Baselines } from '../core/baselines/baseline.ts';
import { statisticsReport } from '../core/statistics/measures/statisticsReport.ts';
import { drawing, line, trial } from '../core/statistics/measures/trials.fixture.ts';
import { missingTexts } from '../core/telling/unsettledPart.ts';
import type { StatsReport } from '../shared/outputs.ts';
import { statisticsText } from './commands/stats.ts';

/** Twelve cases of an arm: every third without a belief, c0 with the truth YES. */
const lines = Array.from({ length: 12 }, (_, index) => {
  const belief = index % 3 === 2 ? {} : { belief: { NO: 0.6, YES: 0.4 }, confidence: 0.6 };
  const truth = index === 0 ? 'YES' : 'NO';
  return line('court', trial(`c${index}`, { truth, groups: { sex: index < 6 ? 'f' : 'm' }, ...belief }));
});

const none: Baselines = { baselines: [], missing: [] };

const report = (change: Partial<Parameters<typeof statisticsReport>[0]> = {}) => ({
  ...statisticsReport(
    {
      experiment: 'e',
      lines,
      arms: ['court'],
      paths: new Map(),
      terms: { labels: ['NO', 'YES'], positive: 'YES', multiLabel: false, groups: ['sex'] },
      baselines: none,
      resampling: drawing(50),
      ...change,
    },
    () => undefined,
  ),
  store: 's',
});

test('every measure of a part of the trials has its own denominator', () => {
  const text = statisticsText(report());
  expect(text).toMatch(/^Brier score +0\.\d+ \[.*\] of 8$/m);
  expect(text).toMatch(/^expected calibration error +0\.\d+ of 8$/m);
  // Six trials of each group, one of which is truly positive.
  expect(text).toMatch(/^court +sex f +6 +6 +.* of 6 +0% \[.*\] of 1 +0% \[.*\] of 5 +100% \[.*\] of 1\b/m);
  expect(text).not.toMatch(/[-−](?:0\.000|0%)/);
});

test('an arm that lacks cases says of how many it has some, which it lacks, and where failures count', () => {
  const whole = report();
  const unsettled = [
    { kind: 'not_begun' as const, trials: 3, cases: 2, first: ['c12', 'c13'] },
    { kind: 'invalid_label' as const, trials: 1234, cases: 1230, first: ['c1', 'c2'] },
  ];
  const arms = whole.arms.map((arm) => ({ ...arm, cases: { done: 12, of: 14, missing: ['c12', 'c13'] }, unsettled }));
  const text = statisticsText({ ...whole, arms });
  expect(text).toMatch(/^court +12\/12 +12\/14 /m);
  expect(text).toMatch(/^court +not begun +3 +2 +cases c12, c13$/m);
  expect(text).toMatch(/^court +failed: label outside the set +1,234 +1,230 +cases c1, c2 and 1,228 more$/m);
  expect(text).toContain('did not end count in no figure.');
  expect(text).toContain('Failed trials count as not right in accuracy of all');
  expect(text).not.toContain('turn lost');
  const imported = arms.map((arm) => ({ ...arm, arm: 'people', protocol: 'imported' }));
  expect(statisticsText({ ...whole, arms: [...arms, ...imported] })).toMatch(
    /^Of 12 planned trials 12 have ended, and 12 imported, \d+ of them with a verdict\./m,
  );
  expect(statisticsText({ ...whole, arms: imported })).toMatch(/^Of 12 imported trials \d+ have a verdict\./m);
});

test('that trials are missing, and that arms have different cases, is said first, and none is called the best', () => {
  const whole = report({
    lines: [...lines, ...lines.slice(0, 7).map((each) => ({ ...each, arm: 'one' }))],
    arms: ['court', 'one'],
  });
  const said = (planned: number) =>
    statisticsText({ ...whole, arms: whole.arms.map((arm) => (arm.arm === 'one' ? { ...arm, planned } : arm)) }).split('\n');
  const [first, second, third, fourth] = said(12);
  expect(first).toBe('5 of 24 planned trials have not ended: one 5.');
  expect(second).toMatch(/^So far the arms have different cases \(7 to 12 each\)\. Comparisons/);
  expect(third).toMatch(/^Of 7 cases, only court is right in 0 and only one in 0; /);
  expect(fourth).toMatch(/^The arms do not have the same cases, so none is called the best; /);
  expect(said(7)[0]).toBe(second?.replace('So far the', 'The'));
  const ruled = { width: 0.1, after: 7 };
  const arms = whole.arms.map((arm) => (arm.arm === 'one' ? { ...arm, planned: 12 } : arm));
  for (const [after, open, unequal] of [
    [7, '5 of 24 planned trials have no result, since the stopping rule ended the run: one 5.', 'The arms have'],
    // An arm still has fewer cases than the rule took.
    [8, first, 'So far the arms have'],
    [null, first, 'So far the arms have'],
  ] as const) {
    const primary = { stop: { ...ruled, after } } as StatsReport['primary'];
    expect(missingTexts({ ...whole, arms, primary })).toEqual([open, expect.stringContaining(`${unequal} different cases`)]);
  }
  const imported = whole.arms.map((arm) => (arm.arm === 'one' ? { ...arm, protocol: 'imported' } : { ...arm, planned: 14 }));
  expect(statisticsText({ ...whole, arms: imported })).toMatch(
    /^2 of 14 planned trials have not ended: court 2; 12 have, and 7 imported\.\n/,
  );
  // As many cases, but not the same ones.
  const [early, late] = [lines.slice(0, 8), lines.slice(4).map((each) => ({ ...each, arm: 'one' }))];
  expect(statisticsText(report({ lines: [...early, ...late], arms: ['court', 'one'] }))).toMatch(
    /^The arms have different cases \(8 each\)/,
  );
  expect(statisticsText(report())).not.toMatch(/planned trials have not|different cases \(/);
});

test('a set about one trial is compared with nothing, and says why', () => {
  const of = line('court', trial('c0'));
  const change = { kind: 'noise', text: 'noise', applies: true, from: null, to: null } as const;
  const again = line('court (noise)', trial('c0'), { base_arm: 'court', change });
  const predictions = [{ case: 'c0', prediction: 'NO', belief: null }];
  const about = { trained_on: 9, columns: [], dropped: [], library: 'Assize', seed: null, parameters: {}, notes: [] };
  const baselines = { ...none, baselines: [{ name: 'majority', predictions, about } as const] };
  const set = report({ lines: [of, again], arms: ['court', 'court (noise)'], baselines });
  expect(set.comparisons).toHaveLength(1);
  expect(statisticsText(set)).toContain('Nothing is compared with baselines or other arms: this set has one case.');
  expect(statisticsText(set)).not.toMatch(/majority|beats|best arm/);
  expect(statisticsText(report({ lines: [of], arms: ['court'], baselines }))).toMatch(/^court against baseline majority/m);
});

test('a note below their table says that baselines cover fewer cases than arms', () => {
  const about = { trained_on: 9, columns: [], dropped: [], library: 'Assize', seed: null, parameters: {}, notes: [] };
  const predictions = lines.map(({ case: id }) => ({ case: id, prediction: 'NO', belief: null }));
  const of = (some: typeof predictions) =>
    statisticsText(report({ baselines: { ...none, baselines: [{ name: 'majority', predictions: some, about }] } }));
  expect(of(predictions.slice(1))).toMatch(/^baseline majority .*\n+Baselines cover 11 of 12 cases: /m);
  expect(of(predictions)).not.toContain('Baselines cover');
});

test('the finding names groups that are shown to be selected differently, and says where no difference is shown or nothing can be said', () => {
  const grouped = Array.from({ length: 80 }, (_, index) => {
    const groups = { sex: index % 2 ? 'f' : 'm', age: index < 40 ? 'old' : 'young', hand: index < 75 ? 'right' : 'left' };
    const truth = index % 3 === 0 ? 'NO' : 'YES';
    return line('court', trial(`c${index}`, { groups, truth, prediction: index % 8 < 2 || index % 2 ? 'YES' : 'NO' }));
  });
  const terms = { labels: ['NO', 'YES'], positive: 'YES', multiLabel: false, groups: ['sex', 'age', 'hand'] };
  const text = statisticsText(report({ lines: grouped, terms, resampling: { resamples: 500, seed: 1, level: 0.95 } }));
  const [shown = '', unshown = ''] = text.split(/^No difference between groups is shown/m);
  expect(shown).toMatch(/^Differences between groups that chance does not explain, corrected for \d+ comparisons of groups/m);
  expect(shown).toMatch(
    /^ {2}sex: share YES (?:25% for sex = m \(n = 40\) and 100% for sex = f|100% for sex = f \(n = 40\) and 25% for sex = m) \(n = 40\): 75 points apart \(95% interval \d.* to \d.*; adjusted p at most 0.0\d+\)/m,
  );
  expect(unshown).toMatch(/^ {2}age: .*share YES the same, interval 0 to \d.* \(adjusted p [01]\.\d+\)/m);
  const [, lacking = ''] = unshown.split('Groups that cannot be compared:');
  expect(lacking).toMatch(
    /^ {2}hand: fewer than two groups have 10 cases.* \(share YES left \(n = 5\), right \(n = 75\); true-positive rate left \(n = 3\), right \(n = 50\); false-positive rate left \(n = 2\), right \(n = 25\)\)\.?$/m,
  );
  expect(statisticsText(report({ lines: grouped, terms }))).toContain('With this many comparisons');
});
