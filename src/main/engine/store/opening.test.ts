import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { zipSync } from 'fflate';
import { beforeAll, describe, expect, test } from 'vitest';
import { AssizeError } from '../../../shared/errors.ts';
import { makeSampleStore, openFolder } from '../audit/testing/sampleStore.ts';
import { verifyPath } from '../audit/testing/tampering.ts';
import { kept } from '../testing/kept.ts';
import { newestVersion } from './migrations/index.ts';
import { openStore, openStoreReadOnly } from './store.ts';
import { ordinaryUser, startChild } from './testing/child.ts';

const room = openFolder('opening');
let store: string;

beforeAll(async () => {
  store = await makeSampleStore(room.folder, { cases: 2 });
});

function failureOf(action: () => unknown): AssizeError {
  try {
    action();
  } catch (error) {
    if (error instanceof AssizeError) return error;
    throw error;
  }
  throw new Error('it was opened');
}

function verdictOf(path: string): { result: string; root: string | null } {
  try {
    const { result, root } = verifyPath(path);
    return { result, root };
  } catch (error) {
    if (!(error instanceof AssizeError)) throw error;
    return { result: error.code, root: null };
  }
}

/** Opening for reading and for writing end alike, in bad input; nothing is changed. */
function refused(path: string, code: AssizeError['code']): string {
  const before = statSync(path).isFile() ? readFileSync(path) : null;
  const errors = [failureOf(() => openStoreReadOnly(path)), failureOf(() => openStore(path, { create: true }))];
  for (const error of errors) {
    expect(error.code).toBe(code);
    expect(error.exitCode).toBe(2);
    expect(error.place.file).toBe(path);
  }
  if (before !== null) expect(readFileSync(path).equals(before)).toBe(true);
  return errors[0]?.message ?? '';
}

test.each([
  ['<!doctype html>\n<html lang="en"></html>', /^this is a report, .* with its record: .*verify REPORT\.html --against RECORD;/],
  [`assize.invalid/log/${'0'.repeat(32)}\n66\n`, /^this is a checkpoint, .* its record: .*verify RECORD --since CHECKPOINT\./],
])('a report or a checkpoint that is given in place of a store is called one: %s', (text, words) => {
  writeFileSync(room.path('given'), text);
  expect(failureOf(() => openStoreReadOnly(room.path('given'))).message).toMatch(words);
});

test('a bundle that is given in place of a store is called one, with how to make a store of it', () => {
  const bundle = room.path('bundle.zip');
  writeFileSync(bundle, zipSync({ 'events.jsonl': new Uint8Array() }));
  const words = `this is a bundle and not a store; first copy it into a store: assize adopt ${bundle} --into FILE`;
  expect(refused(bundle, 'store-unreadable')).toBe(words);
});

describe('files that are no store', () => {
  test('a text file, a short one and a long one', () => {
    for (const [index, content] of ['hello', 'id,sex\n1,female\n'.repeat(5000)].entries()) {
      const path = room.path(`text-${index}.db`);
      writeFileSync(path, content);
      expect(refused(path, 'store-unreadable')).toMatch(/damaged or truncated|not a store/);
    }
  });

  test('a folder', () => {
    mkdirSync(room.path('folder.db'));
    expect(refused(room.path('folder.db'), 'store-unreadable')).toContain('folder');
  });

  test('a device', ({ skip }) => {
    if (process.platform === 'win32') skip('there is no /dev/null');
    expect(failureOf(() => openStoreReadOnly('/dev/null'))).toMatchObject({ code: 'store-unreadable' });
  });

  test('an empty file cannot be read, and can become a store', () => {
    const path = room.path('empty.db');
    writeFileSync(path, '');
    expect(failureOf(() => openStoreReadOnly(path)).message).toContain('it has no schema');
    expect(failureOf(() => openStore(path, { create: false })).code).toBe('not-found');
    openStore(path, { create: true }).close();
    openStoreReadOnly(path).close();
  });

  test('no file: only a writer may make one', () => {
    const path = room.path('new/deep/none.db');
    expect(failureOf(() => openStoreReadOnly(path)).code).toBe('not-found');
    expect(failureOf(() => openStore(path, { create: false })).code).toBe('not-found');
    expect(existsSync(path)).toBe(false);
    openStore(path, { create: true }).close();
    expect(existsSync(path)).toBe(true);
  });

  test('a database of another program, with and without an application id', () => {
    for (const id of [0, 0x0f055112]) {
      const path = room.path(`other-${id}.db`);
      const db = new Database(path);
      db.exec(`CREATE TABLE events (trial TEXT); PRAGMA application_id = ${id}; PRAGMA user_version = 1`);
      db.close();
      expect(refused(path, 'store-unreadable')).toContain('not an Assize store');
    }
  });

  test('a store of a newer version, for reading and for writing', () => {
    const path = room.path('newer.db');
    copyFileSync(store, path);
    const db = new Database(path);
    db.pragma(`user_version = ${newestVersion + 1}`);
    db.close();
    expect(refused(path, 'store-newer')).toContain(`format ${newestVersion + 1}`);
  });

  test('a store without one of its tables', () => {
    for (const table of ['events', 'trials']) {
      const path = room.path(`without-${table}.db`);
      copyFileSync(store, path);
      const db = new Database(path);
      db.exec(`DROP TABLE ${table}`);
      db.close();
      expect(failureOf(() => openStoreReadOnly(path))).toMatchObject({
        code: 'store-unreadable',
        message: expect.stringContaining('schema'),
      });
      expect(failureOf(() => openStore(path, { create: true }))).toMatchObject({ code: 'store-elsewhere', exitCode: 2 });
    }
  });
});

