// Copies the records of stores row by row into one new store, whose schema is always ours.
import { setImmediate } from 'node:timers/promises';
import { erasureChain } from '../../../core/record/identity.ts';
import { AssizeError } from '../../../shared/errors.ts';
import { type Connection, openForReading, openForWriting } from './connection.ts';
import { explained, isDatabaseError } from './databaseError.ts';

/** Two stores have different events at one place of a chain. */
export class ChainFork extends Error {
  readonly chain: string;
  readonly seq: number;
  readonly stores: readonly [string, string];

  constructor(chain: string, seq: number, stores: readonly [string, string]) {
    super(`${chain} forks at event ${seq}`);
    this.chain = chain;
    this.seq = seq;
    this.stores = stores;
  }
}

export interface CopyOptions {
  /** Continues the log of the first store, with its checkpoints; otherwise the new store begins its own log. */
  readonly keepLog: boolean;
  readonly signal: AbortSignal;
  /** Called with how many rows are copied. */
  readonly onProgress: (rows: number) => void;
}

type Value = string | number | bigint | Buffer | null;
type Row = Value[];

interface Source {
  readonly path: string;
  readonly db: Connection;
  readonly erasures: number;
  /** Number of each of its data sets in the new store. */
  readonly datasets: Map<Value, Value>;
}

/** Rows between two looks at the signal. */
const rowsAtOnce = 1000;

const columnsOf = {
  datasets: 'id, salt, manifest',
  erased: 'ref, erasure, stays',
  blobs: 'ref, dataset, encoding, bytes',
  events: 'trial, seq, kind, payload, prev_hash, hash',
  cases: 'dataset, id, position, split, ref',
  log: 'id, origin',
  leaves: 'position, chain, head, hashes',
  checkpoints: 'id, size, made_at, note, cosignatures, key, time_stamp',
} as const;
type Table = keyof typeof columnsOf;

