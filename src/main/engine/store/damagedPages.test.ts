import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { secondVerifier } from '../audit/testing/pythonVerifier.ts';
import { makeSampleStore, openFolder } from '../audit/testing/sampleStore.ts';
import { verifyPath } from '../audit/testing/tampering.ts';
import { kept } from '../testing/kept.ts';
import { openStore, type Store } from './store.ts';

const room = openFolder('damaged-pages');
const python = secondVerifier();
const pageSize = 16384;
let sound: Buffer;

beforeAll(async () => {
  sound = readFileSync(await makeSampleStore(room.folder, { cases: 2 }));
});

/** A copy of the sample whose bytes were changed past SQLite. */
function damaged(change: (bytes: Buffer) => Buffer): string {
  const path = room.path('damaged.db');
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  writeFileSync(path, change(Buffer.from(sound)));
  return path;
}

const isDamage = (place: RegExp) =>
  expect.objectContaining({
    code: 'store-unreadable',
    exitCode: 2,
    message: expect.stringMatching(new RegExp(`^the store is damaged${place.source}: .* Nothing more is written to it`)),
  });

const everyThird = (pages: number) => Array.from({ length: pages }, (_, index) => index).filter((index) => index % 3 === 1);

test.each([
  ['a page of zeros', (page: Buffer) => page.fill(0)],
  ['a sector of zeros', (page: Buffer) => page.fill(0, 0, 4096)],
  ['a sector of other bytes', (page: Buffer) => page.fill(0xa5, 0, 4096)],
])('%s is called damage, before anything is written', async (_name, spoil) => {
  for (const index of everyThird(sound.length / pageSize)) {
    const path = damaged((bytes) => {
      spoil(bytes.subarray(index * pageSize, (index + 1) * pageSize));
      return bytes;
    });
    const before = readFileSync(path);
    // The page that is damaged, or the one that leads to it.
    const place = /( at page \d+ of \d+(, in the table "\w+")?)?/;
    expect(() => openStore(path, { create: true }), `page ${index + 1}`).toThrow(isDamage(place));
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(() => verifyPath(path), `page ${index + 1}`).toThrow(isDamage(place));
    expect((await python.verify(path))?.result ?? 'unreadable').toBe('unreadable');
  }
});

test('a copy that was cut short is called damaged', () => {
  const path = damaged((bytes) => bytes.subarray(0, 20 * pageSize + 100));
  expect(() => openStore(path, { create: true })).toThrow(isDamage(/()/));
  expect(() => verifyPath(path)).toThrow(isDamage(/()/));
});

test('after the first sign of damage nothing more is written, also where the next page is sound', () => {
  const path = damaged((bytes) => bytes);
  openStore(path, { create: false }).close();
  // It is not checked again as it was left, so no page of texts is in memory.
  const store = kept(openStore(path, { create: false }));
  const add = (to: Store) => to.write(() => to.events.append('a-chain', 'measure-take', { v: 1, key: 'k', name: 'n', value: 1 }));
  add(store);
  writeFileSync(path, Buffer.concat([sound.subarray(0, pageSize), Buffer.alloc(sound.length - pageSize)]));
  expect(() => store.read(() => [...store.blobs.all(1e9)])).toThrow(isDamage(/()/));
  writeFileSync(path, sound);
  expect(() => add(store)).toThrow(isDamage(/()/));
});
