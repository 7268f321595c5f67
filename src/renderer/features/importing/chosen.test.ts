import { expect, test } from 'vitest';
import { caseDefinitionSchema, type Inspection, type Upload } from '../../../shared/api/dataFiles.ts';
import { chosen, chosenAgain, chosenNext, fitted, nameOfFile } from './chosen.ts';

const upload = (fileName: string): Upload => ({ upload: 'u'.repeat(32), fileName, bytes: 9 });

const inspection = (...names: string[]): Inspection => ({
  format: 'csv',
  sheets: [],
  rows: 1,
  columns: names.map((name) => ({ name, values: null, examples: [], empty: 0, longest: 1 })),
  guess: caseDefinitionSchema.parse({}),
});

test('a file gives its name without the ending', () => {
  expect(['my.cases.v2.jsonl', '.csv'].map(nameOfFile)).toEqual(['my.cases.v2', '.csv']);
});

test('another file takes over what was filled in, and its own name where the name was that of the file', () => {
  const next = upload('second.csv');
  const state = { ...chosen(upload('first.csv')), form: { name: 'first', arm: 'panel', label: 'first', groups: ['sex'] } };
  expect(chosenNext(state, next)).toEqual({
    upload: next,
    reading: {},
    form: { name: 'second', arm: 'panel', label: 'first', groups: ['sex'] },
  });
  expect([chosenNext(null, next).form, chosenNext(chosen(upload('first.csv')), next).form]).toEqual([null, null]);
});

test('the same choices for a further file make something of another name', () => {
  const state = { ...chosen(upload('first.csv')), form: { name: 'My study', arm: 'panel' } };
  expect(chosenAgain(state, upload('second.csv'), { name: 'second', arm: 'second' })).toEqual({ name: 'second', arm: 'panel' });
});

test('only choices of columns that the file lacks go, and are named', () => {
  const form = {
    arm: 'x',
    columns: { case: 'id', truth: 'was', weight: '' },
    groups: ['sex', 'age'],
    opinions: ['first', 'was'],
  };
  const parts = ['columns', 'groups', 'opinions'] as const;
  expect(fitted(form, parts, inspection('id', 'age', 'first'))).toEqual({
    form: { arm: 'x', columns: { case: 'id', truth: '', weight: '' }, groups: ['age'], opinions: ['first'] },
    gone: ['was', 'sex'],
  });
  expect(fitted(form, parts, inspection('id', 'was', 'sex', 'age', 'first'))).toEqual({ form, gone: [] });
});