describe('a truncated file', () => {
  test.each([1, 15, 16, 50, 99, 100, 101, 512, 4096, 16_384, 20_000, 32_768, 100_000])('cut off after %i bytes', (length) => {
    const path = room.path(`cut-${length}.db`);
    writeFileSync(path, readFileSync(store).subarray(0, length));
    const error = failureOf(() => verifyPath(path));
    expect(error.code).toBe('store-unreadable');
    expect(error.exitCode).toBe(2);
  });

  test('without its last page', () => {
    const whole = readFileSync(store);
    const path = room.path('end.db');
    writeFileSync(path, whole.subarray(0, whole.length - 16_384));
    expect(failureOf(() => verifyPath(path)).code).toBe('store-unreadable');
  });

  test('cut inside of its last page: SQLite reads zeros there, and nothing that counts may have changed', () => {
    const whole = readFileSync(store);
    const { root } = verifyPath(store);
    for (const cut of [1, 100, 5000, 16_000]) {
      const path = room.path('short.db');
      writeFileSync(path, whole.subarray(0, whole.length - cut));
      const zeroed = Buffer.concat([whole.subarray(0, whole.length - cut), Buffer.alloc(cut)]);
      const verdict = verdictOf(path);
      if (zeroed.equals(whole)) expect(verdict).toEqual({ result: 'intact', root });
      else if (verdict.result === 'intact') expect(verdict.root).toBe(root);
    }
  });

  test('with a zeroed page in the middle', () => {
    const whole = readFileSync(store);
    for (let page = 1; page < whole.length / 16_384; page++) {
      const path = room.path('hole.db');
      writeFileSync(
        path,
        Buffer.concat([whole.subarray(0, page * 16_384), Buffer.alloc(16_384), whole.subarray((page + 1) * 16_384)]),
      );
      expect(['tampered', 'store-unreadable'], `page ${page}`).toContain(verdictOf(path).result);
    }
  });
});

