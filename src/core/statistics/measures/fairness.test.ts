import { expect, test } from 'vitest';
import reference from '../../../../docs/reference/values/fairness.json' with { type: 'json' };
import { tooFewText } from '../../telling/groupTables.ts';
import { expectAgreement } from '../agreement.fixture.ts';
import { armMeasures, planArm } from './armMeasures.ts';
import { estimates } from './estimates.ts';
import { plannedFairness } from './fairness.ts';
import { plannedGroups } from './groups.ts';
import { drawing, trial, valuesOf } from './trials.fixture.ts';
import { casedTrials, type MeasuredTrial } from './trials.ts';

const label = (place: number) => (place === 1 ? 'YES' : 'NO');
const trialsOf = ({ truth, prediction, group }: (typeof reference.sets)[number]): MeasuredTrial[] =>
  prediction.map((given, index) =>
    trial(`c${index}`, {
      truth: label(truth[index] ?? 0),
      groups: { sex: group[index] ?? '' },
      ...(given < 0 ? { outcome: 'timeout', prediction: null } : { prediction: label(given) }),
    }),
  );
const kinds = [
  ['decided', 'decided'],
  ['finished', 'declined'],
] as const;

test.each(reference.sets)('Fairlearn, over the decided and with failures as not selected: $name', (set) => {
  const trials = trialsOf(set);
  const found = valuesOf(plannedFairness(casedTrials(trials), 'sex', 'YES').measures);
  const { groups } = plannedGroups(trials, ['sex'], { labels: ['NO', 'YES'], positive: 'YES' });
  for (const name of ['true_positive_rate', 'false_positive_rate'] as const) {
    const rates = Object.values(set.expected.decided.by_group).map((each) => each[name]);
    const { value = null } = found[`${name}_difference decided YES`] ?? {};
    expectAgreement(value, Math.max(...rates) - Math.min(...rates));
  }
  for (const [over, kind] of kinds) {
    const expected = set.expected[kind];
    for (const name of ['demographic_parity', 'equalized_odds'] as const) {
      expectAgreement(found[`${name}_difference ${over} YES`]?.value ?? null, expected[`${name}_difference`]);
      expectAgreement(found[`${name}_ratio ${over} YES`]?.value ?? null, expected[`${name}_ratio`]);
    }
    for (const { value, measures } of groups) {
      const own = valuesOf(measures);
      const rates = Object.entries(expected.by_group).find(([group]) => group === value)?.[1];
      const prefix = over === 'decided' ? '' : 'finished-';
      expectAgreement(own[`selection_rate ${over} YES`]?.value ?? null, rates?.selection_rate ?? null);
      expectAgreement(own[`true_positive_rate ${prefix}truly-positive YES`]?.value ?? null, rates?.true_positive_rate ?? null);
      expectAgreement(own[`false_positive_rate ${prefix}truly-negative YES`]?.value ?? null, rates?.false_positive_rate ?? null);
      expectAgreement(own['positive_predictive_value selected YES']?.value ?? null, rates?.positive_predictive_value ?? null);
    }
  }
});

test('an arm that declines one group alone looks equal over the decided and is not', () => {
  const trials = ['f', 'm'].flatMap((sex) =>
    Array.from({ length: 40 }, (_, index) => {
      const declined = sex === 'f' && index % 2 === 0;
      const given = { groups: { sex }, truth: index % 4 < 2 ? 'YES' : 'NO', prediction: index % 4 < 2 ? 'YES' : 'NO' };
      return trial(`${sex}${index}`, declined ? { ...given, outcome: 'truncated', prediction: null } : given);
    }),
  );
  const { measures, leftOut } = plannedFairness(casedTrials(trials), 'sex', 'YES');
  const drawn = estimates(measures, drawing(500));
  const of = (name: string, over: string) => drawn.find((each) => each.name === name && each.over === over);
  expect(of('demographic_parity_difference', 'decided')?.value).toBeCloseTo(0, 12);
  expect(of('demographic_parity_difference', 'finished')?.value).toBeCloseTo(0.25, 12);
  expect(of('equalized_odds_difference', 'finished')?.value).toBeCloseTo(0.5, 12);
  expect(of('failure_rate_difference', 'finished')).toMatchObject({
    value: 0.5,
    n: 80,
    cases: 80,
    interval_method: 'percentile',
  });
  expect(of('failure_rate_difference', 'finished')?.low).toBeGreaterThan(0.3);
  // Over the decided trials the groups do not differ: the interval holds 0, which resamples of a largest difference hardly do.
  expect(of('demographic_parity_difference', 'decided')).toMatchObject({ low: 0 });
  expect(of('demographic_parity_difference', 'decided')?.high).toBeGreaterThan(0.1);
  expect(of('demographic_parity_ratio', 'decided')).toMatchObject({ value: expect.closeTo(1, 12), high: 1 });
  expect(leftOut).toEqual([]);
});

