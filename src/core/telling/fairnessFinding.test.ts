import { describe, expect, test } from 'vitest';
import type { StatsReport } from '../../shared/outputs.ts';
import { toCome } from '../statistics/measures/intervalsToCome.ts';
import { fairnessFinding } from './fairnessFinding.ts';
import { groupFindings } from './groupFindings.ts';
import { largestDifferenceTexts } from './groupsInWords.ts';
import { groupDifferences, tellingColumns } from './groupTables.ts';

const rate = (name: string, value: number, n: number) => ({ name, over: 'decided', value, n, cases: n });
const group = (attribute: string, value: string, selected: number, n: number) => ({
  ...{ attribute, value, n },
  measures: [rate('selection_rate', selected, n)],
});
const difference = (attribute: string, value: number | null, p: number | null) => ({
  attribute,
  left_out: [],
  measures: [
    {
      ...{ name: 'demographic_parity_difference', over: 'decided', level: 0.95, value, p },
      ...(value === null ? { low: null, high: null, why_null: 'fewer than two groups have 10 cases' } : {}),
      ...(value === null ? {} : { low: value - 0.1, high: value + 0.1, why_null: null }),
    },
  ],
});

const groups = [
  ...[group('region', 'north', 0.7, 40), group('region', 'south', 0.2, 30), group('region', 'west', 0.5, 20)],
  ...[group('sex', 'man', 0.5, 45), group('sex', 'woman', 0.45, 45)],
  ...[group('age', 'old', 0.5, 4), group('age', 'young', 0.6, 5)],
];
const fairness = [
  ...[difference('region', 0.5, 0.001), difference('sex', 0.05, 0.8), difference('age', null, null)],
  difference('region × sex', 0.6, 0.001),
];
const arm = (name: string) => ({
  ...{ arm: name, kind: 'arm', groups, fairness },
  intersections: [group('region × sex', 'north × man', 0.8, 20), group('region × sex', 'south × woman', 0.2, 20)],
});
const reportOf = (...names: string[]) =>
  ({ arms: names.map(arm), positive: 'YES', resampling: { resamples: 2000 } }) as unknown as StatsReport;

test('columns come before pairs of columns, with both ends and what was corrected for; each column has its line', () => {
  const [shown, unshown, lacking, ...more] = fairnessFinding(reportOf('model'));
  expect(more).toEqual([]);
  expect(shown?.heading).toContain(
    'corrected for 3 comparisons of groups (4 columns or pairs of columns; 1 of the 4 is not tested)',
  );
  expect(shown?.lines.map((line) => line.split(':')[0])).toEqual(['region', 'region × sex']);
  expect(shown?.lines[0]).toMatch(
    /70% for region = north \(n = 40\) and 20% for region = south \(n = 30\), the highest and the lowest of 3 groups: 50 points apart .*40 to 60/,
  );
  expect(unshown?.lines).toEqual([
    'sex: share YES 5 points higher for man (50%, n = 45) than for woman (45%, n = 45), interval −5 to 15 (adjusted p 0.800)',
  ]);
  expect(lacking?.lines).toEqual(['age: fewer than two groups have 10 cases (share YES old (n = 4), young (n = 5))']);
  expect([shown, unshown, lacking].map((part) => part?.heading.includes('share YES is the selection rate'))).toEqual([
    true,
    false,
    false,
  ]);
  const uncompared = { ...arm('model'), fairness: [difference('age', null, null), difference('sex', null, null)] };
  const [only] = fairnessFinding({ ...reportOf('model'), arms: [uncompared] } as unknown as StatsReport);
  expect(only?.heading).toMatch(/^Groups that cannot be compared; share YES is the selection rate, .*:$/);
});

test.each([
  [
    'the largest is of the same two',
    0.5,
    /20 points apart \(95% interval 8\.\d to 30\.\d; adjusted p 0\.001\); this interval is of the two groups, that over all pairs .* is 0 to 50\.$/,
  ],
  [
    'the largest is of others',
    0.3,
    /20 points apart .*; these two of 3 groups differ most clearly, and the largest difference can be chance: 32 points higher for north \(62%, n = 150\) than for isles \(30%, n = 12\), .* interval 0 to 50 over all pairs at once\.$/,
  ],
])('two large groups that the test finds apart are named where a small one widens the interval: %s', (_, isles, text) => {
  const intervals = { north: [0.54, 0.694], south: [0.344, 0.5], isles: [isles - 0.25, isles + 0.25] } as const;
  const three = (
    [
      ['isles', isles, 12],
      ['north', 0.62, 150],
      ['south', 0.42, 150],
    ] as const
  ).map(([name, selected, n]) => {
    const [low, high] = intervals[name];
    return { ...group('region', name, selected, n), measures: [{ ...rate('selection_rate', selected, n), low, high }] };
  });
  const wide = difference('region', 0.2, 0.001);
  const measures = wide.measures.map((each) => ({ ...each, value: 0.62 - Math.min(isles, 0.42), low: 0, high: 0.5 }));
  const arms = [{ arm: 'model', kind: 'arm', groups: three, intersections: [], fairness: [{ ...wide, measures }] }];
  const report = { arms, positive: 'YES', resampling: { resamples: 2000 } } as unknown as StatsReport;
  const [shown, ...more] = fairnessFinding(report);
  expect(more).toEqual([]);
  expect(`${shown?.lines.join()}.`).toMatch(text);
});

