import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CaseDefinition } from '../../../shared/api/dataFiles.ts';
import { openEngineRoom } from '../service/testing/engineRoom.ts';

let room: ReturnType<typeof openEngineRoom>;
beforeAll(() => {
  room = openEngineRoom({ name: 'guess' });
});
afterAll(() => room.close());

const sentence = 'She had left the door open and the lamp on, and nobody had seen her come back before the bell rang. ';
test.each<[string, string, string, Partial<CaseDefinition>]>([
  [
    'a table',
    'table.csv',
    'person_id,sex,language,age,housing,y_again\na,f,en,20,own,0\nb,m,es,30,rent,1\nc,f,en,40,own,0\n',
    { kind: 'tabular', id: 'person_id', label: { column: 'y_again', multiple: null }, groups: ['sex', 'language'] },
  ],
  [
    'what rows are about for their id, and no group of each age',
    'people.csv',
    `person,age,sex,happened\n${Array.from({ length: 24 }, (_, row) => `${row + 500},${20 + (row % 6)},${row % 2 ? 'f' : 'm'},${row % 3 ? 'no' : 'yes'}`).join('\n')}\n`,
    { id: 'person', label: { column: 'happened', multiple: null }, groups: ['sex'] },
  ],
  [
    'a table whose first column holds codes',
    'plots.csv',
    'plot,yield,ripe\nplot-01,3.1,0\nplot-02,4.2,1\nplot-03,4.0,0\n',
    { kind: 'tabular', id: 'plot', label: { column: 'ripe', multiple: null }, exclude: [] },
  ],
  [
    'a table whose first column holds addresses, not all of which are alike',
    'people.csv',
    'contact,ripe\nann7@example.org,0\nb2,1\nc3,0\n',
    { kind: 'tabular', label: { column: 'ripe', multiple: null }, exclude: [] },
  ],
  [
    'a table whose first column holds measures',
    'measures.csv',
    'yield,ripe\n3.1,0\n4.2,1\n4.0,0\n',
    { kind: 'tabular', label: { column: 'ripe', multiple: null }, exclude: [] },
  ],
  [
    'a text',
    'text.csv',
    `id,text,verdict\n1,${JSON.stringify(sentence)},A\n2,${JSON.stringify(sentence)},B\n`,
    { kind: 'text', columns: {} },
  ],
  [
    'a text under another name',
    'story.jsonl',
    ['A', 'B'].map((label, index) => JSON.stringify({ id: index, story: sentence, label })).join('\n'),
    { kind: 'text', columns: { text: 'story' }, format: 'jsonl', label: { column: 'label', multiple: null } },
  ],
  [
    'a row of facts with a long note',
    'pupils.csv',
    `pupil,age,teacher,years,missed,minutes,distance,note,left\n1,8,A,2,0,60,3.5,${JSON.stringify(sentence)},no\n2,9,B,1,4,20,1.5,${JSON.stringify(sentence)},yes\n`,
    { kind: 'tabular', label: { column: 'left', multiple: null } },
  ],
  [
    'a pair',
    'pair.tsv',
    'premise\thypothesis\tlabel\nIt rains.\tIt is wet.\tyes\nIt rains.\tIt is dry.\tno\n',
    { kind: 'pair', format: 'tsv', label: { column: 'label', multiple: null } },
  ],
  [
    'a pair as SNLI calls it',
    'snli.csv',
    'pairID,gold_label,sentence1,sentence2\na,neutral,It rains.,It is wet.\nb,entailment,It rains.,It is dry.\n',
    {
      id: 'pairID',
      kind: 'pair',
      columns: { premise: 'sentence1', hypothesis: 'sentence2' },
      label: { column: 'gold_label', multiple: null },
    },
  ],
  [
    'a pair as QNLI calls it',
    'qnli.tsv',
    'index\tQuestion\tsentence\tlabel\n0\tWho?\tHe did.\tyes\n1\tWhen?\tIn May.\tno\n',
    { kind: 'pair', columns: { question: 'Question', passage: 'sentence' }, label: { column: 'label', multiple: null } },
  ],
  [
    'the answer rather than a column that marks rows',
    'marked.csv',
    'id,age,reoffended,fixed30,in_sample\na,20,no,0,1\nb,30,yes,1,0\nc,40,no,0,1\n',
    { kind: 'tabular', label: { column: 'reoffended', multiple: null } },
  ],
  [
    'the answer before a marker, though both are 0 and 1',
    'switches.csv',
    'id,age,again,fixed30\na,20,0,0\nb,30,1,1\nc,40,0,1\n',
    { label: { column: 'again', multiple: null } },
  ],
  [
    'an answer of 0 and 1 before a group, in any order',
    'grouped.csv',
    'id,is_recid,age,sex\na,0,20,f\nb,1,30,m\nc,1,40,m\n',
    { label: { column: 'is_recid', multiple: null }, groups: ['sex'] },
  ],
  [
    'a marker where there is nothing else to decide',
    'flagged.csv',
    'id,age,flag\na,20,0\nb,30,1\nc,40,0\n',
    { label: { column: 'flag', multiple: null } },
  ],
  [
    'sections',
    'sections.csv',
    `id,complaint,reply,outcome\n1,${JSON.stringify(sentence)},${JSON.stringify(sentence)},A\n2,${JSON.stringify(sentence)},${JSON.stringify(sentence)},B\n`,
    { kind: 'sections', sections: ['complaint', 'reply'] },
  ],
  ['open questions', 'open.csv', 'id,question\n1,What is truth?\n2,Who knows what?\n3,Why is that?\n', { kind: 'open' }],
  [
    'the last column of a few words before one of two values',
    'triage.csv',
    `note,age,heart_rate,arrival,region,triage\n${['red', 'green', 'blue', 'amber', 'red', 'green', 'blue', 'amber'].map((triage, at) => `n${at},${20 + at},${60 + at},${at % 2 ? 'walk' : 'van'},${at % 3 ? 'east' : 'west'},${triage}`).join('\n')}\n`,
    { label: { column: 'triage', multiple: null }, groups: ['region'] },
  ],
  [
    'a label that ends like an id',
    'paid.csv',
    'case,paid\n1,yes\n2,no\n3,yes\n',
    { id: 'case', label: { column: 'paid', multiple: null } },
  ],
])('guesses %s', async (_what, name, content, expected) => {
  const { guess } = await room.client.dataFiles.inspect({ upload: room.upload(name, content) });
  expect(guess).toMatchObject(expected);
  // The guess makes cases of the unchanged file; only the question is missing.
  const preview = await room.client.dataFiles.preview({ upload: room.upload(name, content), definition: guess });
  expect(preview.question).toBeNull();
  expect(preview.cases).toBeGreaterThan(1);
});
