import { expect, test } from 'vitest';
import { contaminationOf } from './knownDataSets.ts';

const found = (file: string, columns: readonly string[] = [], hash = '') => {
  const known = contaminationOf({ file, columns, hasHash: (each) => each === hash });
  return known === null ? null : [known.data_set, known.recognised_by].join();
};

test.each([
  [
    'a file renamed',
    'cases.csv',
    ['Sex', 'Priors Count', 'juv-fel-count', 'c_charge_degree', 'twoYearRecid', 'two_year_recid'],
    'COMPAS (ProPublica),columns',
  ],
  [
    'columns of another spelling',
    'x.csv',
    ['education.num', 'Marital-Status', 'capital gain', 'hours.per.week'],
    'Adult, or census income (UCI),columns',
  ],
  ['the name of a part', 'C:\\data\\RTE_dev.v2.jsonl', ['premise'], 'RTE (GLUE),file'],
  ['the bundled sample of a public table', 'samples/nlsy97/nlsy97-60.csv', [], 'NLSY97, the table on recidivism,file'],
  ['three of its columns', 'cases.csv', ['decile_score', 'priors_count', 'c_charge_degree', 'age'], null],
  ['a word of its name', 'emotion of tenants.csv', [], null],
  ['its own sample of the same name', 'samples/symptoms/symptoms.csv', ['id', 'text', 'condition'], null],
])('%s', (_what, file, columns, expected) => {
  expect(found(file, columns)).toBe(expected);
});

test('a copy is known by its bytes, under any name and columns', () => {
  const known = contaminationOf({ file: 'x.jsonl', columns: [], hasHash: (hash) => hash.startsWith('8ae97ae4ab83') });
  expect(known).toMatchObject({ data_set: 'Emotion (CARER)', recognised_by: 'content' });
  expect(known?.text).toContain('Models may have seen these cases in training');
});
