import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type Database from 'better-sqlite3';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { eventHash, genesisHash, toHex } from '../../../core/record/hash.ts';
import { AssizeError } from '../../../shared/errors.ts';
import { exhaustive } from '../../../shared/exhaustive.fixture.ts';
import { openStore } from '../store/store.ts';
import { reading } from '../testing/reading.ts';
import { problemOf } from './chain.ts';
import { secondVerifier } from './testing/pythonVerifier.ts';
import { makeSampleStore, openFolder } from './testing/sampleStore.ts';
import { verifyPath, withCopy } from './testing/tampering.ts';

type Db = Database.Database;
/** Gives a whole number from 0 on, below a limit. */
type Draw = (limit: number) => number;

const room = openFolder('forgeries');
const python = secondVerifier();
let store: string;

beforeAll(async () => {
  store = await makeSampleStore(room.folder, { cases: 2 });
});

const pick = <T>(draw: Draw, list: readonly T[]): T => {
  const found = list[draw(list.length)];
  if (found === undefined) throw new Error('there is nothing to pick');
  return found;
};

const trialsOf = (db: Db) =>
  db.prepare<[], string>("SELECT trial FROM trials WHERE status = 'done' ORDER BY trial").pluck().all();

interface RawEvent {
  kind: string;
  payload: string;
}

/** Rewrites a chain with right hashes and a right head in its row, as the owner of the machine could. */
function rechain(db: Db, draw: Draw, change: (events: RawEvent[], at: number) => void): void {
  const trial = pick(draw, trialsOf(db));
  const events = db.prepare<[string], RawEvent>('SELECT kind, payload FROM events WHERE trial = ? ORDER BY seq').all(trial);
  change(events, draw(events.length));
  db.prepare('DELETE FROM events WHERE trial = ?').run(trial);
  let link: Uint8Array = genesisHash(trial);
  for (const [seq, { kind, payload }] of events.entries()) {
    const hash = eventHash(link, seq, kind, Buffer.from(payload));
    db.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)').run(
      trial,
      seq,
      kind,
      payload,
      Buffer.from(link),
      Buffer.from(hash),
    );
    link = hash;
  }
  db.prepare('UPDATE trials SET head_hash = ? WHERE trial = ?').run(toHex(link), trial);
}

const onPayload = (change: (payload: string) => string) => (db: Db, draw: Draw) =>
  rechain(db, draw, (events, at) => {
    const event = events[at];
    if (event !== undefined) event.payload = change(event.payload);
  });

/** Remakes a table without its keys; the file is no longer as the program makes it. */
function withoutKey(db: Db, table: string): void {
  db.exec(`CREATE TABLE plain AS SELECT * FROM ${table}; DROP TABLE ${table}; ALTER TABLE plain RENAME TO ${table}`);
}

/** The same behind SQLite's back: the text of the schema says that there is a key, and there are two rows of it. */
function twoRows(db: Db): void {
  const trial = db.prepare<[], string>('SELECT trial FROM trials LIMIT 1').pluck().get() ?? '';
  const sql = db.prepare<[], string>("SELECT sql FROM sqlite_schema WHERE name = 'trajectories'").pluck().get() ?? '';
  db.unsafeMode(true);
  db.pragma('writable_schema = ON');
  db.prepare("UPDATE sqlite_schema SET sql = ? WHERE name = 'trajectories'").run(sql.replace(' PRIMARY KEY', ''));
  db.prepare("DELETE FROM sqlite_schema WHERE name = 'sqlite_autoindex_trajectories_1'").run();
  db.pragma('writable_schema = RESET');
  db.prepare('INSERT INTO trajectories SELECT * FROM trajectories WHERE trial = ?').run(trial);
}

