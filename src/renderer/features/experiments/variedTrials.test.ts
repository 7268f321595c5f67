import { expect, test } from 'vitest';
import type { TrialView } from '../../../shared/api/trials.ts';
import { sizeText, suiteText, type TriedTrial } from './variedTrials.ts';

const fact = { name: 'text', value: 'It rained.' };
const trialWith = (view: Pick<TrialView, 'facts' | 'params'>, roles: readonly string[]) =>
  ({ view: { ...view, cast: roles.map((role) => ({ role })) }, speeches: new Map([['turn-1/defense', 'Defense']]) }) as never;
const debate: TriedTrial = trialWith({ facts: [fact, { ...fact, name: 'age' }], params: { turns: 3 } }, ['prosecutor', 'judge']);
const alone: TriedTrial = trialWith({ facts: [fact], params: {} }, ['predictor']);

test('of one trial the suite names only what it can change', () => {
  expect(suiteText(debate)).toBe(suiteText(null));
  expect(suiteText(debate)).toMatch(/another order of the facts.*an advocate who misleads and a shorter and a longer debate\./);
  expect(suiteText(alone)).toBe(
    'Typing errors in the facts, the question in other words and a planted instruction. None should change the verdict.',
  );
});

test.each([
  [{ trials: 8, arms: 8, cases: 1, replicates: 1, unchanged: 1 }, '8 trials: this one unchanged, and 7 changes'],
  [{ trials: 1, arms: 1, cases: 1, replicates: 1, unchanged: 0 }, '1 trial: 1 change'],
  [
    { trials: 12, arms: 6, cases: 2, replicates: 1, unchanged: 2 },
    '12 trials: 2 arms unchanged, and 4 changes, each over 2 cases',
  ],
  [{ trials: 60, arms: 10, cases: 3, replicates: 2, unchanged: 0 }, '60 trials: 10 changes, each over 3 cases, each 2 times'],
])('it is said exactly what would run: %j', (size, text) => {
  expect(sizeText(size)).toBe(text);
});
