import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { randomSource } from '../core/cases/shuffle.ts';
import { verifyPath } from '../main/engine/audit/testing/tampering.ts';
import { exhaustive } from '../shared/exhaustive.fixture.ts';
import { openBench } from './testing.ts';

const kills = exhaustive ? { erasure: 40, migration: 40 } : { erasure: 4, migration: 2 };
/** From before the store is opened to after the file was cleaned. */
const moments = { from: 200, to: 2000 };
const packed = readFileSync(join(import.meta.dirname, '../main/engine/store/fixtures/every-protocol.db.br'));
const old = readFileSync(join(import.meta.dirname, '../main/engine/store/fixtures/format-2.db.gz'));
const bench = await openBench({});

test(`an erasure killed at ${kills.erasure} random moments is done or not begun, and the next one finishes it`, {
  timeout: 600_000,
}, async () => {
  const seed = Date.now() % 2 ** 31;
  console.info(`seed of the moments: ${seed}`);
  const random = randomSource(seed, 'kill');
  const store = bench.path('killed.db');
  const seen = { before: 0, cleaning: 0, after: 0 };
  for (let killed = 0; killed < kills.erasure; ) {
    for (const suffix of ['', '-wal', '-shm']) rmSync(store + suffix, { force: true });
    writeFileSync(store, brotliDecompressSync(packed));
    const db = new Database(store, { readonly: true });
    const select = `SELECT bytes FROM blobs WHERE dataset = (SELECT dataset FROM experiments WHERE name = 'binary')
      AND length(bytes) BETWEEN 200 AND 2000 ORDER BY ref LIMIT 1`;
    const text = db.prepare<[], Buffer>(select).pluck().get() ?? Buffer.alloc(0);
    db.close();
    expect(readFileSync(store).indexOf(text)).toBeGreaterThan(0);
    const { kill, ended } = bench.start(`erase binary --data-set --yes --store ${store}`);
    const killing = sleep(moments.from + random.below(moments.to - moments.from)).then(() => kill('SIGKILL'));
    const { code } = await ended;
    await killing;
    if (code === null) killed += 1;
    const verified = verifyPath(store);
    expect(verified.first_bad).toBeNull();
    const done = verified.erasures?.length ?? 0;
    seen[done === 0 ? 'before' : verified.erasure_unfinished ? 'cleaning' : 'after'] += 1;
    const again = done === 0 ? `erase binary --data-set --yes --store ${store}` : `erase --store ${store}`;
    expect((await bench.assize(again)).code).toBe(0);
    expect(verifyPath(store)).toMatchObject({ result: 'intact', erasures: [{ scope: 'data-set' }], erasure_unfinished: false });
    expect(readFileSync(store).indexOf(text)).toBe(-1);
  }
  console.info(`before: ${seen.before}, while it cleaned: ${seen.cleaning}, after: ${seen.after}`);
});

test(`a store of format 2 that is brought up to date is whole after ${kills.migration} kills`, { timeout: 600_000 }, async () => {
  const seed = Date.now() % 2 ** 31;
  console.info(`seed of the moments: ${seed}`);
  const random = randomSource(seed, 'kill');
  const store = bench.path('old.db');
  const fresh = () => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(store + suffix, { force: true });
    writeFileSync(store, gunzipSync(old));
  };
  fresh();
  const { trials, events, root } = verifyPath(store);
  for (let killed = 0; killed < kills.migration; ) {
    fresh();
    const { kill, ended } = bench.start(`rebuild ${store}`);
    const killing = sleep(moments.from + random.below(800)).then(() => kill('SIGKILL'));
    const { code } = await ended;
    await killing;
    if (code === null) killed += 1;
    expect(verifyPath(store)).toMatchObject({ result: 'intact', trials, events, root });
    expect((await bench.assize(`rebuild ${store}`)).code).toBe(0);
    expect(verifyPath(store)).toMatchObject({ result: 'intact', trials, events, root });
  }
});
