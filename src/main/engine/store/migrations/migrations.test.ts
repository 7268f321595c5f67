import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { reviewEvents } from '../../../../shared/events/review.ts';
import { eventSchemas } from '../../../../shared/events.ts';
import { openFolder } from '../../audit/testing/sampleStore.ts';
import { verifyPath } from '../../audit/testing/tampering.ts';
import { replay, stats } from '../../engine.ts';
import { parseChain } from '../parseChain.ts';
import { openStore, openStoreReadOnly } from '../store.ts';
import { migrations, newestVersion } from './index.ts';

const room = openFolder('migrations');

interface Table {
  readonly columns: readonly string[];
  readonly strict: number;
  /** Without rowid. */
  readonly wr: number;
}

/** Columns of each table as `name type`, with `!` where null is refused and `*` where it is part of the primary key. */
function tablesOf(path: string): Record<string, Table> {
  const db = new Database(path, { readonly: true });
  try {
    const tables = db
      .prepare<[], { name: string; strict: number; wr: number }>(
        "SELECT name, strict, wr FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite_%'",
      )
      .all();
    const columns = db.prepare<[string], { name: string; type: string; required: number; pk: number }>(
      'SELECT name, type, "notnull" AS required, pk FROM pragma_table_info(?)',
    );
    const spelled = (table: string) =>
      columns.all(table).map(({ name, type, required, pk }) => `${name} ${type}${required === 1 ? '!' : ''}${pk > 0 ? '*' : ''}`);
    return Object.fromEntries(tables.map(({ name, strict, wr }) => [name, { strict, wr, columns: spelled(name) }]));
  } finally {
    db.close();
  }
}

/** Hashes of the ends of attempts, in the order in which they were written. */
function endsOf(path: string): Buffer[] {
  const db = new Database(path, { readonly: true });
  try {
    return db.prepare<[], Buffer>("SELECT hash FROM events WHERE kind = 'trial-close' ORDER BY rowid").pluck().all();
  } finally {
    db.close();
  }
}

test('versions are numbered without a gap, from 1', () => {
  expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_migration, index) => index + 1));
});

