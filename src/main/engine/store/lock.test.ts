import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openFolder } from '../audit/testing/sampleStore.ts';
import { openStore, openStoreReadOnly } from './store.ts';
import { startChild } from './testing/child.ts';

const room = openFolder('lock');

const hold = `
  const store = openStore(path, { create: true });
  say('holds');
  await released();
  store.close();
  say('closed');
`;

const inUse = expect.objectContaining({ code: 'store-in-use', exitCode: 5 });

test('a second writer in another process sees that the store is in use, until the first one closes it', async () => {
  const path = room.path('close.db');
  const holder = startChild(path, hold);
  await holder.said('holds');
  expect(() => openStore(path, { create: true })).toThrow(inUse);
  openStoreReadOnly(path).close();
  holder.release();
  await holder.said('closed');
  openStore(path, { create: false }).close();
  await holder.ended;
});

test('a killed holder leaves no lock behind', async () => {
  const path = room.path('kill.db');
  const holder = startChild(path, hold);
  await holder.said('holds');
  expect(() => openStore(path, { create: true })).toThrow(inUse);
  holder.kill();
  await holder.ended;
  openStore(path, { create: false }).close();
});

test('one process cannot write twice either, and a refused attempt leaves the lock with its holder', () => {
  const path = room.path('twice.db');
  const first = openStore(path, { create: true });
  expect(() => openStore(path, { create: true })).toThrow(inUse);
  expect(() => openStore(path, { create: true })).toThrow(inUse);
  first.close();
  first.close();
  openStore(path, { create: true }).close();
});

test('an opening that fails gives the lock back', () => {
  const path = room.path('text.db');
  writeFileSync(path, 'no store');
  for (let attempt = 0; attempt < 2; attempt++)
    expect(() => openStore(path, { create: true })).toThrow(expect.objectContaining({ code: 'store-unreadable' }));
});

test('a lock file that is no database is reported as such', () => {
  const path = room.path('garbage.db');
  writeFileSync(`${path}.lock`, 'x'.repeat(2000));
  expect(() => openStore(path, { create: true })).toThrow(expect.objectContaining({ code: 'store-unreadable' }));
});

test('readers work while another process writes, and see one moment each', async () => {
  const path = room.path('read.db');
  const writer = startChild(
    path,
    `
    const store = openStore(path, { create: true });
    let going = true;
    released().then(() => { going = false; });
    for (let value = 0; going; value++) {
      // Both chains in one transaction: readers see both events or neither.
      store.write(() => { for (const chain of ['left', 'right']) store.events.append(chain, 'measure-take', { v: 1, key: 'k' + value, name: 'n', value }); });
      if (value === 0) say('writes');
      // Seldom enough that chains stay short: readers read them whole.
      await new Promise((done) => setTimeout(done, 5));
    }
    store.close();
    `,
  );
  await writer.said('writes');
  const reader = openStoreReadOnly(path);
  const seen: number[] = [];
  try {
    for (let round = 0; round < 60 || seen.at(-1) === seen[0]; round++) {
      const [left, right, again] = reader.read(() => {
        const first = reader.events.chain('left').length;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4);
        return [first, reader.events.chain('right').length, reader.events.chain('left').length];
      });
      expect(right).toBe(left);
      expect(again).toBe(left);
      seen.push(left ?? 0);
    }
    const awaited = await reader.snapshot(async () => {
      const first = reader.events.chain('left').length;
      await new Promise((done) => setTimeout(done, 30));
      return [first, reader.events.chain('right').length];
    });
    expect(awaited[0]).toBe(awaited[1]);
  } finally {
    reader.close();
    writer.release();
    await writer.ended;
  }
  expect(seen.at(-1)).toBeGreaterThan(seen[0] ?? 0);
});

test('a writer has no snapshot that awaits: what others write meanwhile would be part of it', async () => {
  const store = openStore(room.path('snapshot.db'), { create: true });
  await expect(store.snapshot(() => Promise.resolve())).rejects.toThrow('opened for reading');
  store.close();
});

test('reading leaves no file next to a store and the store as it was, and takes none from who still reads', () => {
  const path = room.path('read-only.db');
  openStore(path, { create: true }).close();
  const before = readFileSync(path);
  const files = () => readdirSync(room.folder).filter((name) => name.startsWith('read-only.db') && !name.endsWith('.lock'));
  openStoreReadOnly(path).close();
  expect(files()).toEqual(['read-only.db']);
  const [one, other] = [openStoreReadOnly(path), openStoreReadOnly(path)];
  one.close();
  expect(existsSync(`${path}-wal`)).toBe(true);
  expect(other.trials.all()).toEqual([]);
  other.close();
  expect(readFileSync(path).equals(before)).toBe(true);
});