test('a group with fewer than ten cases in a denominator is too few to say', () => {
  const trials = [
    ...Array.from({ length: 30 }, (_, index) => trial(`a${index}`, { groups: { sex: 'f' }, truth: index % 2 ? 'YES' : 'NO' })),
    ...Array.from({ length: 9 }, (_, index) => trial(`b${index}`, { groups: { sex: 'm' } })),
  ];
  const { measures, leftOut, tooFew } = plannedFairness(casedTrials(trials), 'sex', 'YES');
  expect(leftOut).toEqual(['m']);
  expect(tooFew).toHaveLength(7);
  for (const each of Object.values(valuesOf(measures))) {
    expect(each).toMatchObject({ value: null, why_null: 'fewer than two groups have 10 cases that count' });
  }
});

test('a group that only one denominator has too few cases of is named with the difference that lacks it; erased cases are no group', () => {
  const trials = ['f', 'm'].flatMap((sex) =>
    Array.from({ length: 20 }, (_, index) => {
      const truth = index < (sex === 'f' ? 10 : 3) ? 'YES' : 'NO';
      return trial(`${sex}${index}`, { groups: { sex }, truth });
    }),
  );
  const gone = Array.from({ length: 12 }, (_, index) => trial(`gone${index}`, { groups: {} }));
  const erased = new Set(gone.map(({ case: id }) => id));
  const { leftOut, tooFew } = plannedFairness(casedTrials([...trials, ...gone]), 'sex', 'YES', erased);
  expect(leftOut).toEqual([]);
  const about = { name: 'equalized_odds_difference', groups: ['m'] };
  expect(tooFew).toEqual([
    { ...about, over: 'decided' },
    { ...about, over: 'finished' },
    { name: 'true_positive_rate_difference', groups: ['m'], over: 'decided' },
  ]);
  const attribute = { attribute: 'sex', left_out: [], too_few: tooFew.map((each) => ({ ...each, groups: [...each.groups] })) };
  expect(tooFewText({ ...attribute, measures: [] }, undefined)).toBe('sex m (equalised odds, true-positive rate)');
});

test('a difference that hides in both columns shows in their intersection', () => {
  const trials = ['a', 'b'].flatMap((race) =>
    ['f', 'm'].flatMap((sex) =>
      Array.from({ length: 20 }, (_, index) => {
        const given = (race === 'a') === (sex === 'f') ? 'YES' : 'NO';
        return trial(`${race}${sex}${index}`, { groups: { race, sex }, truth: index % 2 ? 'YES' : 'NO', prediction: given });
      }),
    ),
  );
  const terms = { labels: ['NO', 'YES'], positive: 'YES', multiLabel: false, groups: ['race', 'sex'] };
  const { groups, intersections = [], fairness = [] } = armMeasures(planArm(trials, terms), drawing(0));
  const parity = (attribute: string) =>
    fairness.find((each) => each.attribute === attribute)?.measures.find(({ name }) => name === 'demographic_parity_difference')
      ?.value;
  expect([parity('race'), parity('sex'), parity('race × sex')]).toEqual([0, 0, 1]);
  expect(groups.map(({ value }) => value)).toEqual(['a', 'b', 'f', 'm']);
  expect(intersections.map(({ attribute, value, n }) => [attribute, value, n])).toEqual(
    ['a × f', 'a × m', 'b × f', 'b × m'].map((value) => ['race × sex', value, 20]),
  );
});
