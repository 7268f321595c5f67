import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { openWorkbench } from './testing.ts';

const bench = openWorkbench();
afterAll(() => bench.remove());

function storeWith(change: string): string {
  const path = join(bench.room('rebuilt'), 'store.db');
  writeFileSync(path, gunzipSync(readFileSync(resolve(import.meta.dirname, '../main/engine/store/fixtures/format-3.db.gz'))));
  const db = new Database(path);
  db.exec(change);
  db.close();
  return path;
}

test.each([
  'UPDATE trials SET confidence = 0.123 WHERE confidence IS NOT NULL',
  `UPDATE trajectories SET trajectory = '{}'`,
  'DELETE FROM trials',
])('rows of results that are wrong are made anew: %s', async (change) => {
  const path = storeWith(change);
  expect((await bench.here(['verify', path])).code).toBe(1);
  expect(await bench.here(['rebuild', path])).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^The results of \d\d trials were rebuilt from the record: /),
  });
  expect((await bench.here(['verify', path])).code).toBe(0);
});

test('a chain that has no result is named, and the record stays as it is', async () => {
  const path = storeWith(
    `UPDATE events SET payload = '{' WHERE kind = 'trial-close' AND trial = (SELECT min(trial) FROM trials)`,
  );
  const { code, errors } = await bench.here(['rebuild', path]);
  expect(code).toBe(2);
  expect(errors).toMatch(/the row of trial [0-9a-f]{16} cannot be made anew: /);
});
