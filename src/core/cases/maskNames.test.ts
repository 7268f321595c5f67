import { expect, test } from 'vitest';
import type { Case } from '../../shared/domain.ts';
import { maskNames } from './maskNames.ts';

const base = { question: 'Does the Court affirm?', labels: ['NO', 'YES'], positive: null, multiLabel: false } as const;
const facts = (kind: Case['kind'], ...values: string[]) =>
  maskNames({ ...base, labels: [...base.labels], kind, facts: values.map((value, place) => ({ name: `fact ${place}`, value })) })
    .facts;

test('of a table the columns lose their names, in order, and the values stay', () => {
  expect(facts('tabular', 'African-American', '31')).toEqual([
    { name: 'column 1', value: 'African-American' },
    { name: 'column 2', value: '31' },
  ]);
});

test('of texts the proper names are replaced, the same one alike in all texts of the case', () => {
  expect(
    facts(
      'pair',
      "Dana Reeve, the widow of Christopher Reeve, has died. In Bonn the cat sat; Yet she knew Bonn's mayor. I'm sure I do.",
      'Christopher Reeve had an accident. Dana cried.',
    ).map(({ value }) => value),
  ).toEqual([
    "Name-1 Name-2, the widow of Name-3 Name-2, has died. In Name-4 the cat sat; Yet she knew Name-4's mayor. I'm sure I do.",
    'Name-3 Name-2 had an accident. Name-1 cried.',
  ]);
});

test('texts whose capitals say nothing, and sentences without a name, stay', () => {
  const texts = ['the flat was clean', 'ALL IN CAPITALS', 'Models forget. Yet they try.'];
  expect(facts('sections', ...texts).map(({ value }) => value)).toEqual(texts);
});
