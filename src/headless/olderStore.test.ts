import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { loadFrozen } from '../main/engine/lab/frozen.ts';
import { openStoreReadOnly } from '../main/engine/store/store.ts';
import { openWorkbench } from './testing.ts';

const bench = openWorkbench();
afterAll(() => bench.remove());

test('a store of an earlier version verifies, is not replayed, and its unfinished experiment is not run', async () => {
  const room = bench.room('older');
  const store = join(room, 'store.db');
  writeFileSync(store, gunzipSync(readFileSync(resolve(import.meta.dirname, '../main/engine/store/fixtures/format-2.db.gz'))));
  expect((await bench.here(['verify', store])).code).toBe(0);

  const replayed = await bench.here(['replay', store]);
  expect(replayed.code).toBe(3);
  expect(replayed.output).toContain('not replayable: version 1 of protocol courtroom is not in this program');

  const opened = openStoreReadOnly(store);
  const { name, definition } = loadFrozen(opened, 'fixture ü');
  opened.close();
  const file = join(room, 'experiment.json');
  writeFileSync(file, JSON.stringify(definition));
  writeFileSync(join(room, 'cases.csv'), 'id,age,place,guilty\n1,20,Köln,0\n2,31,"Paris, France",1\n3,44,Oslo,0\n4,58,東京,1\n');
  for (const retry of [[], ['--retry', 'undecided']]) {
    const run = await bench.here(['run', file, '--store', store, '--ollama', 'http://127.0.0.1:1', ...retry]);
    expect(run.code).toBe(2);
    expect(run.errors).toContain(`experiment "${name}" was begun with version 1 of protocol`);
    expect(run.errors).toContain('start anew');
  }
});
