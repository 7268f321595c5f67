import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { caseDefinitionSchema } from '../../../shared/api/dataFiles.ts';
import { openFolder } from '../audit/testing/sampleStore.ts';
import { openStoreAccess } from '../service/storeAccess.ts';
import { openStore } from '../store/store.ts';
import { sweepDataFiles } from './sweep.ts';

const room = openFolder('sweep');

const hash = (digit: string) => digit.repeat(64);
const partial = (digit: string) => `.${digit.repeat(24)}.partial`;

/** A store with one entry in the list of data sets and one taken off, and a data folder with more than their files. */
function prepared(name: string) {
  const path = room.path(`${name}.db`);
  const store = openStore(path, { create: true });
  for (const [id, digit] of [
    ['kept', 'a'],
    ['removed', 'b'],
  ] as const) {
    const definition = caseDefinitionSchema.parse({ question: 'Who?', labels: ['A', 'B'] });
    const file = { file: `${hash(digit)}.csv`, fileHash: hash(digit), bytes: 1, format: 'csv' as const };
    store.dataFiles.add({ id, name: id, addedAt: '', ...file, definition, cases: 1, labels: [], positive: null });
  }
  store.dataFiles.setRemoved('removed', '2026-01-01T00:00:00.000Z');
  store.close();
  const folder = room.path(`${name}.data`);
  mkdirSync(folder);
  const files = [`${hash('a')}.csv`, `${hash('b')}.csv`, `${hash('c')}.jsonl`, partial('1'), partial('2'), 'notes.txt'];
  for (const file of files) writeFileSync(`${folder}/${file}`, 'x');
  const dayBefore = Date.now() / 1000 - 25 * 60 * 60;
  for (const file of [partial('1'), `${hash('b')}.csv`, `${hash('c')}.jsonl`])
    utimesSync(`${folder}/${file}`, dayBefore, dayBefore);
  return { path, files, left: () => readdirSync(folder) };
}

test('files that nothing needs are removed, and files that are not ours or may be in use are left', async () => {
  const { path, left } = prepared('swept');
  await sweepDataFiles(openStoreAccess(path));
  expect(left().toSorted()).toEqual([partial('2'), `${hash('a')}.csv`, 'notes.txt'].toSorted());
  const store = openStore(path, { create: false });
  expect([store.dataFiles.get('kept')?.id, store.dataFiles.get('removed')]).toEqual(['kept', undefined]);
  store.close();
});

test('a data set that was just removed can still be restored, also when another program starts with this store', async () => {
  const { path, left } = prepared('undo');
  const store = openStore(path, { create: false });
  store.dataFiles.setRemoved('removed', new Date().toISOString());
  store.close();
  await sweepDataFiles(openStoreAccess(path));
  expect(left()).toContain(`${hash('b')}.csv`);
  const again = openStore(path, { create: false });
  expect(again.dataFiles.get('removed')?.id).toBe('removed');
  again.close();
});

test('while another program writes to the store nothing is removed', async () => {
  const { path, files, left } = prepared('busy');
  const other = openStore(path, { create: false });
  await sweepDataFiles(openStoreAccess(path));
  expect(left().toSorted()).toEqual(files.toSorted());
  other.close();
});

test('without a data folder the store is not even made', async () => {
  await sweepDataFiles(openStoreAccess(room.path('none.db')));
  expect(readdirSync(room.folder)).not.toContain('none.db');
});
