import { expect, test } from 'vitest';
import { countOf } from '../../figures/measureScale.ts';
import { answeredFrom } from '../riskCoverage.ts';
import { accuracyMeasures } from './accuracyMeasures.ts';
import { armMeasures, planArm } from './armMeasures.ts';
import { declining, decliningMeasures, plannedConformal } from './decliningMeasures.ts';
import { drawing, trial, valuesOf } from './trials.fixture.ts';
import { casedTrials, type MeasuredTrial } from './trials.ts';

const labels = ['NO', 'YES'];
/** A verdict NO, right or wrong, with a confidence; none of it has failed. */
const sure = (id: string, confidence: number | null, isRight: boolean): MeasuredTrial =>
  confidence === null
    ? trial(id, { outcome: 'timeout', prediction: null })
    : trial(id, { confidence, truth: isRight ? 'NO' : 'YES', belief: { NO: confidence, YES: 1 - confidence } });

test('failures are declined at every threshold: coverage is of all finished trials', () => {
  const trials = casedTrials([
    sure('a', 0.9, true),
    sure('b', 0.9, true),
    sure('c', 0.8, false),
    sure('d', 0.7, true),
    sure('e', null, false),
    trial('f', { truth: null, confidence: 0.99 }),
  ]);
  expect(declining(trials)).toEqual({
    finished: 5,
    answerable: 4,
    curve: [
      { least_confidence: 0.9, n: 2, coverage: 0.4, risk: 0 },
      { least_confidence: 0.8, n: 3, coverage: 0.6, risk: 1 / 3 },
      { least_confidence: 0.7, n: 4, coverage: 0.8, risk: 1 / 4 },
    ],
  });
  const found = valuesOf(decliningMeasures(trials));
  expect(found['accuracy_at_coverage_50 answered']).toMatchObject({ value: expect.closeTo(2 / 3, 12), n: 3, cases: 3 });
  expect(found['accuracy_at_coverage_80 answered']).toMatchObject({ value: 0.75, n: 4 });
  const from = (name: string, n: number) => answeredFrom({ declining: declining(trials) }, { name, n });
  expect([from('accuracy_at_coverage_50', 3), from('accuracy_at_coverage_80', 4), from('recall', 3)]).toEqual([
    0.8,
    0.7,
    undefined,
  ]);
  expect(found['accuracy_at_coverage_90 answered']).toMatchObject({
    value: null,
    why_null: 'only 4 of 5 trials have a verdict and a confidence',
  });
  expect(found['area_under_risk_coverage stated']?.value).toBeCloseTo((0 + 0 + 1 / 3 + 1 / 4) / 4, 12);
  expect(found['excess_area_under_risk_coverage stated']?.value).toBeCloseTo((0 + 0 + 1 / 3 + 1 / 4) / 4 - 1 / 16, 12);
});

test('an arm is asked how often it is right from 90% on, or where it is surest; each case weighs the same', () => {
  const whenSure = (...trials: MeasuredTrial[]) =>
    valuesOf(decliningMeasures(casedTrials(trials)))['accuracy_when_sure answered'];
  const below = [sure('c', 0.8, false), sure('d', 0.7, true), sure('e', null, false)];
  expect(whenSure(sure('a', 0.9, true), sure('b', 0.95, false), ...below)).toMatchObject({ value: 0.5, n: 2, cases: 2 });
  expect(whenSure(...below)).toMatchObject({ value: 0, n: 1, cases: 1 });
  const twice = [sure('a', 0.9, true), sure('a', 1 - 0.1, true), sure('b', 0.92, false), sure('b', 0.5, true)];
  expect(whenSure(...twice)).toMatchObject({ value: expect.closeTo(2 / 3, 12), n: 3, cases: 2 });
  expect(whenSure(sure('a', null, false))?.value).toBeNull();
});

test('a share has a count only where all cases have as many trials', () => {
  const tried = (id: string, times: number, isRight: boolean) => Array.from({ length: times }, () => sure(id, 0.95, isRight));
  const six = [...'abcdef'];
  const countsOf = (trials: MeasuredTrial[]) => {
    const found = valuesOf([...accuracyMeasures(casedTrials(trials)), ...decliningMeasures(casedTrials(trials))]);
    return ['accuracy all', 'accuracy_when_sure answered'].map((name) => {
      const measure = found[name];
      return [measure?.value, measure?.n, measure && countOf(measure)];
    });
  };
  const uneven = six.flatMap((id) => [...tried(id, 3, true), ...tried(`${id} once`, 1, false)]);
  expect(countsOf(uneven)).toEqual([0, 1].map(() => [0.5, 24, null]));
  const even = six.flatMap((id) => [...tried(id, 2, true), ...tried(`${id} twice`, 2, false)]);
  expect(countsOf(even)).toEqual([0, 1].map(() => [0.5, 24, 12]));
});

