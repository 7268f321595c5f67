import { expect, test } from 'vitest';
import reference from '../../../docs/reference/values/recalibration.json' with { type: 'json' };
import { expectAgreement } from './agreement.fixture.ts';
import { brierDecomposition, debiasedCalibrationError } from './brierDecomposition.ts';
import { expectedCalibrationError } from './expectedCalibrationError.ts';
import { logisticRecalibration } from './logisticRecalibration.ts';

/** Trials of a case weigh 1 together. */
const material = (beliefs: readonly number[], outcomes: readonly boolean[], caseOf = [...beliefs.keys()]) => {
  const times = Map.groupBy(caseOf, (id) => id);
  return { beliefs, outcomes, caseOf, weights: caseOf.map((id) => 1 / (times.get(id)?.length ?? 1)) };
};

test.each(reference.sets)('statsmodels, coefficients and their errors over cases: $name', (set) => {
  const found = logisticRecalibration(
    material(
      set.belief,
      set.outcome.map((each) => each === 1),
      set.case,
    ),
  );
  for (const name of ['slope', 'intercept', 'inTheLarge'] as const) {
    const fit = found[name];
    if (typeof fit === 'string') throw new Error(`${name}: ${fit}`);
    expectAgreement(fit.value, set.expected[name].value);
    expectAgreement(fit.error, set.expected[name].error);
  }
});

test.each(reference.sets)('numpy and uncertainty-calibration, bins of beliefs: $name', (set) => {
  const { bins } = expectedCalibrationError(
    set.belief,
    set.outcome.map((each) => each === 1),
  );
  const parts = brierDecomposition(bins);
  for (const name of ['reliability', 'resolution', 'uncertainty', 'binned'] as const) {
    expectAgreement(parts?.[name] ?? null, set.expected[name]);
  }
  expectAgreement(debiasedCalibrationError(bins), set.expected.debiased);
});

test('what has no finite fit is named, and not a number', () => {
  const gaps = (beliefs: number[], outcomes: boolean[]) =>
    Object.values(logisticRecalibration(material(beliefs, outcomes))).map((fit) => (typeof fit === 'string' ? fit : 'fit'));
  expect(gaps([0.2, 0.6, 0.9], [true, true, true])).toEqual(['one-outcome', 'one-outcome', 'one-outcome']);
  expect(gaps([0.2, 0.6, 0.9], [false, true, true])).toEqual(['fit', 'separated', 'separated']);
  // Equal at the threshold: still no maximum.
  expect(gaps([0.2, 0.6, 0.6, 0.9], [true, true, false, false])).toEqual(['fit', 'separated', 'separated']);
  expect(gaps([0.7, 1 - 0.3, 0.7], [true, false, true])).toEqual(['fit', 'no-slope', 'no-slope']);
  expect(gaps([0, 1, 1, 0], [true, false, true, false])).toEqual(['no-slope', 'no-slope', 'no-slope']);
  // Far from the start: the step is shortened and does not run away.
  const far = logisticRecalibration(material([0.001, 0.999, 0.001, 0.999, 0.5, 0.5], [true, false, true, false, true, false]));
  expect(far.inTheLarge).toMatchObject({ value: expect.closeTo(0, 9) });
});