describe('a copy of a store that is being written', () => {
  function live(name: string) {
    const path = room.path(name);
    const writer = openStore(path, { create: true });
    const payload = { v: 1, key: 'k', name: 'n', value: 1 } as const;
    writer.write(() => writer.events.append('some-chain', 'measure-take', payload));
    return { path, writer };
  }

  test('the main file by itself is never intact, not even after another look at it', () => {
    const { path, writer } = live('live-1.db');
    const copy = room.path('bare.db');
    cpSync(path, copy);
    writer.close();
    for (let look = 0; look < 2; look++) {
      expect(failureOf(() => verifyPath(copy))).toMatchObject({
        code: 'store-unreadable',
        message: expect.stringContaining('-wal'),
      });
    }
    expect(failureOf(() => openStore(copy, { create: true }))).toMatchObject({ code: 'store-unreadable' });
  });

  test('the main file by itself is refused also when a part of the log has reached it', () => {
    const path = room.path('checkpointed.db');
    cpSync(store, path);
    const writer = openStore(path, { create: false });
    const reader = new Database(path);
    reader.pragma('wal_checkpoint(FULL)');
    reader.close();
    const copy = room.path('older.db');
    cpSync(path, copy);
    expect(String(failureOf(() => verifyPath(copy)))).toMatch(/this copy .+\n.+ \d+ ended trials of ".+\nAsk its owner /);
    writer.close();
    expect(verifyPath(path)).toMatchObject({ result: 'intact' });
  });

  test('a store whose writer died is whole also after another program has merged and removed its log', async () => {
    const path = room.path('merged.db');
    cpSync(store, path);
    const child = `
      const store = openStore(path, { create: false });
      store.write(() => store.runLog.add('x', 'run-start'));
      process.kill(process.pid, 'SIGKILL');
    `;
    await startChild(path, child).ended;
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
    const other = new Database(path);
    other.prepare('SELECT count(*) FROM events').get();
    other.close();
    expect(existsSync(`${path}-wal`)).toBe(false);
    expect(verifyPath(path)).toMatchObject({ result: 'intact' });
    openStore(path, { create: false }).close();
  });

  test('VACUUM INTO makes a whole copy at any time', () => {
    const path = room.path('vacuumed.db');
    cpSync(store, path);
    const writer = openStore(path, { create: false });
    const copy = room.path('vacuum-copy.db');
    const reader = new Database(path);
    reader.exec(`VACUUM INTO '${copy}'`);
    reader.close();
    writer.close();
    expect(verifyPath(copy)).toMatchObject({ result: 'intact' });
    openStore(copy, { create: false }).close();
    expect(verifyPath(copy)).toMatchObject({ result: 'intact' });
  });

  test('with its -wal file it holds everything', () => {
    const { path, writer } = live('live-2.db');
    const copy = room.path('whole.db');
    cpSync(path, copy);
    cpSync(`${path}-wal`, `${copy}-wal`);
    writer.close();
    // As the nightly script in docs/usage.md reads it.
    new Database(copy, { readonly: true }).exec(`VACUUM INTO '${room.path('read.db')}'`).close();
    const reader = kept(openStoreReadOnly(copy));
    expect(reader.events.chain('some-chain')).toHaveLength(1);
  });
});

describe('where nothing may be written', () => {
  const { uid, problem } = ordinaryUser();
  const look = `
    try { const store = openStoreReadOnly(path); say('events ' + [...store.events.all()].length); store.close(); }
    catch (error) { say('refused ' + error.code); }
  `;
  const write = `
    try { const store = openStore(path, { create: true }); store.write(() => store.runLog.add('x', 'run-start')); say('written'); }
    catch (error) { say('refused ' + error.code + ' ' + error.exitCode); }
  `;

  /** A folder with a copy of the store in which an ordinary user may not write. */
  function barred(name: string, mode: number, copy: (path: string) => void): string {
    const folder = room.path(name);
    mkdirSync(folder);
    const path = `${folder}/store.db`;
    copy(path);
    for (const file of readdirSync(folder)) chmodSync(`${folder}/${file}`, mode);
    chmodSync(folder, 0o555);
    chmodSync(room.folder, 0o755);
    return path;
  }

  async function ask(path: string, code: string, word: string): Promise<string> {
    const temporary = room.path('temporary');
    mkdirSync(temporary, { recursive: true });
    chmodSync(temporary, 0o777);
    const child = startChild(path, `process.env.TMPDIR = ${JSON.stringify(temporary)};${code}`, uid);
    const answer = await child.said(word);
    child.release();
    await child.ended;
    expect(readdirSync(temporary)).toEqual([]);
    return answer;
  }

  test('a store in a read-only folder is read from a copy, which is gone afterwards', async ({ skip }) => {
    if (problem !== null) skip(problem);
    const path = barred('read-only', 0o444, (target) => copyFileSync(store, target));
    expect(Number(await ask(path, look, 'events'))).toBe(verifyPath(store).events);
    expect(readdirSync(dirname(path))).toEqual(['store.db']);
  });

  test('so is one with a -wal file, with all that is in it', async ({ skip }) => {
    if (problem !== null) skip(problem);
    const writer = openStore(room.path('live-3.db'), { create: true });
    writer.write(() => writer.events.append('some-chain', 'measure-take', { v: 1, key: 'k', name: 'n', value: 1 }));
    const path = barred('read-only-wal', 0o444, (target) => {
      for (const suffix of ['', '-wal']) cpSync(room.path('live-3.db') + suffix, target + suffix);
    });
    writer.close();
    expect(await ask(path, look, 'events')).toBe('1');
  });

  test('of a copy nothing is left, however its reader ends', async ({ skip }) => {
    if (problem !== null) skip(problem);
    const path = barred('killed', 0o444, (target) => copyFileSync(store, target));
    const killed = `
      const { events } = openStoreReadOnly(path);
      setImmediate(() => { say('events ' + [...events.all()].length); process.kill(process.pid, 'SIGKILL'); });
    `;
    expect(Number(await ask(path, killed, 'events'))).toBe(verifyPath(store).events);
  });

  test('a file that may not be read', async ({ skip }) => {
    if (problem !== null) skip(problem);
    const path = barred('unreadable', 0o000, (target) => copyFileSync(store, target));
    expect(await ask(path, look, 'refused')).toBe('store-unreadable');
  });

  test('a store in a folder that does not let this user look is not called missing, by no command', async ({ skip }) => {
    if (problem !== null) skip(problem);
    const path = barred('closed', 0o600, (target) => copyFileSync(store, target));
    chmodSync(dirname(path), 0o000);
    const engine = resolve(import.meta.dirname, '..');
    const all = `
      const { checkStore } = await import(${JSON.stringify(join(engine, 'doctor/examine.ts'))});
      const { verify } = await import(${JSON.stringify(join(engine, 'engine.ts'))});
      const failure = (action) => Promise.try(action).then(() => 'none', ({ code, message }) => code + ' ' + message);
      const found = [await failure(() => openStoreReadOnly(path)), await failure(() => verify(path, {}))];
      say('all ' + JSON.stringify([...found, checkStore(path).found]));
    `;
    const words = 'you may not read this file; ask its owner, or check its permissions';
    const refusal = `store-unreadable ${words}`;
    const found = await ask(path, all, 'all');
    // What may not be looked into cannot be removed afterwards.
    chmodSync(dirname(path), 0o700);
    expect(JSON.parse(found)).toEqual([refusal, refusal, `${path}: ${words}`]);
  });

  test('a writer gets an error, in a read-only folder and for a read-only file', async ({ skip }) => {
    if (problem !== null) skip(problem);
    const path = barred('no-writer', 0o444, (target) => {
      copyFileSync(store, target);
      if (uid !== undefined) chownSync(target, uid, uid);
    });
    expect(await ask(path, write, 'refused')).toBe('store-unreadable 2');
    chmodSync(dirname(path), 0o777);
    expect(await ask(path, write, 'refused')).toBe('store-unreadable 2');
  });
});

test('a store that is reached through a link is one store', ({ skip }) => {
  if (process.platform === 'win32') skip('links need rights there');
  mkdirSync(room.path('real'));
  symlinkSync(room.path('real'), room.path('linked'));
  kept(openStore(room.path('real/store.db'), { create: true }));
  expect(failureOf(() => openStore(room.path('linked/store.db'), { create: true })).code).toBe('store-in-use');
  symlinkSync(room.path('real/store.db'), room.path('link.db'));
  expect(failureOf(() => openStore(room.path('link.db'), { create: true })).code).toBe('store-in-use');
});

test('a store that cannot be marked as closed is closed all the same, and another program can open it', () => {
  const path = room.path('full.db');
  copyFileSync(store, path);
  const full = openStore(path, { create: false });
  full.write(() => undefined);
  const other = new Database(path);
  other.exec("CREATE TRIGGER full BEFORE UPDATE ON state BEGIN SELECT RAISE(FAIL, 'no room'); END");
  expect(() => full.close()).not.toThrow();
  other.exec('DROP TRIGGER full');
  expect(other.prepare('SELECT open FROM state').pluck().get()).toBe(1);
  other.close();
  openStore(path, { create: false }).close();
});
