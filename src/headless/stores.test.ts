import { copyFileSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { loadFrozen } from '../main/engine/lab/frozen.ts';
import { startDemoServer } from '../main/engine/models/demo/demoServer.ts';
import { openStoreReadOnly } from '../main/engine/store/store.ts';
import { withStore } from '../main/engine/store/withStore.ts';
import { replayReportSchema, verifyReportSchema } from '../shared/outputs.ts';
import { errorOf, openBench, snapshot, until } from './testing.ts';

const bench = await openBench();
const { standin } = bench;
const { file, store } = await bench.finishedRun();

/** Every command that opens a store. */
async function allCommands(path: string, out: string) {
  const commands: readonly (readonly [name: string, ...words: string[]])[] = [
    ['verify', path],
    ['replay', path],
    ['stats', 'rain', '--store', path],
    ['export', 'rain', '--store', path, '--format', 'trials-csv', '--out', out],
    ['run', file, '--store', path, '--ollama', standin.url],
  ];
  return Promise.all(commands.map(async (words) => ({ name: words[0], ...(await bench.assize(words)) })));
}

describe('a store that cannot be used: every command exits 2 and does not change it', () => {
  const kinds: readonly { readonly name: string; readonly make: (path: string) => void; readonly message: RegExp }[] = [
    {
      name: 'text',
      make: (path) => writeFileSync(path, 'Dear diary,\n'.repeat(1000)),
      message: /damaged|not a store/,
    },
    { name: 'folder', make: (path) => mkdirSync(path), message: /this is a folder, not a store|check that it is a file/ },
    {
      name: 'other database',
      make: (path) => new Database(path).exec('CREATE TABLE t (a)').close(),
      message: /this file is not an Assize store: it has no schema/,
    },
    {
      name: 'newer',
      make(path) {
        copyFileSync(store, path);
        const db = new Database(path);
        db.pragma('user_version = 999');
        db.close();
      },
      message: /the store has format 999 and this program knows formats up to \d+; use a newer Assize/,
    },
    {
      name: 'truncated',
      make(path) {
        copyFileSync(store, path);
        truncateSync(path, Math.floor(statSync(store).size * 0.6));
      },
      message: /damaged or truncated .*restore it from a copy/,
    },
  ];

  test.concurrent.for(kinds)('$name', async ({ name, make, message }, { expect }) => {
    const room = bench.room(name);
    const path = join(room, 'store.db');
    make(path);
    const before = snapshot(room);
    for (const ended of await allCommands(path, join(room, 'out.csv'))) {
      expect(ended.code, `${ended.name}: ${ended.errors}`).toBe(2);
      expect(ended.errors, ended.name).toMatch(message);
      expect(ended.errors, ended.name).toContain(path);
    }
    const { 'store.db.lock': _lock, ...after } = snapshot(room);
    expect(after).toEqual(before);
  });
});

test('no command but run makes a store', async () => {
  const room = bench.room('none');
  const path = join(room, 'below/store.db');
  const results = await Promise.all([
    bench.assize(['verify', path, '--json']),
    bench.assize(['replay', path, '--json']),
    bench.assize(['stats', 'rain', '--store', path, '--json']),
    bench.assize(['export', 'rain', '--store', path, '--format', 'trials-csv', '--out', join(room, 'out.csv')]),
    bench.assize(['run', file, '--store', path, '--ollama', standin.url, '--plan']),
  ]);
  const planned = results.pop();
  expect(planned?.code, planned?.errors).toBe(0);
  for (const ended of results) {
    expect(ended.code).toBe(2);
    expect(ended.errors).toBe(`assize: ${path}: there is no such file\n`);
    if (ended.output !== '')
      expect(errorOf(ended)).toMatchObject({ code: 'not-found', file: path, message: 'there is no such file' });
  }
  expect(snapshot(room)).toEqual({});
});

test('only the main file of a store at work is refused by every command, run among them', async () => {
  const room = bench.room('live');
  const live = join(room, 'live.db');
  const mute = await startDemoServer({ port: 0, profile: 'hang' });
  const running = bench.start(['run', file, '--store', live, '--ollama', mute.url]);
  await until(() => mute.requests().length > 0);
  const copy = join(bench.room('copy'), 'store.db');
  copyFileSync(live, copy);
  running.kill('SIGKILL');
  await running.ended;
  await mute.close();
  const before = snapshot(bench.path('copy'));
  for (const ended of await allCommands(copy, bench.path('copy/out.csv'))) {
    expect(ended.code, `${ended.name}: ${ended.errors}`).toBe(2);
    expect(ended.errors, ended.name).toContain('made while the store was in use');
  }
  expect(snapshot(bench.path('copy'))['store.db']).toEqual(before['store.db']);
  // With its -wal file next to it, it is what the run left behind.
  const verified = await bench.assize(['verify', live, '--json']);
  expect(verified.code, verified.errors).toBe(0);
  expect(verifyReportSchema.parse(JSON.parse(verified.output))).toMatchObject({ result: 'intact', trials: 1, first_bad: null });
  const replayed = await bench.assize(['replay', live, '--json']);
  expect(replayed.code, replayed.errors).toBe(0);
  expect(replayReportSchema.parse(JSON.parse(replayed.output))).toMatchObject({ identical: 0, unfinished: 1 });
});

/** A store as an earlier version of the program wrote it. */
function fixture(room: string, format: number): string {
  const path = join(room, 'store.db');
  const packed = join(import.meta.dirname, `../main/engine/store/fixtures/format-${format}.db.gz`);
  writeFileSync(path, gunzipSync(readFileSync(packed)));
  return path;
}

test('a store of an earlier version verifies, is not replayed, and its unfinished experiment is not run', async () => {
  const room = bench.room('older');
  const store = fixture(room, 2);
  expect((await bench.assize(['verify', store])).code).toBe(0);

  const replayed = await bench.assize(['replay', store]);
  expect(replayed.code).toBe(3);
  expect(replayed.output).toContain('not replayable: version 1 of protocol courtroom is not in this program');

  const { name, definition } = await withStore(openStoreReadOnly(store), (opened) => loadFrozen(opened, 'fixture ü'));
  const file = join(room, 'experiment.json');
  writeFileSync(file, JSON.stringify(definition));
  writeFileSync(join(room, 'cases.csv'), 'id,age,place,guilty\n1,20,Köln,0\n2,31,"Paris, France",1\n3,44,Oslo,0\n4,58,東京,1\n');
  for (const retry of ['', '--retry undecided']) {
    const run = await bench.assize(`run ${file} --store ${store} --ollama http://127.0.0.1:1 ${retry}`);
    expect(run.code).toBe(2);
    expect(run.errors).toContain(`experiment "${name}" was begun with version 1 of protocol`);
    expect(run.errors).toContain('give the experiment another name, or use another store');
  }
});

/** A store whose results are those of this program, and then a change to it. */
async function storeWith(change: string): Promise<string> {
  const path = fixture(bench.room('rebuilt'), 3);
  expect((await bench.assize(['rebuild', path])).code).toBe(0);
  const db = new Database(path);
  db.exec(change);
  db.close();
  return path;
}

test.each([
  'UPDATE trials SET confidence = 0.123 WHERE confidence IS NOT NULL',
  `UPDATE trajectories SET trajectory = '{}'`,
  'DELETE FROM trials',
])('rows of results that are wrong are remade: %s', async (change) => {
  const path = await storeWith(change);
  expect((await bench.assize(['verify', path])).code).toBe(1);
  expect(await bench.assize(['rebuild', path])).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^The results of \d\d trials were rebuilt from the record: /),
  });
  expect((await bench.assize(['verify', path])).code).toBe(0);
});

test('a chain that has no result is named, and the record is not changed', async () => {
  const path = await storeWith(
    `UPDATE events SET payload = '{' WHERE kind = 'trial-close' AND trial = (SELECT min(trial) FROM trials)`,
  );
  const { code, errors } = await bench.assize(['rebuild', path]);
  expect(code).toBe(2);
  expect(errors).toMatch(/the row of trial [0-9a-f]{16} cannot be rebuilt: /);
});
