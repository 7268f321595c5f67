import { copyFileSync, mkdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DemoServer, startDemoServer } from '../main/engine/models/demo/demoServer.ts';
import { replayReportSchema, verifyReportSchema } from '../shared/outputs.ts';
import { errorOf, finishedRun, openWorkbench, snapshot, until, type Workbench } from './testing.ts';

let bench: Workbench;
let standin: DemoServer;
let file: string;
let store: string;

beforeAll(async () => {
  bench = openWorkbench();
  standin = await startDemoServer({ port: 0 });
  ({ file, store } = await finishedRun(bench, standin.url));
});

afterAll(async () => {
  await standin.close();
  bench.remove();
});

/** Every command that opens a store. */
async function allCommands(path: string, out: string) {
  const commands: readonly (readonly [name: string, ...words: string[]])[] = [
    ['verify', path],
    ['replay', path],
    ['stats', 'rain', '--store', path],
    ['export', 'rain', '--store', path, '--format', 'trials-csv', '--out', out],
    ['run', file, '--store', path, '--ollama', standin.url],
  ];
  return Promise.all(commands.map(async (words) => ({ name: words[0], ...(await bench.here(words)) })));
}

describe('a store that cannot be used: every command exits 2 and leaves it as it is', () => {
  const kinds: readonly { readonly name: string; readonly make: (path: string) => void; readonly message: RegExp }[] = [
    {
      name: 'text',
      make: (path) => writeFileSync(path, 'Dear diary,\n'.repeat(1000)),
      message: /damaged|holds no Assize record|not a store/,
    },
    { name: 'folder', make: (path) => mkdirSync(path), message: /this is a folder, not a store|check that it is a file/ },
    {
      name: 'other database',
      make: (path) => new Database(path).exec('CREATE TABLE t (a)').close(),
      message: /holds no Assize record: no schema was found/,
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
    bench.here(['verify', path, '--json']),
    bench.here(['replay', path, '--json']),
    bench.here(['stats', 'rain', '--store', path, '--json']),
    bench.here(['export', 'rain', '--store', path, '--format', 'trials-csv', '--out', join(room, 'out.csv')]),
    bench.here(['run', file, '--store', path, '--ollama', standin.url, '--plan']),
  ]);
  const planned = results.pop();
  expect(planned?.code, planned?.errors).toBe(0);
  for (const ended of results) {
    expect(ended.code).toBe(2);
    expect(ended.errors).toBe(`assize: ${path}: there is no store here\n`);
    if (ended.output !== '')
      expect(errorOf(ended)).toMatchObject({ code: 'not-found', file: path, message: 'there is no store here' });
  }
  expect(snapshot(room)).toEqual({});
});

test('the main file alone of a store at work is refused by every command, run among them', async () => {
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
    expect(ended.errors, ended.name).toContain('the -wal file that is not beside it');
  }
  expect(snapshot(bench.path('copy'))['store.db']).toEqual(before['store.db']);
  // With its -wal file beside it, it is what the run left behind.
  const verified = await bench.assize(['verify', live, '--json']);
  expect(verified.code, verified.errors).toBe(0);
  expect(verifyReportSchema.parse(JSON.parse(verified.output))).toMatchObject({ result: 'intact', trials: 1, first_bad: null });
  const replayed = await bench.assize(['replay', live, '--json']);
  expect(replayed.code, replayed.errors).toBe(0);
  expect(replayReportSchema.parse(JSON.parse(replayed.output))).toMatchObject({ identical: 0, unfinished: 1 });
});
