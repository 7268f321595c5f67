import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import Database from 'better-sqlite3';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { makeSampleStore, openFolder } from '../audit/testing/sampleStore.ts';
import { openForReading, openForWriting } from './connection.ts';
import { openStore, openStoreReadOnly, type Store } from './store.ts';
import { ordinaryUser, startChild } from './testing/child.ts';

const room = openFolder('hostile');
let sample: string;

beforeAll(async () => {
  sample = await makeSampleStore(room.folder, { cases: 1 });
});
beforeEach(() => vi.stubEnv('XDG_CONFIG_HOME', room.path('configuration')));
afterEach(() => vi.unstubAllEnvs());

const code = (name: string) => expect.objectContaining({ code: name });
const elsewhere = expect.objectContaining({ code: 'store-elsewhere', exitCode: 2 });
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
const add = (store: Store) =>
  store.write(() => store.events.append('some-chain', 'measure-take', { v: 1, key: 'k', name: 'n', value: 1 }));

/** A copy of the sample that somebody prepared for us. */
function prepared(name: string, sql: string): string {
  const path = room.path(name);
  copyFileSync(sample, path);
  const db = new Database(path);
  db.unsafeMode();
  db.exec(sql);
  db.close();
  return path;
}

/** A generated column in place of one of ours, only by the text of the schema. */
const generated = `
  PRAGMA writable_schema = ON;
  UPDATE sqlite_schema SET sql = replace(sql, 'detail     TEXT NOT NULL', 'detail TEXT AS (event) VIRTUAL') WHERE name = 'run_log';
`;
const endless = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n';

describe('security 32: what a foreign schema would run', () => {
  test.each([
    ['a trigger that deletes', 'CREATE TRIGGER t AFTER INSERT ON trials BEGIN DELETE FROM trials; END', 'a trigger "t"'],
    ['a trigger without an end', `CREATE TRIGGER t AFTER UPDATE ON state BEGIN SELECT (${endless}); END`, 'a trigger "t"'],
    ['a view beside the tables', `CREATE VIEW v AS ${endless}`, 'a view "v"'],
    ['a table of its own', 'CREATE TABLE more (a)', 'a table "more"'],
    ['an index of its own', 'CREATE INDEX more ON trials (experiment, wall_ms)', 'an index "more"'],
    ['no index', 'DROP INDEX trials_by_experiment', 'lacks "trials_by_experiment"'],
  ])('%s makes a store one from elsewhere: it is read, and never written', (name, sql, why) => {
    const path = prepared(`${name}.db`, sql);
    expect(() => openStore(path, { create: true })).toThrow(elsewhere);
    const reader = openStoreReadOnly(path);
    expect(reader.elsewhere).toContain(why.replace(/^an? /, ''));
    expect([...reader.events.all()].length).toBeGreaterThan(10);
    reader.close();
  });

  test.each([
    [
      'an endless view for the events',
      `ALTER TABLE events RENAME TO kept; CREATE VIEW events AS ${endless}`,
      'the view "events"',
    ],
    ['a generated column', generated, 'a virtual table or column'],
    ['a stored generated column', generated.replace('VIRTUAL', 'STORED'), 'a generated column'],
    ['a virtual table', 'CREATE VIRTUAL TABLE v USING fts5(a)', 'a virtual table'],
  ])('%s is not even read', (name, sql, why) => {
    const path = prepared(`${name}.db`, sql);
    expect(() => openStore(path, { create: true })).toThrow(elsewhere);
    expect(() => openStoreReadOnly(path)).toThrow(code('store-unreadable'));
    expect(() => openStoreReadOnly(path)).toThrow(why);
  });

  test('a foreign store with damaged pages is not read', () => {
    const path = prepared(
      'damaged.db',
      "CREATE TABLE more (a); UPDATE sqlite_schema SET rootpage = 2 WHERE name = 'more'".replace(
        'UPDATE',
        'PRAGMA writable_schema = ON; UPDATE',
      ),
    );
    expect(() => openStoreReadOnly(path)).toThrow('the store is damaged');
    // Nor is a large one: only our own opens without being read whole.
    truncateSync(path, 1.1e9);
    expect(() => openStoreReadOnly(path)).toThrow('the store is damaged');
  });

  test('every connection is defensive and trusts no schema', () => {
    for (const { db, close } of [
      openForReading(prepared('own.db', '')),
      openForWriting(prepared('own-written.db', ''), { create: false, durability: 'normal' }),
    ]) {
      expect(['trusted_schema', 'cell_size_check'].map((name) => db.pragma(name, { simple: true }))).toEqual([0, 1]);
      db.pragma('writable_schema = ON');
      expect(() => db.exec("UPDATE sqlite_schema SET sql = ''")).toThrow('may not be modified');
      close();
    }
  });
});

