import { eventHash, genesisHash, rootHash } from '../../../core/record/hash.ts';
import { type EventKind, type EventPayload, eventSchemas, type RecordEvent } from '../../../shared/events.ts';
import type { Connection } from './connection.ts';
import { laterTable } from './laterTable.ts';

/** A row of the table of events, before any check. */
export interface StoredEvent {
  readonly trial: string;
  readonly seq: number;
  readonly kind: string;
  /** Exact stored bytes. */
  readonly payload: Buffer;
  readonly prevHash: Buffer;
  readonly hash: Buffer;
}

export interface ChainEnd {
  readonly chain: string;
  readonly events: number;
  readonly hash: Buffer;
}

export type NewEvent = { [K in EventKind]: { readonly kind: K; readonly payload: EventPayload<K> } }[EventKind];

const hexOf = (hash: Uint8Array): string => Buffer.from(hash).toString('hex');

/** SQLite would recompile a statement for every name that the first column of an index is compared with; a cast spares that. */
const isChain = 'trial = CAST(? AS TEXT)';
const columns = 'trial, seq, kind, CAST(payload AS BLOB) AS payload, prev_hash AS prevHash, hash';

/** Appends a leaf to the log: a chain of a trial has one for each end of an attempt. */
export function leafAppender(db: Connection): (chain: string, head: Uint8Array) => void {
  const present = laterTable(db, 'leaves');
  const insert = db.prepare<[string, Uint8Array]>(
    'INSERT INTO leaves (position, chain, head) VALUES ((SELECT coalesce(max(position) + 1, 0) FROM leaves), ?, ?)',
  );
  return (chain, head) => {
    if (present()) insert.run(chain, head);
  };
}

/** The append-only table of events: one chain per trial and per experiment. */
export type Events = ReturnType<typeof openEvents>;