test('an arm is asked how often it is right from each level on; where it never is so sure, that is not known', () => {
  const found = valuesOf(
    decliningMeasures(casedTrials([sure('a', 0.8, true), sure('b', 0.7, false), sure('c', 0.6, true), sure('d', 0.5, false)])),
  );
  const at = (level: number) => found[`accuracy_when_sure_${level} answered`];
  expect([60, 70, 80].map((level) => [at(level)?.value, at(level)?.n])).toEqual([
    ...[
      [expect.closeTo(2 / 3, 12), 3],
      [0.5, 2],
      [1, 1],
    ],
  ]);
  expect(at(90)).toMatchObject({ value: null, n: 0, why_null: expect.stringContaining('of at least 90%') });
});

test('a long curve is thinned out, its end included', () => {
  const many = Array.from({ length: 1500 }, (_, index) => sure(`c${index}`, (index + 1) / 2000, index % 3 > 0));
  const found = declining(casedTrials(many));
  expect(found?.curve.length).toBeLessThanOrEqual(200);
  expect(found?.curve.at(-1)).toMatchObject({ n: 1500, coverage: 1 });
});

/** Beliefs that say how often they are right, each case tried `times` times. */
function honest(cases: number, times = 1): MeasuredTrial[] {
  return Array.from({ length: cases * times }, (_, index) => {
    const id = Math.floor(index / times);
    const confidence = 0.5 + ((id * 7) % 50) / 100;
    return sure(`c${id}`, confidence, ((id * 13) % 100) / 100 < confidence);
  });
}

test('sets are tried on cases that they were not made from, and hold the truth as often as is promised', () => {
  const trials = casedTrials(honest(2000, 2));
  const found = plannedConformal(trials, labels);
  expect(found?.about).toMatchObject({ alpha: 0.1, calibrated_on: 1000, held_out: 1000, why_null: null });
  const of = valuesOf(found?.measures ?? []);
  expect(of['conformal_coverage held-out']).toMatchObject({ n: 2000, cases: 1000 });
  expect(of['conformal_coverage held-out']?.value).toBeGreaterThan(0.88);
  expect(of['conformal_coverage held-out']?.value).toBeLessThan(0.93);
  const share = (name: string) => of[`${name} held-out`]?.value ?? Number.NaN;
  expect(share('conformal_one_label') + 2 * share('conformal_all_labels')).toBeCloseTo(share('conformal_set_size'), 12);
  // The lot is of the ids: neither the order of the trials nor another arm's changes it.
  const turned = plannedConformal(casedTrials(honest(2000, 2).toReversed()), labels);
  expect(turned?.about.least_probability).toBe(found?.about.least_probability);
});

test('a named calibration set leaves all cases to be tried, and is what the guarantee is about', () => {
  const own = casedTrials(honest(400));
  const other = honest(1000, 2).map((each) => ({ ...each, case: `other ${each.case}` }));
  const found = plannedConformal(own, labels, { experiment: 'validation', trials: other });
  expect(found?.about).toMatchObject({ calibrated_in: 'validation', calibrated_on: 1000, held_out: 400, why_null: null });
  expect(found?.about.guarantee).toContain('drawn as those of validation were');
  const coverage = valuesOf(found?.measures ?? [])['conformal_coverage held-out'];
  expect(coverage).toMatchObject({ n: 400, cases: 400 });
  expect(coverage?.value).toBeGreaterThan(0.86);
  // The threshold is of the other cases alone.
  const fewer = plannedConformal(casedTrials(honest(40)), labels, { experiment: 'validation', trials: other });
  expect(fewer?.about.least_probability).toBe(found?.about.least_probability);
  expect(plannedConformal(own, labels, { experiment: 'validation', trials: other.slice(0, 16) })?.about.why_null).toBe(
    'calibration on the cases of validation needs at least 9 of them with a belief, and has 8',
  );
});

test('with too few cases there is no set, and the report says why', () => {
  const { conformal, measures } = armMeasures(
    planArm(honest(16), { labels, positive: 'YES', multiLabel: false, groups: [] }),
    drawing(0),
  );
  expect(conformal).toMatchObject({
    least_probability: null,
    guarantee: null,
    why_null: 'calibration on half of the cases needs at least 9 of them with a belief, and has 8',
  });
  expect(measures.some(({ name }) => name.startsWith('conformal'))).toBe(false);
});
