import { expect, test } from 'vitest';
import type { ExperimentView } from '../../../shared/api/experiments.ts';
import type { Change } from '../../../shared/changes.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { changeOutside, groupColumnsOf, groupsOf } from './groupColumns.ts';

const change = (rest: Record<string, unknown>) => ({ of: 'all', ...rest }) as Change;
const view = {
  definition: { dataset: { groups: ['district', 'age_group'] } } as unknown as ExperimentView['definition'],
  arms: [
    { name: 'all', change: null },
    { name: 'without photo', change: change({ kind: 'facts', facts: { photo: null } }) },
    { name: 'without district', change: change({ kind: 'facts', facts: { district: null, photo: null } }) },
    { name: 'moved', change: change({ kind: 'facts', facts: { district: 'Mill Row' } }) },
    { name: 'young', change: change({ kind: 'attribute', attribute: 'Age', to: { old: 'young' } }) },
    { name: 'noise', change: change({ kind: 'noise' }) },
  ],
};

test.each([
  ['all', true, ['Kiln Lane', '–']],
  ['without photo', true, ['Kiln Lane', '–']],
  ['without district', true, ['Kiln Lane → left out', '–']],
  ['without district', false, ['Kiln Lane', '–']],
  ['moved', true, ['Kiln Lane → Mill Row', '–']],
  ['young', true, ['Kiln Lane', '– → young']],
  ['noise', true, ['Kiln Lane', '–']],
])('in %s, where the change applies: %s, the groups are %j', (arm, applies, expected) => {
  const columns = groupColumnsOf(view, { age_group: 'Age' });
  expect(columns.map(({ title }) => title)).toEqual(['district', 'Age']);
  const line = {
    arm,
    groups: { district: 'Kiln Lane' },
    change: { applies, to: arm === 'young' ? 'young' : null } as TrialLine['change'],
  };
  expect(groupsOf(line, columns)).toEqual(expected);
});

test.each([
  [{ of: 'all', kind: 'attribute', attribute: 'insured', to: { no: 'yes' } } as const, true, 'insured no → yes'],
  [{ of: 'all', kind: 'facts', facts: { insured: 'yes', age: null } } as const, true, 'insured → yes, age → left out'],
  [{ of: 'all', kind: 'attribute', attribute: 'insured', to: { no: 'yes' } } as const, false, null],
  [{ of: 'all', kind: 'noise' } as const, true, null],
])('what %j changes is said where no column has it', (made, applies, text) => {
  const line = { change: { applies, from: 'no', to: 'yes' } as TrialLine['change'] };
  expect(changeOutside(line, [], made)).toBe(text);
  const shown = { column: 'insurance', title: 'insured', changedIn: new Map([['other', undefined]]) };
  expect(changeOutside(line, [shown], made)).toBe(text?.includes('age') ? 'age → left out' : null);
});