describe('a new store', () => {
  const path = room.path('new.db');

  test('has the marks of the file, its first data set, its journal, and strict tables', () => {
    openStore(path, { create: true }).close();
    for (const [name, { strict }] of Object.entries(tablesOf(path))) expect(strict, name).toBe(1);
    const db = new Database(path);
    expect(db.pragma('application_id', { simple: true })).toBe(0x41535a45);
    expect(db.pragma('user_version', { simple: true })).toBe(newestVersion);
    expect(db.pragma('encoding', { simple: true })).toBe('UTF-8');
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(db.prepare('SELECT id, hex(salt) AS salt, manifest FROM datasets').all()).toEqual([
      { id: 0, salt: '', manifest: null },
    ]);
    db.close();
  });

  test('is made once: opening it again changes nothing', () => {
    const before = readFileSync(path);
    openStore(path, { create: true }).close();
    openStore(path, { create: false }).close();
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});

describe('fixture stores', () => {
  const fixture = (version: number) => join(import.meta.dirname, `../fixtures/format-${version}.db.gz`);
  const unpack = (version: number, name: string) => {
    const path = room.path(name);
    writeFileSync(path, gunzipSync(readFileSync(fixture(version))));
    return path;
  };

  test('there is one of every format', () => {
    for (const { version } of migrations) expect(existsSync(fixture(version)), `format ${version}`).toBe(true);
  });

  test('a store of format 1 is read, verified and counted by the present program', async () => {
    const path = unpack(1, 'format-1.db');
    expect(verifyPath(path)).toMatchObject({ result: 'intact', trials: 6, first_bad: null });
    const store = openStoreReadOnly(path);
    const kinds = new Set(
      store.events.names('').flatMap((chain) => parseChain(store.events.chain(chain)).map(({ kind }) => kind)),
    );
    const attempts = store.trials.all().map(({ attempt }) => attempt);
    store.close();
    const calls = ['call-answer', 'utterance-make', 'belief-update', 'turn-forfeit', 'ruling-give'];
    expect([...kinds].toSorted()).toEqual(
      ['experiment-freeze', 'experiment-extend', 'trial-open', ...calls, 'trial-close'].toSorted(),
    );
    expect(Math.max(...attempts)).toBe(2);
    const { arms } = await stats(
      path,
      'fixture ü',
      { resamples: 100, cache: null },
      { signal: new AbortController().signal, onProgress: () => undefined },
    );
    expect(arms.map(({ arm }) => arm)).toEqual(['examples', 'court']);
  });

  test('a store of format 1 has an empty docket for a reader, until a writer brings it up to date', () => {
    const path = unpack(1, 'format-1-docket.db');
    const reader = openStoreReadOnly(path);
    expect([reader.dataFiles.list(), reader.dataFiles.get('a'), reader.runs.unended(), reader.runs.ofEntry('a')]).toEqual([
      [],
      undefined,
      [],
      [],
    ]);
    expect(reader.runs.of('fixture ü')).toBeUndefined();
    const writer = openStore(path, { create: false });
    writer.runs.save({ experiment: 'fixture ü', backend: 'ollama', concurrency: 1, session: 'one' });
    writer.close();
    expect(reader.runs.unended()).toEqual([
      { experiment: 'fixture ü', backend: 'ollama', concurrency: 1, session: 'one', retry: [], entry: null },
    ]);
    reader.close();
  });

  test('a store of format 2 has its docket and its runs', () => {
    const store = openStoreReadOnly(unpack(2, 'format-2.db'));
    const [entry] = store.dataFiles.list();
    expect(entry).toMatchObject({ id: 'added-1', name: 'Four people ü', format: 'csv', cases: 4, labels: ['NO', 'YES'] });
    expect(entry?.definition).toMatchObject({ kind: 'tabular', id: 'id', groups: ['place'], split: { test: 0.5, train: 0.5 } });
    expect(store.runs.ofEntry('added-1')).toEqual(['fixture ü']);
    expect(store.runs.of('fixture ü')).toMatchObject({ backend: 'standin', concurrency: 2, session: 'one', retry: ['overflow'] });
    store.close();
  });

  test('the log of a store of an older format has its ends in the order in which they were written, and one name for good', () => {
    const path = unpack(3, 'format-3-log.db');
    const reader = openStoreReadOnly(path);
    expect([reader.log.origin(), reader.log.size(), reader.log.checkpoints(), reader.log.newestLeaf('a')]).toEqual([
      null,
      0,
      [],
      undefined,
    ]);
    reader.close();
    const origins = [1, 2].map(() => {
      const writer = openStore(path, { create: false });
      const origin = writer.log.origin();
      expect([...writer.log.leaves()].map(({ head }) => head)).toEqual(endsOf(path));
      writer.close();
      return origin;
    });
    expect(origins[0]).toMatch(/^assize\.invalid\/log\/[0-9a-f]{32}$/);
    expect(origins[1]).toBe(origins[0]);
  });

  test('a store of format 4 has a checkpoint, signed and cosigned', () => {
    expect(verifyPath(unpack(4, 'format-4-log.db')).log).toMatchObject({
      checkpoints: 6,
      time_stamps: 1,
      signed: 32,
      cosigned: 32,
    });
  });

  test('a store of format 5 lacks the texts of a case, and says so', async () => {
    const path = unpack(5, 'format-5-erased.db');
    expect(verifyPath(path)).toMatchObject({ result: 'intact', erasures: [{ scope: 'case', texts: 76, salt: false }] });
    const replayed = await replay(path, undefined, () => undefined);
    expect(replayed).toMatchObject({ different: 0, erased: 8 });
  });

  test('a store of format 2 has imported predictions, which are read again from what the file said', async () => {
    const path = unpack(2, 'format-2-imported.db');
    const store = openStoreReadOnly(path);
    const imported = store.trials.all().filter(({ protocol }) => protocol === 'imported');
    store.close();
    const values = imported.map(({ arm, outcome, prediction, confidence }) => [arm, outcome, prediction, confidence]);
    expect(values.toSorted()).toEqual([
      ['inspector', 'decided', '"YES"', 0.9],
      ['inspector', 'undecided', null, null],
    ]);
    expect(await replay(path, undefined, () => undefined)).toMatchObject({ identical: imported.length, different: 0 });
  });

  test('a store of format 2 has every kind of event of its time, and is verified', async () => {
    const path = unpack(2, 'format-2-record.db');
    expect(verifyPath(path)).toMatchObject({ result: 'intact', first_bad: null });
    const store = openStoreReadOnly(path);
    const kinds = new Set(
      store.events.names('').flatMap((chain) => parseChain(store.events.chain(chain)).map(({ kind }) => kind)),
    );
    const rows = store.trials.all();
    store.close();
    const later = new Set(['step-take', 'text-erase', ...Object.keys(reviewEvents)]);
    expect([...kinds].toSorted()).toEqual(
      Object.keys(eventSchemas)
        .filter((kind) => !later.has(kind))
        .toSorted(),
    );
    expect(new Set(rows.map(({ ambiguous }) => ambiguous)).size).toBeGreaterThan(1);
  });

  test.each(migrations.map(({ version }) => version))(
    'a store of format %i is brought up to date by a writer, and its record stays as it was',
    (version) => {
      const path = unpack(version, `format-${version}-written.db`);
      const { format, ...before } = verifyPath(path);
      expect(format).toEqual(version === newestVersion ? undefined : { now: version, after_writing: newestVersion });
      openStore(path, { create: false }).close();
      const db = new Database(path, { readonly: true });
      expect(db.pragma('user_version', { simple: true })).toBe(newestVersion);
      db.close();
      const after = verifyPath(path);
      expect(after).toEqual({ ...before, log: after.log });
      expect(after.log).toMatchObject({ size: before.log?.size ?? endsOf(path).length });
      const fresh = room.path(`fresh-${version}.db`);
      openStore(fresh, { create: true }).close();
      expect(tablesOf(path)).toEqual(tablesOf(fresh));
    },
  );
});
