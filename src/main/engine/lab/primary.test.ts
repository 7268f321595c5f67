import { expect, test } from 'vitest';
import { experimentSchema } from '../../../shared/experiment.ts';
import type { Dataset } from '../datasets/dataset.ts';
import type { PreparedExperiment } from './preparedArm.ts';
import { refuseUnfitMeasure, refuseUnfitPrimary, showable } from './primary.ts';

const arm = (name: string) => ({ name, protocol: 'single', cast: { '*': { model: 'm' } } });
const experimentWith = (decided: Record<string, unknown>) =>
  experimentSchema.parse({ version: 1, name: 'x', dataset: { path: 'x.csv' }, arms: [arm('court'), arm('alone')], ...decided });
const fail = (message: string, at: readonly (string | number)[]) => new Error(`${at.join('.')}: ${message}`);

const compare = ['court', 'alone'];

test.each([
  [
    { primary: { compare: ['cort', 'alone'] } },
    /^primary\.compare\.0: there is no arm "cort"; the arms are "court", "alone"; an imported arm cannot be named/,
  ],
  [{ primary: { compare: ['court', 'majority'] } }, /^primary\.compare\.1: there is no arm "majority".*"baseline:majority"$/],
  [{ primary: { compare: ['court', 'baseline:stratified-random'] } }, /^primary\.compare\.1: .*there are baseline:majority,/],
  [{ primary: { compare: ['court', 'court'] } }, /^primary\.compare\.1: the same arm is named twice/],
  [{ primary: { compare, test: 'equivalence' } }, /^primary\.test: this test needs "margin"/],
  [{ primary: { compare, margin: 0.05 } }, /^primary\.margin: the test of a difference has no margin/],
  [{ stop: { width: 0.1 } }, /^stop: .*add "primary"/],
  [{ primary: { compare, measure: 'brier' }, stop: { width: 0.1 } }, /^stop: .*accuracy of two arms/],
  [{ primary: { compare: ['court', 'baseline:majority'] }, stop: { width: 0.1 } }, /^stop: .*accuracy of two arms/],
  [{ primary: { compare }, stop: { width: 0.1 }, runtime: { order: 'as-written' } }, /^runtime\.order: .*side by side/],
])('%j is refused with its place and what would be right', (decided, message) => {
  expect(() => refuseUnfitPrimary(experimentWith(decided), fail)).toThrow(message);
});

test.each([0, -0.05, 1.5])('a margin of %d is refused by the schema', (margin) => {
  expect(() => experimentWith({ primary: { compare, test: 'equivalence', margin } })).toThrow(/margin/);
});

test.each([
  ['no truth', 'accuracy', { truth: null }, {}, /^primary: no case on trial has a known truth/],
  [
    'several labels',
    'log_loss',
    { truth: ['a'] },
    { multiLabel: true },
    /^primary\.measure: .*they allow accuracy, macro_f1, brier$/,
  ],
])('of cases with %s, %s is refused', (_name, measure, kase, terms, message) => {
  const data = {
    sample: ['1'],
    cases: [{ id: '1', ...kase }],
    labels: ['a', 'b'],
    multiLabel: false,
    ...terms,
  } as unknown as Dataset;
  const prepared = {
    experiment: experimentWith({ primary: { compare, measure } }),
    file: { error: fail },
  } as unknown as PreparedExperiment;
  expect(() => refuseUnfitMeasure(prepared, data)).toThrow(message);
});

test.each([
  [24, {}, 'with 24 cases, if in three of ten only one of the two is right, even 30 points, the largest difference'],
  // The exact power of 100 cases at 5%; of the normal approximation it would be 15.3.
  [100, {}, 'only one of the two is right, a difference of 15.9 points would be found four times in five'],
  [100, { family: 5 }, 'a difference of 18.7 points'],
  [100, { measure: 'brier' }, null],
  [
    100,
    { test: 'non-inferiority', margin: 0.1 },
    'non-inferiority with a margin of 10 points would be shown four times in five with about 236',
  ],
  [
    100,
    { test: 'equivalence', margin: 0.1 },
    /^equivalence .* with about 316 cases, .* each as often as the other; there are 100 cases$/,
  ],
  [100, { measure: 'brier', test: 'equivalence', margin: 0.1 }, null],
  [100, { stop: { width: 0.1 } }, null],
  [100, { test: 'non-inferiority', margin: 0.1, stop: { width: 0.1 } }, null],
])('of %d cases and %j a plan says what they can show', (cases, { stop, ...decided }: Record<string, unknown>, said) => {
  const ids = Array.from({ length: cases + 1 }, (_, place) => `c${place}`);
  const data = { sample: ids, cases: ids.map((id, place) => ({ id, truth: place === cases ? null : 'a' })) };
  const experiment = experimentWith({ primary: { compare, ...decided }, stop });
  const found = showable({ experiment } as unknown as PreparedExperiment, data as unknown as Dataset);
  expect(found).toEqual(
    said === null
      ? []
      : [
          expect.objectContaining({
            about: 'primary',
            text: typeof said === 'string' ? expect.stringContaining(said) : expect.stringMatching(said),
          }),
        ],
  );
});
