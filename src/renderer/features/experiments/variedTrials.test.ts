import { expect, test } from 'vitest';
import type { TrialView } from '../../../shared/api/trials.ts';
import { mostTrials, type TriedTrial, unfitInSuite, usual } from './variedTrials.ts';

const fact = { name: 'text', value: 'It rained.' };
const trialWith = (view: Pick<TrialView, 'facts' | 'params'>, roles: readonly string[]) =>
  ({ view: { ...view, cast: roles.map((role) => ({ role })) }, speeches: new Map([['turn-1/defense', 'Defense']]) }) as never;
const debate: TriedTrial = trialWith({ facts: [fact, { ...fact, name: 'age' }], params: { turns: 3 } }, ['prosecutor', 'judge']);
const alone: TriedTrial = trialWith({ facts: [fact], params: {} }, ['predictor']);

test('what the suite cannot change in a trial is named, and not counted among its trials', () => {
  expect(unfitInSuite(debate)).toEqual([]);
  expect(unfitInSuite(alone).map(({ what }) => what)).toEqual([
    'another order of the facts',
    'an advocate who misleads',
    'a shorter and a longer debate',
  ]);
  // The trial itself, 3 other seeds, 7 changes of the suite.
  expect(mostTrials(debate, usual)).toBe(11);
  expect(mostTrials(alone, usual)).toBe(7);
  expect(mostTrials(debate, { ...usual, isWithheld: true, leftOut: 'leave-out=1', model: 'other' })).toBe(11 + 4 + 2 + 1);
  expect(mostTrials(debate, { ...usual, isSuite: false, seeds: 0, speech: 'turn-1/defense', words: 'Other words.' })).toBe(2);
});
