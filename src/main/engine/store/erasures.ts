// Which texts were erased from a store, and what is still known of them.
import { hashParts, toHex } from '../../../core/record/hash.ts';
import { erasureChain } from '../../../core/record/identity.ts';
import type { EventPayload } from '../../../shared/events.ts';
import { fromKey, keyOrNull, toKey } from './blobs.ts';
import type { Connection } from './connection.ts';
import type { Events } from './events.ts';
import { laterTable } from './laterTable.ts';
import { parseChain } from './parseChain.ts';

export type TextErase = EventPayload<'text-erase'>;

export interface ErasedRow {
  readonly ref: string;
  readonly stays: string | null;
}

export interface Erasing {
  readonly dataset: { readonly id: number; readonly manifest: string };
  readonly about: Pick<TextErase, 'scope' | 'experiment' | 'case' | 'salt'>;
  /** Texts of the data set that something else names, by their name or its beginning. */
  readonly kept: Iterable<string>;
  /** What is still known of texts that go, by ref; also of texts of no data set, which go too. */
  readonly stays: ReadonlyMap<string, string>;
}

const partBytes = 9;

export type Erasures = ReturnType<typeof openErasures>;

export function openErasures(db: Connection, events: Events) {
  const present = laterTable(db, 'erased');
  const list = () =>
    parseChain(events.chain(erasureChain)).flatMap((event) => (event.kind === 'text-erase' ? [event.payload] : []));
  const selectFound = db.prepare<[Buffer], { erasure: number; stays: string | null }>(
    'SELECT erasure, stays FROM erased WHERE ref = ?',
  );
  const find = (ref: string) => {
    const key = keyOrNull(ref);
    return key === null || !present() ? undefined : selectFound.get(key);
  };
  const summary = (erasure: number) => {
    let texts = 0;
    const rows = db
      .prepare<[number], { ref: Buffer; stays: string | null }>(
        'SELECT ref, stays FROM erased NOT INDEXED WHERE erasure = ? ORDER BY ref',
      )
      .iterate(erasure);
    const parts = function* () {
      yield 'assize/erased/1';
      for (const { ref, stays } of rows) {
        texts += 1;
        yield fromKey(ref);
        // A text that is empty is another thing than none.
        yield stays === null ? '' : `=${stays}`;
      }
    };
    const erased = toHex(hashParts([...parts()]));
    return { texts, erased };
  };
  /** Fills a temporary table with the texts that stay, and returns the condition that a text of `blobs` is one of them. */
  const keeping = (kept: Iterable<string>): string => {
    db.exec('CREATE TEMP TABLE IF NOT EXISTS kept (part BLOB PRIMARY KEY) WITHOUT ROWID; DELETE FROM kept');
    const keep = db.prepare<[Buffer]>('INSERT OR IGNORE INTO kept VALUES (?)');
    for (const name of kept) keep.run(toKey(name).subarray(0, partBytes));
    return `EXISTS (SELECT 1 FROM kept WHERE part = substr(ref, 1, ${partBytes}))`;
  };
  return {
    /** In order; the place in the list is the number of the erasure. */
    list,
    has: (ref: string) => find(ref) !== undefined,
    hasPart(name: string) {
      if (!present()) return false;
      const start = toKey(name);
      const end = Buffer.concat([start, Buffer.alloc(32 - start.length, 0xff)]);
      return db.prepare<[Buffer, Buffer]>('SELECT 1 FROM erased WHERE ref BETWEEN ? AND ?').get(start, end) !== undefined;
    },
    by: (ref: string) => list()[find(ref)?.erasure ?? -1],
    /** What is still known of a text; undefined where nothing is, or it was not erased. */
    stays: (ref: string) => find(ref)?.stays ?? undefined,
    // What was said in one experiment can go while the cases stay for others.
    /** Whether cases of a data set, which its list of cases names, were erased. */
    tookCases: (manifest: string | null) =>
      list().some(({ dataset, scope, salt }) => dataset === manifest && (salt || scope !== 'experiment')),
    /** Hash over the names of the texts of an erasure and what stays of them, hexadecimal, with their number. */
    summary,
    /** The number of an erasure that the chain does not have and a row names, if there is one. */
    stray: () =>
      present()
        ? db
            .prepare<[number], number>('SELECT erasure FROM erased WHERE erasure NOT BETWEEN 0 AND ? - 1 LIMIT 1')
            .pluck()
            .get(list().length)
        : undefined,
    /** Every row, for a copy of the record. */
    *rows(): IterableIterator<ErasedRow & { readonly erasure: number }> {
      if (!present()) return;
      const all = db.prepare<[], { ref: Buffer; erasure: number; stays: string | null }>('SELECT * FROM erased ORDER BY ref');
      for (const { ref, erasure, stays } of all.iterate()) yield { ref: fromKey(ref), erasure, stays };
    },
    /** Whether files and caches have still to be cleaned. */
    uncleaned: () => laterTable(db, 'uncleaned')() && db.prepare('SELECT 1 FROM uncleaned LIMIT 1').get() !== undefined,
    /** How many texts `erase` would delete for all of these, one after the other. Only temporary tables are written. */
    wouldErase(all: readonly Pick<Erasing, 'dataset' | 'kept' | 'stays'>[]): number {
      db.exec('CREATE TEMP TABLE IF NOT EXISTS going (ref BLOB PRIMARY KEY) WITHOUT ROWID; DELETE FROM going');
      for (const { dataset, kept, stays } of all) {
        const isKept = keeping(kept);
        const isGone = present() ? 'ref IN (SELECT ref FROM erased)' : 'FALSE';
        db.prepare(`INSERT OR IGNORE INTO going SELECT ref FROM blobs WHERE dataset = ? AND NOT ${isKept} AND NOT ${isGone}`).run(
          dataset.id,
        );
        const put = db.prepare<[Buffer]>(
          `INSERT OR IGNORE INTO going SELECT ref FROM (SELECT ? AS ref) WHERE NOT ${isKept} AND NOT ${isGone}`,
        );
        for (const ref of stays.keys()) put.run(toKey(ref));
      }
      const texts = db.prepare<[], number>('SELECT count(*) FROM going').pluck().get() ?? 0;
      db.exec('DROP TABLE going; DROP TABLE IF EXISTS kept');
      return texts;
    },
    /** Deletes texts in the transaction under way and says so in the chain of erasures. Returns what it says. */
    erase({ dataset: { id, manifest }, about, kept, stays }: Erasing) {
      const erasure = list().length;
      const isKept = keeping(kept);
      db.prepare(`INSERT OR IGNORE INTO erased (ref, erasure) SELECT ref, ? FROM blobs WHERE dataset = ? AND NOT ${isKept}`).run(
        erasure,
        id,
      );
      const put = db.prepare<{ ref: Buffer; erasure: number; text: string }>(
        `INSERT INTO erased SELECT ref, erasure, stays FROM (SELECT :ref AS ref, :erasure AS erasure, :text AS stays) WHERE NOT ${isKept}
           ON CONFLICT (ref) DO UPDATE SET stays = excluded.stays WHERE erasure = excluded.erasure`,
      );
      for (const [ref, text] of stays) put.run({ ref: toKey(ref), erasure, text });
      // A text that was erased before can have been said again since.
      db.prepare(`DELETE FROM blobs WHERE dataset = ? AND NOT ${isKept}`).run(id);
      db.prepare('DELETE FROM blobs WHERE ref IN (SELECT ref FROM erased WHERE erasure = ?)').run(erasure);
      db.exec('DROP TABLE kept');
      if (about.salt) db.prepare("UPDATE datasets SET salt = x'' WHERE id = ?").run(id);
      db.prepare('INSERT INTO uncleaned VALUES (?)').run(erasure);
      const payload: TextErase = { v: 1, at: new Date().toISOString(), dataset: manifest, ...about, ...summary(erasure) };
      events.append(erasureChain, 'text-erase', payload);
      return payload;
    },
    markClean: (): void => void db.prepare('DELETE FROM uncleaned').run(),
  };
}