const has = ({ db }: Source, table: Table) =>
  db.prepare<[string]>("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table) !== undefined;

/**
 * The record, and what its trials are derived from. Not copied: projections of trials and experiments, which are remade;
 * data sets that were added, orders of runs and the run log, which speak of the other user's files.
 */
const record = ['datasets', 'erased', 'blobs', 'events', 'cases'] as const satisfies Table[];
const log = ['log', 'leaves', 'checkpoints'] as const satisfies Table[];

/** Puts rows of a table of one of the sources into a store that has those of the sources before it. */
function putter(db: Connection, table: Table, source: Source, sources: readonly Source[]): (row: Row) => unknown {
  const isFirst = source === sources[0];
  const places = columnsOf[table].replaceAll(/\w+/g, '?');
  // A row that one store has twice is damage, which the keys of our schema refuse.
  const conflict = isFirst ? '' : 'ON CONFLICT DO NOTHING';
  const insert = db.prepare<Row>(`INSERT INTO ${table} (${columnsOf[table]}) VALUES (${places}) ${conflict}`);
  const datasetOf = (id: Value = null) => (isFirst ? id : (source.datasets.get(id) ?? null));
  if (table === 'blobs') {
    // What a store has although it knows of the erasure was said again since.
    const erased = db.prepare<Row>('SELECT 1 FROM erased WHERE ref = ? AND erasure >= ?');
    return ([ref = null, dataset, ...text]) => erased.get(ref, source.erasures) ?? insert.run(ref, datasetOf(dataset), ...text);
  }
  if (isFirst) return (row) => insert.run(...row);
  if (table === 'cases') return ([dataset, ...kase]) => insert.run(datasetOf(dataset), ...kase);
  if (table === 'datasets') {
    const find = db.prepare<Row, { id: number }>('SELECT id FROM datasets WHERE id = 0 AND ? = 0 OR manifest = ?');
    const dropSalt = db.prepare<Row>("UPDATE datasets SET salt = x'' WHERE id = ? AND length(?) = 0");
    return ([id = null, salt = null, manifest = null]) => {
      const known = find.get(id, manifest)?.id;
      source.datasets.set(id, known ?? insert.run(null, salt, manifest).lastInsertRowid);
      // The salt of a data set goes with the last of its texts.
      if (known !== undefined) dropSalt.run(known, salt);
    };
  }
  if (table === 'events') {
    const find = db.prepare<Row, { hash: Buffer }>('SELECT hash FROM events WHERE trial = ? AND seq = ?');
    const holds = 'SELECT 1 FROM events WHERE trial = ? AND seq = ? AND hash = ?';
    return (row) => {
      const [chain = null, seq = null, , , , hash] = row;
      const known = find.get(chain, seq)?.hash;
      if (known === undefined) return insert.run(...row);
      if (Buffer.isBuffer(hash) && known.equals(hash)) return undefined;
      const other = sources.find((each) => each.db.prepare(holds).get(chain, seq, known) !== undefined);
      throw new ChainFork(String(chain), Number(seq), [other?.path ?? '', source.path]);
    };
  }
  return (row) => insert.run(...row);
}

/** One leaf for every end of an attempt that has none yet. */
const addLeaves = `
  INSERT INTO leaves (position, chain, head)
    SELECT (SELECT coalesce(max(position) + 1, 0) FROM leaves) + row_number() OVER (ORDER BY rowid) - 1, trial, hash
      FROM events NOT INDEXED
      WHERE kind = 'trial-close' AND NOT EXISTS (SELECT 1 FROM leaves WHERE chain = trial AND head = hash)`;

function copyError(error: unknown, source: string, into: string): unknown {
  if (!isDatabaseError(error)) return error;
  if (!/^SQLITE_(CONSTRAINT|ERROR|MISMATCH)/.test(error.code)) {
    return explained(error, error.code.startsWith('SQLITE_FULL') ? into : source);
  }
  const problem = `the record has a row that no store can have (${error.message}); nothing was copied`;
  return new AssizeError('store-unreadable', problem, { file: source });
}

/**
 * Makes a new store of the records of others: of each chain the longest that any of them has. Rows come in the order in which
 * they were written, which lists of trials go by. Returns how many erasures all of them know of.
 * @throws ChainFork where none of two chains continues the other; store-unreadable for a row that our schema does not take:
 * a duplicate, a wrong type, a stray reference; the reason of the signal
 */
export async function copyRecords(
  paths: readonly string[],
  into: string,
  { keepLog, signal, onProgress }: CopyOptions,
): Promise<number> {
  const open: { close(): void }[] = [];
  const { db, close } = openForWriting(into, { create: true, durability: 'full' });
  let rows = 0;
  const copy = async (table: Table, source: Source, sources: readonly Source[]) => {
    // A store of an older format does not have all of them.
    if (!has(source, table)) return;
    const put = putter(db, table, source, sources);
    const order = table === 'events' || table === 'blobs' ? 'ORDER BY rowid' : '';
    const all = source.db.prepare<[], Row>(`SELECT ${columnsOf[table]} FROM ${table} ${order}`).raw();
    try {
      for (const row of all.iterate()) {
        put(row);
        rows += 1;
        if (rows % rowsAtOnce > 0) continue;
        onProgress(rows);
        await setImmediate();
        signal.throwIfAborted();
      }
    } catch (error) {
      throw copyError(error, source.path, into);
    }
  };
  try {
    const sources = paths.map((path): Source => {
      const opened = openForReading(path);
      open.push(opened);
      // All that is read of it is of one moment.
      opened.db.exec('BEGIN');
      const count = opened.db.prepare<[string], number>('SELECT count(*) FROM events WHERE trial = ?').pluck();
      return { path, db: opened.db, erasures: count.get(erasureChain) ?? 0, datasets: new Map() };
    });
    db.exec('BEGIN IMMEDIATE; DELETE FROM datasets');
    for (const table of record) for (const source of sources) await copy(table, source, sources);
    const [first] = sources;
    if (keepLog && first !== undefined && has(first, 'log')) {
      db.exec('DELETE FROM log');
      for (const table of log) await copy(table, first, sources);
    }
    db.exec(`${addLeaves}; COMMIT`);
    return Math.min(...sources.map(({ erasures }) => erasures));
  } catch (error) {
    throw explained(error, into);
  } finally {
    for (const each of open) each.close();
    close();
  }
}

/** Copies a whole store as it is at one moment, also while a program writes to it. */
export function copyWhole(path: string, into: string): void {
  const { db, close } = openForReading(path);
  try {
    db.prepare('VACUUM INTO ?').run(into);
  } finally {
    close();
  }
}