export function openEvents(db: Connection) {
  const last = db.prepare<[string], { seq: number; hash: Buffer }>(
    `SELECT seq, hash FROM events WHERE ${isChain} ORDER BY seq DESC LIMIT 1`,
  );
  const insert = db.prepare<[string, number, string, string, Uint8Array, Uint8Array]>(
    'INSERT INTO events (trial, seq, kind, payload, prev_hash, hash) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const appendLeaf = leafAppender(db);
  const selectAfter = db.prepare<[string, number], StoredEvent>(
    `SELECT ${columns} FROM events WHERE ${isChain} AND seq > ? ORDER BY seq`,
  );
  const selectOfKinds = db.prepare<[string, string], StoredEvent>(
    `SELECT ${columns} FROM events WHERE ${isChain} AND kind IN (SELECT value FROM json_each(?)) ORDER BY seq`,
  );
  const selectNaming = db.prepare<[string, string, string], StoredEvent>(
    `SELECT ${columns} FROM events WHERE ${isChain} AND kind = ? AND instr(payload, ?) > 0 ORDER BY seq`,
  );
  const selectChain = db.prepare<[string], StoredEvent>(`SELECT ${columns} FROM events WHERE ${isChain} ORDER BY seq`);
  // The index gives the order, so that no large table is sorted; but it holds copies of the first two columns, and a check
  // has to read the rows themselves.
  const stored = `SELECT stored.trial, stored.seq, stored.kind, CAST(stored.payload AS BLOB) AS payload, stored.prev_hash AS prevHash,
     stored.hash FROM events AS ordered CROSS JOIN events AS stored NOT INDEXED ON stored.rowid = ordered.rowid`;
  const selectAll = db.prepare<[], StoredEvent>(`${stored} ORDER BY ordered.trial, ordered.seq`);
  const selectRows = db.prepare<[string], StoredEvent>(`${stored} WHERE ordered.${isChain} ORDER BY ordered.seq`);
  const selectEnds = db.prepare<[], ChainEnd>(
    `SELECT chain, events, (SELECT hash FROM events WHERE trial = chain AND seq = last) AS hash
     FROM (SELECT trial AS chain, count(*) AS events, max(seq) AS last FROM events GROUP BY trial) ORDER BY chain`,
  );
  const selectNames = db.prepare<[string], { chain: string }>(
    'SELECT DISTINCT trial AS chain FROM events WHERE trial >= ? ORDER BY trial',
  );
  const selectHeads = db.prepare<[], { chain: string; hash: Buffer }>(
    'SELECT trial AS chain, hash FROM events AS e WHERE seq = (SELECT max(seq) FROM events WHERE trial = e.trial)',
  );
  const selectNewest = db.prepare<[number, string], StoredEvent>(
    `SELECT ${columns} FROM events WHERE rowid > (SELECT max(rowid) FROM events) - ? AND kind = ? ORDER BY rowid`,
  );
  const selectNewestFirst = db.prepare<[], Pick<StoredEvent, 'trial' | 'seq' | 'prevHash'>>(
    'SELECT trial, seq, prev_hash AS prevHash FROM events NOT INDEXED ORDER BY rowid DESC',
  );
  const selectLast = db.prepare<[], string>("SELECT rowid || ' ' || hex(hash) FROM events ORDER BY rowid DESC LIMIT 1").pluck();
  const selectCount = db.prepare<[], number>('SELECT count(*) FROM events').pluck();
  const selectFirst = db.prepare<[], string>('SELECT lower(hex(hash)) FROM events ORDER BY rowid LIMIT 1').pluck();
  const heads = () => Array.from(selectHeads.iterate(), ({ chain, hash }) => ({ chain, head: hexOf(hash) }));
  let known: { readonly newest: string | undefined; readonly root: string } | undefined;
  const put = (chain: string, events: readonly NewEvent[]) => {
    let { seq, hash }: { seq: number; hash: Uint8Array } = last.get(chain) ?? { seq: -1, hash: genesisHash(chain) };
    return events.map(({ kind, payload }) => {
      const text = JSON.stringify(eventSchemas[kind].parse(payload)).toWellFormed();
      seq += 1;
      const prevHash = hash;
      hash = eventHash(prevHash, seq, kind, Buffer.from(text, 'utf8'));
      insert.run(chain, seq, kind, text, prevHash, hash);
      if (kind === 'trial-close') appendLeaf(chain, hash);
      return { seq, kind, payload: text, hash: hexOf(hash) };
    });
  };
  return {
    /** Appends one event to a chain, and the end of a trial to the log too. Returns its hash, hexadecimal. */
    append: <K extends EventKind>(chain: string, kind: K, payload: EventPayload<K>) =>
      put(chain, [{ kind, payload } as NewEvent])[0]?.hash ?? '',
    /** Appends events that belong together, one after the other. Returns them as `parseChain` would. */
    // What was fitted to its schema before it was written fits it now.
    appendAll: (chain: string, events: readonly NewEvent[]) =>
      put(chain, events).map((event) => ({ ...event, payload: JSON.parse(event.payload) }) as RecordEvent),
    chain: (chain: string) => selectChain.all(chain),
    ofKinds: (chain: string, kinds: readonly EventKind[]) => selectOfKinds.all(chain, JSON.stringify(kinds)),
    naming: (chain: string, kind: EventKind, text: string) => selectNaming.all(chain, kind, text),
    /** Whether a speaker says in a trial that its speech takes something from outside the facts. */
    namesOutside: (trial: string): boolean => selectNaming.all(trial, 'utterance-make', '"outside":["').length > 0,
    after: (chain: string, seq: number) => selectAfter.all(chain, seq),
    /** Every event, chain by chain, each in order. */
    all: () => selectAll.iterate(),
    /** The events of a chain as `all` gives them. */
    rows: (chain: string) => selectRows.iterate(chain),
    /** The end of every chain, in the order of `all`. Their events are not read. */
    ends: () => selectEnds.all(),
    /** Those of one kind among the newest rows of the table, the oldest first. */
    newest: (kind: EventKind, rows: number) => selectNewest.all(rows, kind),
    /** Places of all events, the one that was added last first. */
    newestFirst: () => selectNewestFirst.iterate(),
    count: () => selectCount.get() ?? 0,
    /** Hash of the event that was stored first, hexadecimal; undefined where there is none. */
    first: () => selectFirst.get(),
    /** Distinguishes one state of all chains from any later one; undefined where there is no event. */
    last: () => selectLast.get(),
    /** Hash of the last event of a chain, hexadecimal; undefined for an empty chain. */
    head(chain: string) {
      const row = last.get(chain);
      return row === undefined ? undefined : hexOf(row.hash);
    },
    /** Names of the chains that begin like this, in the order of their bytes. */
    names(prefix: string) {
      const names: string[] = [];
      for (const { chain } of selectNames.iterate(prefix)) {
        if (!chain.startsWith(prefix)) break;
        names.push(chain);
      }
      return names;
    },
    heads,
    /** The record root, hexadecimal. Reads every chain, and again only after something was added: each report of a bundle asks. */
    root() {
      const newest = selectLast.get();
      if (known === undefined || newest !== known.newest) known = { newest, root: rootHash(heads()) };
      return known.root;
    },
  };
}
