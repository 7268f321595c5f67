import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { AssizeError } from '../../../shared/errors.ts';
import { makeSampleStore, openFolder } from '../audit/testing/sampleStore.ts';
import { verifyPath } from '../audit/testing/tampering.ts';
import { keptFolder } from '../testing/kept.ts';
import { openStore, openStoreReadOnly } from './store.ts';
import { startChild } from './testing/child.ts';

const room = openFolder('durability');
const full = 2;
const normal = 1;

afterEach(() => {
  vi.restoreAllMocks();
});

/** What one transaction wrote, and how it was made durable. */
interface Commit {
  readonly synchronous: number;
  readonly kinds: string[];
}

/** Sees every transaction of the program from inside, and is called after each of them. */
function watchCommits(after: (commit: Commit, db: Database.Database) => void): void {
  const original = Database.prototype.transaction;
  vi.spyOn(Database.prototype, 'transaction').mockImplementation(function (
    this: Database.Database,
    action: (...args: never[]) => unknown,
  ) {
    const seen: Commit[] = [];
    const watched = original.call(this, (...args: never[]) => {
      const begins = this.prepare<[], { last: number | null }>('SELECT max(rowid) AS last FROM events');
      const from = begins.get()?.last ?? 0;
      const result = action(...args);
      const kinds = this.prepare<[number], { kind: string }>('SELECT kind FROM events WHERE rowid > ?').all(from);
      seen.push({ synchronous: Number(this.pragma('synchronous', { simple: true })), kinds: kinds.map(({ kind }) => kind) });
      return result;
    });
    const noted =
      (run: (...args: never[]) => unknown) =>
      (...args: never[]) => {
        const result = run(...args);
        for (const commit of seen.splice(0)) after(commit, this);
        return result;
      };
    return Object.assign(noted(watched), { immediate: noted(watched.immediate), deferred: noted(watched.deferred) }) as never;
  });
}

/** Runs a small experiment on a store that is there, so that every transaction is one on the record. */
async function watchedRun(
  durability: 'normal' | 'full',
  after: (commit: Commit, db: Database.Database) => void,
  cases = 2,
): Promise<string> {
  const folder = keptFolder();
  openStore(join(folder, 'sample.db'), { create: true }).close();
  watchCommits(after);
  try {
    return await makeSampleStore(folder, { cases, fault: () => null, change: { runtime: { durability } } });
  } finally {
    vi.restoreAllMocks();
  }
}

describe('what is on the disk when a commit returns', () => {
  test('an answer is committed, and the beginnings and ends are on the disk for good', async () => {
    const commits: Commit[] = [];
    await watchedRun('normal', (commit) => commits.push(commit));
    const recorded = commits.filter(({ kinds }) => kinds.length > 0);
    for (const { synchronous, kinds } of recorded) {
      expect(synchronous, kinds.join()).toBe(kinds.includes('experiment-freeze') ? full : normal);
      // One trial at a time: its next call waits for the commit of its last answer.
      expect(kinds.filter((kind) => kind === 'call-answer').length, kinds.join()).toBeLessThan(2);
    }
    const count = (kind: string) => recorded.flatMap(({ kinds }) => kinds).filter((each) => each === kind).length;
    expect([count('trial-open'), count('trial-close'), count('call-answer')]).toEqual([4, 4, 28]);
  });

  test('with `durability: full` every commit is', async () => {
    const commits: Commit[] = [];
    // A look at the record through another connection writes nothing.
    await watchedRun('full', (commit, { readonly }) => (readonly ? 0 : commits.push(commit)), 1);
    expect(commits.length).toBeGreaterThan(20);
    for (const { synchronous, kinds } of commits) expect(synchronous, kinds[0]).toBe(full);
  });

  test('a durable write that fails leaves the usual setting behind', () => {
    openStore(room.path('failing.db'), { create: true }).close();
    const levels: number[] = [];
    watchCommits(({ synchronous }) => levels.push(synchronous));
    const store = openStore(room.path('failing.db'), { create: false });
    const write = (name: string, options?: { durable: boolean }) =>
      store.write(() => {
        store.events.append(name, 'measure-take', { v: 1, key: 'k', name: 'n', value: 1 });
        if (name === 'fails') throw new Error('on purpose');
      }, options);
    expect(() => write('fails', { durable: true })).toThrow('on purpose');
    write('usual');
    write('durable', { durable: true });
    write('usual again');
    store.close();
    expect(levels).toEqual([normal, full, normal]);
  });
});

describe('a crash', () => {
  /** The files as they are at this moment; by another process, since closing a file here would drop SQLite's locks on it. */
  function copyFiles(from: string, to: string): void {
    spawnSync('sh', ['-c', 'cp "$1" "$2"; if [ -e "$1-wal" ]; then cp "$1-wal" "$2-wal"; fi', 'sh', from, to]);
  }

  test('after any commit leaves a store that opens, verifies and can be written', async ({ skip }) => {
    if (process.platform === 'win32') skip('open files cannot be copied there');
    const copies: { path: string; kinds: string[]; events: number }[] = [];
    const copy = ({ kinds }: Commit, db: Database.Database) => {
      if (kinds.length === 0) return;
      const path = room.path(`crash-${copies.length}.db`);
      copyFiles(db.name, path);
      copies.push({ path, kinds, events: db.prepare<[], { n: number }>('SELECT count(*) AS n FROM events').get()?.n ?? 0 });
    };
    await watchedRun('normal', copy, 1);
    expect(copies.length).toBeGreaterThan(15);
    for (const { path, kinds, events } of copies) {
      if (kinds.includes('experiment-freeze')) {
        expect(() => verifyPath(path)).toThrow(AssizeError);
      } else {
        expect(verifyPath(path), kinds[0]).toMatchObject({ result: 'intact', events });
      }
      const store = openStore(path, { create: false });
      store.write(() => store.runLog.add('any', 'run-start'));
      store.close();
    }
  });

  test('that ends the process itself, before and after a commit, costs nothing that was committed', async () => {
    for (const moment of ['inside', 'between'] as const) {
      const path = room.path(`killed-${moment}.db`);
      const writer = startChild(
        path,
        `
        const store = openStore(path, { create: true });
        const write = (value) => store.events.append('chain', 'measure-take', { v: 1, key: 'k' + value, name: 'n', value });
        for (let value = 0; value < 5; value++) store.write(() => write(value));
        ${moment === 'inside' ? "store.write(() => { write(5); process.kill(process.pid, 'SIGKILL'); })" : "process.kill(process.pid, 'SIGKILL')"};
        `,
      );
      await writer.ended;
      const store = openStore(path, { create: false });
      expect(store.events.chain('chain')).toHaveLength(5);
      store.close();
    }
  });

  test('while a store is made leaves a file that can still become one', async () => {
    const path = room.path('half.db');
    const sqlite = join(import.meta.dirname, '../../../../node_modules/better-sqlite3/lib/index.js');
    const maker = startChild(
      path,
      `
      const { default: Database } = await import(${JSON.stringify(sqlite)});
      const db = new Database(path);
      // A tiny cache writes pages into the file before the commit, as a crash in the midst of one would leave them.
      db.exec('PRAGMA cache_size = 1; BEGIN; CREATE TABLE events (x)');
      for (let index = 0; index < 500; index++) db.prepare('INSERT INTO events VALUES (?)').run('x'.repeat(1000));
      process.kill(process.pid, 'SIGKILL');
      `,
    );
    await maker.ended;
    expect(existsSync(`${path}-journal`)).toBe(true);
    openStore(path, { create: true }).close();
    openStoreReadOnly(path).close();
  });
});
