import { copyFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { eventHash, genesisHash, noSalt, refOf } from '../../../../core/record/hash.ts';
import { isTrialChain } from '../../../../core/record/identity.ts';
import { toKey } from '../../store/blobs.ts';
import { addLeaves } from '../../store/migrations/0004-log.ts';
import { openStore } from '../../store/store.ts';

export interface ForgedEvent {
  kind: string;
  payload: Record<string, unknown>;
}

export interface Forgery {
  readonly events: ForgedEvent[];
  text(ref: unknown): string;
  /** Stores a text in the data set, or in none, and returns its ref. */
  keep(text: string, common?: boolean): string;
}

interface TextRow {
  salt: Buffer;
  dataset: number;
}

/**
 * Copies a store and rewrites one chain of it, as the owner of the machine could: every hash is computed
 * again and every projection made again, so that nothing in the store is at odds with anything else. Throws where no
 * projection can be made of what was written; it is written then, and the row is as it was.
 */
export function forge(store: string, target: string, chain: string, change: (forgery: Forgery) => void): void {
  copyFileSync(store, target);
  const db = new Database(target);
  const reader = openStore(target, { create: false });
  const { salt, dataset } = db.prepare<[], TextRow>('SELECT id AS dataset, salt FROM datasets WHERE id <> 0').get() ?? {
    salt: Buffer.alloc(0),
    dataset: 0,
  };
  const events = db
    .prepare<[string], { kind: string; payload: string }>('SELECT kind, payload FROM events WHERE trial = ? ORDER BY seq')
    .all(chain)
    .map(({ kind, payload }) => ({ kind, payload: JSON.parse(payload) as Record<string, unknown> }));
  change({
    events,
    text: (ref) => reader.blobs.get(String(ref)) ?? '',
    keep(text, common = false) {
      const ref = refOf(common ? noSalt : salt, text);
      db.prepare('INSERT OR IGNORE INTO blobs VALUES (?, ?, 0, ?)').run(toKey(ref), common ? 0 : dataset, Buffer.from(text));
      return ref;
    },
  });
  db.prepare('DELETE FROM events WHERE trial = ?').run(chain);
  let previous = genesisHash(chain);
  const insert = db.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)');
  for (const [seq, { kind, payload }] of events.entries()) {
    const text = JSON.stringify(payload);
    const hash = eventHash(previous, seq, kind, Buffer.from(text));
    insert.run(chain, seq, kind, text, Buffer.from(previous), Buffer.from(hash));
    previous = hash;
  }
  // With the key, or before the first checkpoint, the log is rewritten too.
  db.exec(`DELETE FROM checkpoints; DELETE FROM leaves; ${addLeaves}`);
  db.close();
  try {
    if (isTrialChain(chain)) reader.write(() => reader.trials.project(chain));
  } finally {
    reader.close();
  }
}
