import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { verifyPath } from '../main/engine/audit/testing/tampering.ts';
import { readingTables } from '../main/engine/testing/reading.ts';
import { exhaustive } from '../shared/exhaustive.fixture.ts';
import { openBench } from './testing.ts';

const kills = exhaustive ? { erasure: 40, migration: 40 } : { erasure: 1, migration: 1 };
const packed = readFileSync(join(import.meta.dirname, '../main/engine/store/fixtures/every-protocol.db.br'));
const old = readFileSync(join(import.meta.dirname, '../main/engine/store/fixtures/format-2.db.gz'));
const bench = await openBench({});

function write(store: string, bytes: Uint8Array): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(store + suffix, { force: true });
  writeFileSync(store, bytes);
}

test(`an erasure killed at ${kills.erasure} random moments is done or not begun, and the next one finishes it`, {
  timeout: 600_000,
}, async () => {
  const store = bench.path('killed.db');
  const bytes = brotliDecompressSync(packed);
  write(store, bytes);
  const select = `SELECT bytes FROM blobs WHERE dataset = (SELECT dataset FROM experiments WHERE name = 'binary')
    AND length(bytes) BETWEEN 200 AND 2000 ORDER BY ref LIMIT 1`;
  const text = readingTables(store, (db) => db.prepare<[], Buffer>(select).pluck().get()) ?? Buffer.alloc(0);
  expect(readFileSync(store).indexOf(text)).toBeGreaterThan(0);
  const seen = { before: 0, cleaning: 0, after: 0 };
  const words = `erase binary --data-set --yes --store ${store}`;
  await bench.killAtRandom(
    words,
    kills.erasure,
    () => write(store, bytes),
    async () => {
      const verified = verifyPath(store);
      expect(verified.first_bad).toBeNull();
      const done = verified.erasures?.length ?? 0;
      seen[done === 0 ? 'before' : verified.erasure_unfinished ? 'cleaning' : 'after'] += 1;
      expect((await bench.assize(done === 0 ? words : `erase --store ${store}`)).code).toBe(0);
      expect(verifyPath(store)).toMatchObject({ result: 'intact', erasures: [{ scope: 'data-set' }], erasure_unfinished: false });
      expect(readFileSync(store).indexOf(text)).toBe(-1);
    },
  );
  console.info(`before: ${seen.before}, while it cleaned: ${seen.cleaning}, after: ${seen.after}`);
});

test(`a store of format 2 that is brought up to date is whole after ${kills.migration} kills`, {
  timeout: 600_000,
}, async () => {
  const store = bench.path('old.db');
  const fresh = () => write(store, gunzipSync(old));
  fresh();
  const { trials, events, root } = verifyPath(store);
  await bench.killAtRandom(`rebuild ${store}`, kills.migration, fresh, async () => {
    expect(verifyPath(store)).toMatchObject({ result: 'intact', trials, events, root });
    expect((await bench.assize(`rebuild ${store}`)).code).toBe(0);
    expect(verifyPath(store)).toMatchObject({ result: 'intact', trials, events, root });
  });
});
