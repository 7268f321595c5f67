import { expect, test } from 'vitest';
import { datasetSchema } from '../../shared/experiment.ts';
import { columnsRead, unrecordedColumns } from './columnsRead.ts';

const read = 'Columns that models read: ';

test.each([
  [{ kind: 'text' }, `${read}text, and no other`],
  [{ kind: 'open', columns: { question: 'asked' } }, `${read}asked, and no other`],
  [{ kind: 'sections', sections: ['2', 'a', '1'] }, `${read}2, a, 1, and no other`],
  [{ kind: 'pair', columns: { hypothesis: 'claim' } }, `${read}premise, claim, and no other`],
  [{ kind: 'pair' }, `${read}the two texts of each case, and no other`],
  [{ kind: 'tabular' }, 'Columns left out: none'],
  [{ kind: 'tabular', exclude: ['name', 'score'] }, 'Columns left out: name, score'],
])('says which columns models read of %j', (own, words) => {
  const { term, columns, rest } = columnsRead(datasetSchema.parse({ path: 'x.csv', ...own }));
  expect(`${term}: ${columns.join(', ')}${rest}`).toBe(words);
});

test('id, label, group and weight are on the record also where models do not read them', () => {
  const recorded = { id: 'id', label: { column: 'out' }, groups: ['sex'], weight: 'w' };
  const exclude = ['id', 'out', 'sex', 'w', 'name'];
  expect(unrecordedColumns(datasetSchema.parse({ path: 'x.csv', ...recorded, exclude }))).toEqual(['name']);
});