describe('security 33: whose file it is', () => {
  test('a second name of a store lets no second writer in, and its first one stops writing where only the name is left', async () => {
    const [path, other] = [room.path('named.db'), room.path('second-name.db')];
    const first = openStore(path, { create: true });
    add(first);
    linkSync(path, other);
    expect(() => openStore(other, { create: true })).toThrow(elsewhere);
    expect(() => openStoreReadOnly(other)).toThrow('made while the store was in use');
    // Nothing of it was lost.
    add(first);
    const reader = openStoreReadOnly(path);
    expect(reader.elsewhere).toContain('2 names');
    expect(reader.events.chain('some-chain')).toHaveLength(2);
    reader.close();
    rmSync(path);
    expect(() => openStore(other, { create: true })).toThrow(code('store-in-use'));
    expect(() => add(first)).toThrow(code('store-unreadable'));
    first.close();
  });

  test('a store that was closed is whole under its second name, which is read only', () => {
    const [path, other] = [room.path('closed.db'), room.path('closed-second.db')];
    copyFileSync(sample, path);
    linkSync(path, other);
    const reader = openStoreReadOnly(other);
    expect([reader.elsewhere, [...reader.events.all()].length > 10]).toEqual([expect.stringContaining('hard links'), true]);
    reader.close();
    rmSync(path);
    openStore(other, { create: false }).close();
  });

  test.skipIf(process.getuid?.() !== 0)("another user's store, log or lock is not believed", () => {
    const { uid = 0 } = ordinaryUser();
    for (const suffix of ['', '-wal']) {
      const path = prepared(`owned${suffix}.db`, '');
      if (suffix !== '') writeFileSync(path + suffix, '');
      chownSync(path + suffix, uid, uid);
      expect(() => openStore(path, { create: true }), suffix).toThrow(elsewhere);
      const reader = openStoreReadOnly(path);
      expect(reader.elsewhere).toContain('another user');
      reader.close();
    }
    const path = prepared('owned-lock.db', '');
    writeFileSync(`${path}.lock`, '');
    chownSync(`${path}.lock`, uid, uid);
    expect(() => openStore(path, { create: true })).toThrow(/the lock cannot be trusted: .* remove it/);
  });

  test('a lock or log that is a link is not followed', () => {
    const path = prepared('linked-lock.db', '');
    writeFileSync(room.path('letter'), 'kept');
    symlinkSync(room.path('letter'), `${path}.lock`);
    expect(() => openStore(path, { create: true })).toThrow('not a regular file');
    rmSync(`${path}.lock`);
    symlinkSync(room.path('letter'), `${path}-journal`);
    expect(() => openStore(path, { create: true })).toThrow(elsewhere);
  });

  test.skipIf(process.platform === 'win32')(
    'what others may read is taken away from them, and what is made is for its owner alone',
    () => {
      mkdirSync(room.path('loose'));
      vi.stubEnv('XDG_CONFIG_HOME', room.path('own-configuration'));
      const path = room.path('loose/new/store.db');
      openStore(path, { create: true }).close();
      expect([room.path('loose/new'), path, `${path}.lock`].map(mode)).toEqual(['700', '600', '600']);
      for (const suffix of ['', '.lock']) chmodSync(path + suffix, 0o666);
      const again = openStore(path, { create: true });
      add(again);
      expect(['', '.lock', '-wal', '-shm'].map((suffix) => mode(path + suffix))).toEqual(['600', '600', '600', '600']);
      expect(mode(room.path('own-configuration/assize/locks'))).toBe('700');
      again.close();
      expect(readdirSync(room.path('own-configuration/assize/locks'))).toEqual([]);
      // Folders that were there are their owner's business, but for the usual one.
      expect(mode(room.path('loose'))).not.toBe('700');
      vi.stubEnv('XDG_DATA_HOME', room.path('data'));
      mkdirSync(room.path('data/assize'), { recursive: true, mode: 0o755 });
      if (process.platform === 'linux') {
        openStore(room.path('data/assize/assize.db'), { create: true }).close();
        expect(mode(room.path('data/assize'))).toBe('700');
      }
    },
  );
});

describe('security 34: a lock that is removed while it is held', () => {
  const second = (path: string, configuration: string) =>
    startChild(
      path,
      `
      process.env.XDG_CONFIG_HOME = ${JSON.stringify(configuration)};
      try {
        const store = openStore(path, { create: false });
        store.write(() => store.events.append('some-chain', 'measure-take', { v: 1, key: 'k', name: 'n', value: 2 }));
        store.close();
        say('written');
      } catch (error) { say('refused ' + error.code); }
      `,
    );

  test('lets no second writer in, and the first one stops', async () => {
    const path = room.path('removed.db');
    const first = openStore(path, { create: true });
    add(first);
    rmSync(`${path}.lock`);
    const child = second(path, room.path('configuration'));
    expect(await child.said('refused')).toBe('store-in-use');
    await child.ended;
    expect(() => add(first)).toThrow(code('store-in-use'));
    expect(() => add(first)).toThrow(/removed or replaced/);
    first.close();
    openStore(path, { create: false }).close();
  });

  test('and where the second one has another home, the first one writes nothing into the chains of the second', async () => {
    const path = room.path('two-homes.db');
    const first = openStore(path, { create: true });
    add(first);
    rmSync(`${path}.lock`);
    const child = second(path, room.path('another-home'));
    await child.said('written');
    await child.ended;
    expect(() => add(first)).toThrow(code('store-in-use'));
    first.close();
    const reader = openStoreReadOnly(path);
    expect(reader.events.chain('some-chain').map(({ seq }) => seq)).toEqual([0, 1]);
    reader.close();
  });

  test.skipIf(process.platform === 'win32')('a user without a folder for locks has the lock next to the store', () => {
    writeFileSync(room.path('no-folder'), '');
    vi.stubEnv('XDG_CONFIG_HOME', room.path('no-folder'));
    const path = room.path('alone.db');
    const first = openStore(path, { create: true });
    expect(() => openStore(path, { create: true })).toThrow(code('store-in-use'));
    first.close();
    expect(existsSync(`${path}.lock`)).toBe(true);
  });
});