test('over a part no difference is shown, however small its p', () => {
  const parts = fairnessFinding({ ...reportOf('model'), part: 'truth YES' });
  const said = parts.flatMap(({ heading, lines }) => [heading, ...lines]).join(' ');
  expect(said).toContain('region: share YES 50 points higher for north (70%, n = 40) than for south (20%, n = 30)');
  expect(said).toContain('How far groups are apart in this part');
  expect(said).not.toMatch(/chance|No difference/);
});

test('with replicates a group has its cases, which the rule is about, and its trials', () => {
  const twice = (attribute: string, value: string, selected: number, n: number) => ({
    ...{ attribute, value, n },
    measures: [{ ...rate('selection_rate', selected, n), cases: n / 2 }],
  });
  const replicated = [twice('town', 'Mill', 0.5, 24), twice('town', 'Upper', 0.25, 28), twice('town', 'Harbour', 0.5, 12)];
  const few = [twice('age', 'old', 0.5, 12), twice('age', 'young', 0, 6)];
  const of = { ...difference('town', 0.25, 0.04), left_out: ['Harbour'] };
  const wide = { ...of, measures: of.measures.map((each) => ({ ...each, low: 0 })) };
  const own = { ...arm('model'), groups: [...replicated, ...few], fairness: [wide, difference('age', null, null)] };
  const [unshown, lacking] = fairnessFinding({ ...reportOf(), arms: [own] } as unknown as StatsReport);
  expect(unshown?.lines).toEqual([
    'town: share YES 25 points higher for Mill (50%, 12 cases, 24 trials) than for Upper (25%, 14 cases, 28 trials), left out as too small: Harbour (6 cases, 12 trials), interval 0 to 35 (adjusted p 0.040, but the interval reaches 0)',
  ]);
  expect(lacking?.lines).toEqual([
    'age: fewer than two groups have 10 cases (share YES old (6 cases, 12 trials), young (3 cases, 6 trials))',
  ]);
});

test('no adjusted p is shown before the intervals of all arms are there', () => {
  const report = reportOf('one', 'two');
  const early = report.arms.map((each, place) =>
    place === 0 ? each : { ...each, fairness: [{ ...difference('region', null, null), measures: [{ why_null: toCome }] }] },
  ) as unknown as StatsReport['arms'];
  const parts = fairnessFinding({ ...report, arms: early });
  expect(parts).toEqual([{ heading: 'Whether groups differ is shown once all arms are computed.', lines: [] }]);
});

test('groups that cannot be compared are named once for all arms, and differences with their arm', () => {
  const [shown, , lacking] = fairnessFinding(reportOf('one', 'two'));
  expect(shown?.heading).toContain(
    'corrected for 6 comparisons of groups (4 columns or pairs of columns, 2 arms; 2 of the 8 are not tested)',
  );
  expect(shown?.lines.map((line) => line.split(':')[0])).toEqual([
    'region, one',
    'region, two',
    'region × sex, one',
    'region × sex, two',
  ]);
  expect(lacking?.lines).toEqual(['age: fewer than two groups have 10 cases (share YES old (n = 4), young (n = 5))']);
});

