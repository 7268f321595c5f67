import { expect, test } from 'vitest';
import reference from '../../../../docs/reference/values/population.json' with { type: 'json' };
import { expectAgreement } from '../agreement.fixture.ts';
import { estimates } from './estimates.ts';
import { prevalenceMeasures } from './prevalenceMeasures.ts';
import { drawing, trial, valuesOf } from './trials.fixture.ts';
import { casedTrials, type MeasuredTrial } from './trials.ts';
import { weightedMeasures } from './weightedMeasures.ts';

const label = (place: number) => (place === 1 ? 'YES' : 'NO');
const trialsOf = ({ truth, prediction, weight }: (typeof reference.sets)[number]): MeasuredTrial[] =>
  prediction.map((given, index) =>
    trial(`c${index}`, {
      truth: label(truth[index] ?? 0),
      weight: weight[index],
      ...(given < 0 ? { outcome: 'timeout', prediction: null } : { prediction: label(given) }),
    }),
  );

test.each(reference.sets)('scikit-learn with sample_weight, and at another prevalence: $name', (set) => {
  const trials = casedTrials(trialsOf(set));
  const found = valuesOf(weightedMeasures(trials, 'YES'));
  const { accuracy_all, accuracy_decided, ...rates } = set.weighted;
  expectAgreement(found['weighted_accuracy all']?.value ?? null, accuracy_all);
  expectAgreement(found['weighted_accuracy decided']?.value ?? null, accuracy_decided);
  for (const [name, expected] of Object.entries(rates)) {
    const own = Object.entries(found).find(([key]) => key.startsWith(`weighted_${name} `))?.[1];
    expectAgreement(own?.value ?? null, expected);
  }
  for (const { prevalence, ...expected } of set.at) {
    const measures = valuesOf(prevalenceMeasures(trials, 'YES', prevalence));
    for (const [name, value] of Object.entries(expected)) {
      expectAgreement(measures[`${name} decided YES`]?.value ?? null, value);
    }
  }
});

test('replicates of a case share its weight, cases without one are left out, and the interval is drawn', () => {
  const twice = [trial('a', { weight: 2 }), trial('a', { weight: 2, prediction: 'YES' }), trial('b', { weight: 1 }), trial('c')];
  const [all] = weightedMeasures(casedTrials(twice), null);
  if (all === undefined) throw new Error('no measure');
  // (2 / 2 + 1) / 3.
  const [drawn] = estimates([all], drawing(500));
  expect(drawn).toMatchObject({ value: expect.closeTo(2 / 3, 12), n: 3, cases: 2, resamples: 500 });
  expect(drawn?.interval_method).not.toBe('wilson');
  expect(weightedMeasures(casedTrials([trial('c')]), 'YES')).toEqual([]);
});