/** What a forger does to one place of a record. */
const forgeries: Record<string, (db: Db, draw: Draw) => void> = {
  'no primary key of trials': (db) => withoutKey(db, 'trials'),
  'no unique events': (db) => withoutKey(db, 'events'),
  'two rows behind a key that is named and not there': twoRows,
  'a trigger': (db) =>
    void db.exec('CREATE TRIGGER hides AFTER INSERT ON trials BEGIN DELETE FROM trials WHERE trial = new.trial; END'),
  'a view in place of a table': (db) =>
    void db.exec(
      'ALTER TABLE events RENAME TO kept; CREATE VIEW events AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT kept.* FROM kept, n',
    ),
  'a generated column': (db) => void db.exec("ALTER TABLE trials ADD COLUMN more TEXT AS ('x')"),
  'a partial index': (db) => void db.exec("CREATE INDEX part ON trials (trial) WHERE outcome = 'decided'"),
  'a table too many': (db) => void db.exec('CREATE TABLE more (id INTEGER)'),
  'an older format': (db) => void db.pragma('user_version = 1'),
  'an event gone': (db, draw) => rechain(db, draw, (events, at) => void events.splice(Math.min(at, events.length - 2), 1)),
  'the end gone': (db, draw) => rechain(db, draw, (events) => void events.pop()),
  'an event after the end': (db, draw) =>
    rechain(
      db,
      draw,
      (events) => void events.push({ kind: 'measure-take', payload: '{"v":1,"key":"late","name":"late","value":1}' }),
    ),
  'a second end': (db, draw) =>
    rechain(db, draw, (events) => void events.push({ ...(events.at(-1) ?? { kind: '', payload: '' }) })),
  'a key twice': onPayload((payload) => payload.replace('{', '{"v":2,')),
  'a key too many': onPayload((payload) => payload.replace(/\}$/, ',"more":1}')),
  'a key too few': onPayload((payload) => payload.replace('"v":1,', '')),
  'a space': onPayload((payload) => payload.replace(':', ': ')),
  'another spelling of a number': onPayload((payload) => payload.replace('"v":1', '"v":1.0')),
  'another spelling of a letter': onPayload((payload) =>
    payload.replace(/"(\w)(\w*)":/, (_all, first: string, rest: string) => `"\\u00${first.charCodeAt(0).toString(16)}${rest}":`),
  ),
  'an unknown kind': (db, draw) =>
    rechain(db, draw, (events, at) => void Object.assign(events[at] ?? {}, { kind: 'other-kind' })),
  'events that change places': (db, draw) =>
    rechain(db, draw, (events) => {
      const [first, second, ...rest] = events;
      if (first !== undefined && second !== undefined) events.splice(0, events.length, second, first, ...rest);
    }),
};

/** A store with a view in place of a table is not opened at all. */
function verdictOf(path: string): string {
  try {
    return verifyPath(path).result;
  } catch (error) {
    if (error instanceof AssizeError && error.exitCode === 2) return error.code;
    throw error;
  }
}

test.each(Object.entries(forgeries))('both verifiers see %s', async (_name, forge) => {
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })), async (numbers) => {
      const draw: Draw = (limit) => Math.floor((numbers.next().value ?? 0) * limit);
      await withCopy(
        store,
        (db) => forge(db, draw),
        async (path) => {
          expect(verdictOf(path)).not.toBe('intact');
          // Undefined where there is no Python, which the start of this file says.
          expect((await python.verify(path))?.result ?? 'tampered').toBe('tampered');
        },
      );
    }),
    { numRuns: exhaustive ? 90 : 2 },
  );
});

test('a payload of 100000 brackets in a chain with right hashes is named by both verifiers, with its place', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  await withCopy(
    store,
    (db) =>
      rechain(
        db,
        () => 0,
        (events) => {
          for (const event of events.slice(0, 1)) event.payload = `{"v":1,"at":${deep}}`;
        },
      ),
    async (path) => {
      const report = verifyPath(path);
      expect(report.first_bad).toMatchObject({ seq: 0, problem: 'it is nested deeper than a record has it' });
      await python.agrees(path, report);
    },
  );
});

test('only a full stack is called deep nesting', () => {
  const thrown = (message: string) =>
    problemOf(() => {
      throw new RangeError(message);
    });
  expect(thrown('Invalid string length')).toBe('it cannot be read: Invalid string length');
  const endless = (): string => `${endless()}.`;
  expect(problemOf(endless)).toBe('it is nested deeper than a record has it');
});

test('texts that unpack to far more than the file are not unpacked', async () => {
  const bomb = deflateSync(Buffer.alloc(200 * 2 ** 20));
  await withCopy(
    store,
    (db) => void db.prepare('INSERT INTO blobs (ref, dataset, encoding, bytes) VALUES (?, 0, 1, ?)').run(randomBytes(32), bomb),
    async (path) => {
      expect(verifyPath(path)).toMatchObject({
        result: 'tampered',
        first_bad: { problem: expect.stringContaining('cannot be unpacked') },
      });
      expect((await python.verify(path))?.result ?? 'tampered').toBe('tampered');
    },
  );
});

test('a store that was not touched is intact, also after it was opened and closed', async () => {
  openStore(store, { create: false }).close();
  expect(reading(store, (opened) => opened.schemaProblem())).toBeNull();
  await python.agrees(store, verifyPath(store));
  expect(verifyPath(store).result).toBe('intact');
});
