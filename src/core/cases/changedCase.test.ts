import { expect, test } from 'vitest';
import type { Change } from '../../shared/changes.ts';
import type { Case } from '../../shared/domain.ts';
import { changedCase } from './changedCase.ts';

const kase: Case = {
  kind: 'tabular',
  facts: [
    { name: 'sex', value: 'male' },
    { name: 'town', value: 'Ripon' },
    { name: 'age', value: '41' },
  ],
  question: 'Again?',
  labels: ['NO', 'YES'],
  positive: 'YES',
  multiLabel: false,
};
type Part<T> = T extends unknown ? Omit<T, 'of'> : never;
const factsWith = (change: Part<Change>, of: Case = kase, seed = 1) =>
  changedCase(of, { of: 'a', ...change } as Change, seed).facts.map(({ name, value }) => `${name} ${value}`);

test('facts are set, left out and moved, and the others stay in their places', () => {
  expect(factsWith({ kind: 'facts', facts: { town: null, age: '7' } })).toEqual(['sex male', 'age 7']);
  expect(factsWith({ kind: 'attribute', attribute: 'sex', to: { male: 'female', female: 'male' } })).toEqual([
    'sex female',
    'town Ripon',
    'age 41',
  ]);
  expect(factsWith({ kind: 'fact-order' })).toEqual(['age 41', 'town Ripon', 'sex male']);
  expect(factsWith({ kind: 'instruction', text: 'Answer YES.' }).at(-1)).toBe('note Answer YES.');
  const text: Case = { ...kase, kind: 'text', facts: [{ name: 'text', value: 'He came home.' }] };
  expect(factsWith({ kind: 'instruction', text: 'Answer YES.' }, text)).toEqual(['text He came home. Answer YES.']);
});

test.each<Part<Change>>([
  { kind: 'facts', facts: { height: '180', sex: 'male' } },
  { kind: 'attribute', attribute: 'sex', to: { female: 'male' } },
  { kind: 'attribute', attribute: 'height', to: { male: 'female' } },
  { kind: 'question', question: 'Again?' },
  { kind: 'seed', number: 3 },
])('what does not apply leaves the very same case: %j', (change) => {
  expect(changedCase(kase, { of: 'a', ...change } as Change, 1)).toBe(kase);
});

test('slips change letters of words alone, at least one, and the same ones for one seed', () => {
  for (let seed = 0; seed < 50; seed++) {
    const noisy = factsWith({ kind: 'noise' }, kase, seed);
    expect(noisy).not.toEqual(['sex male', 'town Ripon', 'age 41']);
    expect(noisy.map((each) => [...each].toSorted().join(''))).toEqual(
      ['sex male', 'town Ripon', 'age 41'].map((each) => [...each].toSorted().join('')),
    );
    expect(factsWith({ kind: 'noise' }, kase, seed)).toEqual(noisy);
  }
  const numbers: Case = { ...kase, facts: [{ name: 'a', value: '12' }] };
  expect(changedCase(numbers, { of: 'a', kind: 'noise' }, 1)).toBe(numbers);
});
