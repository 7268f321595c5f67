import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkpointReportSchema } from '../shared/checkpoints.ts';
import { errorOf, openBench, openWorkbench, snapshot } from './testing.ts';

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
    { name: 'folder', make: (path) => mkdirSync(path), message: /this is a folder, not a store|check that it is a file/ },
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

test.each([
  ['a link that leads back to itself', 'loop.db', /symbolic link that leads back to itself/],
  ['a name that no file can have', `${'a'.repeat(300)}.db`, /longer than a file can have/],
])('%s is no fault of the program', async (_what, name, message) => {
  const path = bench.path(name);
  if (name === 'loop.db') symlinkSync(name, path);
  for (const ended of await allCommands(path, bench.path('loop.csv')))
    expect([ended.code, ended.errors], ended.name).toEqual([2, expect.stringMatching(message)]);
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

/** A store as an earlier version of the program wrote it. */
function fixture(room: string, format: number): string {
  const path = join(room, 'store.db');
  const packed = join(import.meta.dirname, `../main/engine/store/fixtures/format-${format}.db.gz`);
  writeFileSync(path, gunzipSync(readFileSync(packed)));
  return path;
}

test('a store of an earlier version verifies, and is not replayed', async () => {
  const room = bench.room('older');
  const store = fixture(room, 2);
  expect((await bench.assize(['verify', store])).code).toBe(0);
  const replayed = await bench.assize(['replay', store]);
  expect(replayed.code).toBe(3);
  expect(replayed.output).toContain('not replayable: version 1 of protocol courtroom is not in this program');
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

test('a checkpoint says that it made the key, and that another key signed before', async () => {
  const path = bench.path('lost-key.db');
  copyFileSync(store, path);
  const signed = async () =>
    checkpointReportSchema.parse(JSON.parse((await bench.assize(['checkpoint', '--store', path, '--json'])).output));
  const { fingerprint: before } = await signed();
  const other = openWorkbench();
  onTestFinished(() => other.remove());
  const { errors } = await other.assize(['checkpoint', '--store', path]);
  expect(errors).toContain(`a new one was made: ${join(other.folder, 'home/.config/assize/signing-key.pem')}. Keep a copy`);
  expect(errors).toContain(`signed by another key: ${before}. `);
  const again = await other.assize(['checkpoint', '--store', path]);
  expect(again.errors).not.toMatch(/was made: |another key/);
  const back = await signed();
  expect(back).toMatchObject({ fingerprint: before, key_before: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(back.key_made).toBeUndefined();
});
