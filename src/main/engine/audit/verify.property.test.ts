import { readFileSync, writeFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { AssizeError } from '../../../shared/errors.ts';
import { exhaustive } from '../../../shared/exhaustive.fixture.ts';
import { readingTables } from '../testing/reading.ts';
import { makeSampleStore, openFolder } from './testing/sampleStore.ts';
import { flipped, verifyChanged, verifyPath } from './testing/tampering.ts';

const room = openFolder('verify-property');
let store: string;
let root: string | null;

/** A stored value: its table, row and column, and its exact bytes. */
interface Value {
  readonly table: 'events' | 'blobs';
  readonly column: string;
  readonly rowid: number;
  readonly encoding: number;
  readonly bytes: Buffer;
}

const columns = { events: ['trial', 'kind', 'payload', 'prev_hash', 'hash'], blobs: ['ref', 'bytes'] } as const;
const texts = new Set(['trial', 'kind', 'payload']);

function valuesOf(path: string): Value[] {
  return readingTables(path, (db) =>
    (['events', 'blobs'] as const).flatMap((table) =>
      columns[table].flatMap((column) =>
        db
          .prepare<[], { rowid: number; encoding: number; bytes: Buffer }>(
            `SELECT rowid, ${table === 'blobs' ? 'encoding' : '0'} AS encoding, CAST(${column} AS BLOB) AS bytes FROM ${table}`,
          )
          .all()
          .map((row) => ({ table, column, ...row })),
      ),
    ),
  );
}

let values: Value[];

beforeAll(async () => {
  store = await makeSampleStore(room.folder, { cases: 2 });
  root = verifyPath(store).root;
  values = valuesOf(store);
});

/** The name of a text covers the text: the same text, packed in another way, is not another one. */
function sameText(value: Value, changed: Buffer): boolean {
  if (value.column !== 'bytes' || value.encoding === 0) return false;
  try {
    return inflateSync(changed).equals(inflateSync(value.bytes));
  } catch {
    return false;
  }
}

const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

test('every change of one byte of a text or blob of an event or a stored text is found', async () => {
  await fc.assert(
    fc.asyncProperty(share, share, fc.integer({ min: 1, max: 255 }), async (which, where, mask) => {
      const value = values[Math.floor(which * values.length)];
      if (value === undefined) throw new Error('there are no values');
      const changed = flipped(value.bytes, Math.floor(where * value.bytes.length), mask);
      const report = await verifyChanged(store, (db) => {
        const place = texts.has(value.column) ? 'CAST(? AS TEXT)' : '?';
        db.prepare(`UPDATE ${value.table} SET ${value.column} = ${place} WHERE rowid = ?`).run(changed, value.rowid);
      });
      if (sameText(value, changed)) expect(report).toMatchObject({ result: 'intact', root });
      else expect(report.result).toBe('tampered');
    }),
    { numRuns: exhaustive ? 300 : 40 },
  );
});

test('after a change of any byte of the file, the answer is a verdict or a sentence, and never a false one', () => {
  const file = readFileSync(store);
  const path = room.path('bytes.db');
  fc.assert(
    fc.property(share, fc.integer({ min: 1, max: 255 }), (where, mask) => {
      writeFileSync(path, flipped(file, Math.floor(where * file.length), mask));
      try {
        const report = verifyPath(path);
        if (report.result === 'intact') expect(report.root).toBe(root);
      } catch (error) {
        if (!(error instanceof AssizeError)) throw error;
        expect(error.exitCode).toBe(2);
      }
    }),
    { numRuns: exhaustive ? 200 : 30 },
  );
});