describe('the largest difference of each rate', () => {
  const rates = ['true_positive_rate', 'false_positive_rate'] as const;
  const overOf = { true_positive_rate: 'truly-positive', false_positive_rate: 'truly-negative' } as const;
  const both = (name: string, ...ends: readonly [number, number]) =>
    ends.map((value, place) => ({
      ...{ attribute: name, value: `${name} ${place}`, n: 40 },
      measures: rates.map((of) => ({ name: of, over: overOf[of], value, n: 20 + place, cases: 20 + place })),
    }));
  const apart = (attribute: string, value: number | null, p: number | null) => ({
    attribute,
    left_out: value === null ? [] : ['few'],
    measures: rates.map((of) => ({
      ...{ name: `${of}_difference`, over: 'decided', level: 0.95, value, p },
      ...(value === null ? { low: null, high: null } : { low: Math.max(0, value - 0.1), high: value + 0.1 }),
    })),
  });
  const of = (...fairness: ReturnType<typeof apart>[]) => {
    const groups = [...both('sex', 0.3, 0.4), ...both('region', 0.2, 0.7), ...both('sex × region', 0, 1)];
    const arms = [{ arm: 'model', base_arm: null, groups: groups.slice(0, 4), intersections: groups.slice(4), fairness }];
    return largestDifferenceTexts({ arms, positive: 'YES' } as unknown as StatsReport);
  };

  test('has both ends, its range, for how many comparisons it is corrected, and which groups are too few', () => {
    const texts = of(apart('sex', 0.1, 0.6), apart('region', 0.5, 0.001), apart('sex × region', 1, 0.001));
    expect(texts).toEqual([
      'Where the truth is YES, model missed it, that is, answered otherwise, in 80% for region = region 0 (n = 20) and 30% for region = region 1 (n = 21), left out as too small: few (n = 0): 50 points apart, probably 40 to 60; chance does not explain it, corrected for 6 comparisons of groups. The other differences can be chance.',
      expect.stringMatching(/^Where the truth is not YES, .* 50 points apart/),
    ]);
    expect(of(apart('sex', 0.1, 0.6))[0]).toMatch(/10 points apart, probably 0 to 20; this can be chance/);
  });

  test('is one that chance does not explain, also where a larger one can be chance', () => {
    expect(of(apart('sex', 0.1, 0.6), apart('region', 0.5, 0.4))[0]).toMatch(
      /in 80% for region = .* 50 points apart.*; this can be chance/,
    );
    const [text] = of(apart('sex', 0.2, 0.001), apart('region', 0.5, 0.4));
    expect(text).toMatch(
      /in 70% for sex = .* 20 points apart, probably 10 to 30; chance does not explain it, corrected for 4 comparisons of groups\. Larger differences were seen, but they can be chance\./,
    );
  });

  test('names all that chance does not explain, of many three, and how many groups are too few', () => {
    const [both] = of(apart('sex', 0.2, 0.001), apart('region', 0.5, 0.001));
    expect(both).toMatch(
      /missed it, that is, answered otherwise, in 80% for region = .*; model missed it, in 70% for sex = .* 20 points apart, probably 10 to 30; chance does not explain these, corrected for 4 comparisons of groups\.$/,
    );
    const many = ['sex', 'region', 'sex', 'region', 'sex'].map((column) => apart(column, 0.5, 0.001));
    expect(of(...many)[0]).toMatch(/; 2 more: see “Finding”; chance does not explain these, corrected/);
    expect(of(apart('sex', 0.2, 0.001), apart('region', null, null))[0]).toMatch(
      /chance does not explain it, corrected for 2 comparisons of groups\. Of 4 groups, 2 have too few cases for this\.$/,
    );
  });

  test('of the decisions themselves only what chance does not explain is said, before the errors', () => {
    const named = (p: number) => {
      const arms = [{ arm: 'model', base_arm: null, groups: groups.slice(0, 3), fairness: [difference('region', 0.5, p)] }];
      return largestDifferenceTexts({ arms, positive: 'YES' } as unknown as StatsReport);
    };
    expect(named(0.001)).toEqual([
      'model answered YES in 70% for region = north (n = 40) and 20% for region = south (n = 30), the highest and the lowest of 3 groups: 50 points apart, probably 40 to 60; chance does not explain it.',
    ]);
    expect(named(0.4)).toEqual([]);
  });

  test('is absent where there are too few cases, or no groups', () => {
    expect(of(apart('sex', null, null))[0]).toBe(
      'Where the truth is YES: too few to say whether groups were answered YES equally often.',
    );
    expect(of()).toEqual([]);
  });
});

test('a difference that no arm has in any column of the data has no column in the table', () => {
  const rates = (value: number | null) =>
    [
      difference('region', 0.5, 0.01),
      { measures: [{ ...rate('equalized_odds_difference', 0, 20), value }] },
    ] as unknown as Parameters<typeof tellingColumns>[1];
  const titles = (value: number | null) => tellingColumns(groupDifferences, rates(value)).map(([, , title]) => title);
  expect(titles(null)).toEqual(['demographic parity']);
  expect(titles(0.1)).toEqual(['demographic parity', 'equalised odds']);
});

test('the groups in which an arm is right least often are named first, of those with enough cases', () => {
  const group = (value: string, share: number, cases = 20) => ({
    ...{ attribute: 'sex', value, n: cases, counts: null },
    measures: [{ name: 'accuracy', over: 'all', value: share, n: cases, cases }],
  });
  const arm = (name: string, ...groups: object[]) => ({ arm: name, base_arm: null, groups });
  const arms = [
    arm('court', group('m', 0.5), group('f', 0.75), group('d', 0, 1)),
    arm('even', group('m', 0.5), group('f', 0.5)),
    arm('tied', group('m', 0.3), group('f', 0.75), group('d', 0.1 + 0.2, 30)),
  ];
  const report = { arms, positive: null, column_titles: {}, resampling: { resamples: 9 } } as unknown as StatsReport;
  expect(groupFindings(report)[0]?.lines).toEqual([
    'court: sex = m (50%, n = 20)',
    'tied: sex = m (30%, n = 20), sex = d (30%, n = 30)',
  ]);
});
