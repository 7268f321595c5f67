import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { openFolder } from '../audit/testing/sampleStore.ts';
import { openStore, openStoreReadOnly } from '../store/store.ts';
import { withStore } from '../store/withStore.ts';
import { openStoreAccess } from './storeAccess.ts';
import { openEngineRoom } from './testing/engineRoom.ts';
import { until } from './testing/runs.ts';

const { path } = openFolder('store-access');

describe('the first error is the one that is reported', () => {
  test('also where the store cannot be closed after it', async () => {
    const access = openStoreAccess(path('first.db'));
    const action = access.write((store) => {
      store.close();
      throw new Error('the cause');
    });
    await expect(action).rejects.toThrow('the cause');
    // Nothing is left open: the next action finds the store.
    expect(await access.write((store) => store.experiments.names())).toEqual([]);
  });
});

describe('a store that was replaced while it is open', () => {
  test('takes no further action, and the one that lies there now is taken when the open one is let go', async () => {
    const file = path('replaced.db');
    const access = openStoreAccess(file);
    await access.write(async () => {
      access.checkPlace();
      renameSync(file, path('elsewhere.db'));
      openStore(path('new.db'), { create: true }).close();
      renameSync(path('new.db'), file);
      expect(() => access.checkPlace()).toThrow('moved or removed');
      await expect(access.write(() => 'done')).rejects.toMatchObject({ code: 'store-unreadable' });
    });
    expect(await access.write(() => 'done')).toBe('done');
  });
});

describe('whether another program writes', () => {
  test('is reported without preventing anyone from writing', () => {
    const file = path('asked.db');
    const access = openStoreAccess(file);
    expect(access.writtenElsewhere()).toBe(false);
    const writer = openStore(file, { create: true });
    expect(access.writtenElsewhere()).toBe(true);
    writer.close();
    expect(access.writtenElsewhere()).toBe(false);
    openStore(file, { create: false }).close();
  });

  test('is never this one', async () => {
    const access = openStoreAccess(path('own.db'));
    expect(await access.write(() => access.writtenElsewhere())).toBe(false);
  });
});

test.each([
  ['SQLITE_IOERR_WRITE', 'disk could not be read or written'],
  ['SQLITE_FULL', 'disk is full'],
])('%s becomes a sentence', async (code, sentence) => {
  const access = openStoreAccess(path('disk.db'));
  const broken = access.write((store) =>
    store.write(() => {
      throw new Database.SqliteError('of the system', code);
    }),
  );
  await expect(broken).rejects.toMatchObject({ name: 'AssizeError', message: expect.stringContaining(sentence) });
});

test('what an older program wrote is prepared for figures during the first action, and a service that ends leaves the rest to the next', async () => {
  const fixture = join(import.meta.dirname, '../store/fixtures/every-protocol.db.br');
  const room = openEngineRoom({ name: 'preparing' });
  writeFileSync(room.path('store.db'), brotliDecompressSync(readFileSync(fixture)));
  const shown = new Set<string>();
  room.service.progress.onChange(() => {
    const { share, what } = room.service.progress.of('binary') ?? {};
    if (share !== undefined) shown.add(`${what} ${share > 0 ? 'some' : 'none'}`);
  });
  const left = () => withStore(openStoreReadOnly(room.path('store.db')), (s) => s.trajectories.missing(null).length);
  await room.service.store.write(() => undefined);
  const again = await room.reopen(2);
  expect(await left()).toBeGreaterThan(0);
  await again.service.store.write(() => undefined);
  await until(async () => (await left()) === 0);
  expect([...shown]).toContain('preparing the figures none');
  expect([room.kept, again.kept]).toEqual([[], []]);
  await again.close();
});

test('security 32: screens are informed that a store is from elsewhere, can read it, and cannot write', async () => {
  const room = openEngineRoom({ name: 'foreign' });
  openStore(room.path('store.db'), { create: true }).close();
  const db = new Database(room.path('store.db'));
  db.exec('CREATE TRIGGER t AFTER UPDATE ON state BEGIN DELETE FROM events; END');
  db.close();
  await room.service.recover();
  expect(await room.client.engine.status({})).toMatchObject({ elsewhere: expect.stringContaining('trigger "t"') });
  expect((await room.client.experiments.list({})).experiments).toEqual([]);
  await expect(room.service.store.write(() => undefined)).rejects.toMatchObject({ code: 'store-elsewhere' });
  expect(room.kept).toEqual([]);
  await room.close();
});
