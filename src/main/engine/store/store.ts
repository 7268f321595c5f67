import { hash } from 'node:crypto';
import { hashWith } from '../../../core/record/hash.ts';
import { AssizeError } from '../../../shared/errors.ts';
import { openBlobs } from './blobs.ts';
import { type Connection, type OpenedConnection, openForReading, openForWriting } from './connection.ts';
import { checkPages, keepSound } from './damagedPages.ts';
import { explained, isDamage, readable } from './databaseError.ts';
import { openDataFiles } from './dataFiles.ts';
import { openDatasets } from './datasets.ts';
import { openErasures } from './erasures.ts';
import { openEvents } from './events.ts';
import { openExperiments } from './experiments.ts';
import { flushLog, groupCommit } from './groupCommit.ts';
import { openLog } from './log.ts';
import { doubleRow, strangePart } from './ownSchema.ts';
import { type RecordParts, restoreRecord } from './restoring.ts';
import { openRunLog } from './runLog.ts';
import { openRuns } from './runs.ts';
import { openTrajectories } from './trajectories.ts';
import { openTrials } from './trials.ts';

// Every program that opens a store hashes thousands of events.
hashWith({ bytes: (of) => hash('sha256', of, 'buffer'), text: (of) => hash('sha256', of, 'base64url') });

/** SQLite's number for a flush at every commit. */
const full = 2;

/** A store: the record and its projections. One writer at a time; readers at any time. */
export type Store = ReturnType<typeof assemble>;

function assemble(path: string, { db, elsewhere, opened, checkPlace, close }: OpenedConnection) {
  const events = openEvents(db);
  const erasures = openErasures(db, events);
  const blobs = openBlobs(db, erasures);
  const datasets = openDatasets(db, blobs, erasures);
  const experiments = openExperiments(db, events, datasets);
  const believed = elsewhere === null;
  const trajectories = openTrajectories(db, events, believed);
  // Inside of the transaction: a writer that comes in later waits for it, and reads what it left.
  const checked = <T>(action: () => T) => {
    if (damage !== null) throw damage;
    checkPlace();
    return action();
  };
  // SQLite would write on wherever the pages are sound.
  let damage: unknown = null;
  const noticing = <T>(action: () => T): T => {
    try {
      return action();
    } catch (error) {
      if (isDamage(error)) damage = error;
      throw error;
    }
  };
  const isFull = db.pragma('synchronous', { simple: true }) === full;
  const transaction = db.transaction((action: () => unknown) => checked(action));
  const transact = <T>(action: () => T): T => readable(path, () => noticing(() => transaction.immediate(action) as T));
  return {
    path,
    /** Why the store is taken for one from elsewhere: it is only read, and its projections are not believed. Null for our own. */
    elsewhere,
    /** Its files when it was opened: where they are the same now, all that was read is what they hold. */
    opened,
    /** Of its schema; a store that is only read keeps an earlier one. */
    format: Number(db.pragma('user_version', { simple: true })),
    events,
    blobs,
    erasures,
    datasets,
    experiments,
    trials: openTrials(db, { events, blobs, datasets, experiments, trajectories, believed }),
    trajectories,
    log: openLog(db, events, path),
    runLog: openRunLog(db, believed),
    dataFiles: openDataFiles(db),
    runs: openRuns(db),
    /** Throws where what is written now would be lost, or meet another writer: store-unreadable, store-in-use. `write` asks too. */
    checkPlace,
    /** Runs an action in one transaction. `durable`: on the disk before it returns, even if the power fails. */
    write<T>(action: () => T, { durable }: { durable: boolean } = { durable: false }) {
      if (!durable) return transact(action);
      const before = Number(db.pragma('synchronous', { simple: true }));
      db.pragma('synchronous = FULL');
      try {
        return transact(action);
      } finally {
        db.pragma(`synchronous = ${before}`);
      }
    },
    /** As `write`, in one transaction with what others write at the same time. Resolves when it is committed. */
    // With full durability every commit is on the disk already.
    writeSoon: groupCommit(transact, async () => (isFull ? undefined : flushLog(db.name, path))),
    /** Runs an action in one read transaction, so that all it sees is of one moment. */
    read: <T>(action: () => T) => readable(path, () => noticing(() => db.transaction(action).deferred())),
    /** As `read`, for an action that awaits. Only for a store opened for reading: what is written meanwhile would fall into it. */
    async snapshot<T>(action: () => Promise<T>) {
      if (!db.readonly) throw new Error('a snapshot needs a store that is opened for reading');
      db.exec('BEGIN');
      try {
        return await action();
      } catch (error) {
        throw explained(error, path);
      } finally {
        if (db.inTransaction) db.exec('COMMIT');
      }
    },
    /** Fills an empty store with a record of another place. */
    restore: (parts: RecordParts) => transact(() => restoreRecord(db, { blobs, datasets, experiments }, parts)),
    /** Rewrites the file without what was deleted, in twice the space, and empties its log. @throws store-in-use */
    clean: () =>
      readable(path, () => {
        checkPlace();
        db.exec('VACUUM');
        emptyLog(db, path);
        transact(() => erasures.markClean());
        emptyLog(db, path);
      }),
    /** Size of the file. */
    bytes: () => Number(db.pragma('page_count', { simple: true })) * Number(db.pragma('page_size', { simple: true })),
    /** What of the tables and indexes is not as this program makes them, or which row is there twice; null where nothing is. */
    schemaProblem: () => strangePart(db, Number(db.pragma('user_version', { simple: true }))) ?? doubleRow(db),
    /** Reads every page. Throws store-unreadable where one is damaged. */
    checkPages: () => checkPages(db, path),
    /** SQLite's own check of pages and indexes: the first problem, or null. */
    integrity() {
      const found = String(db.pragma('integrity_check(1)', { simple: true }));
      return found === 'ok' ? null : found;
    },
    close() {
      close();
      if (!db.readonly && damage === null) keepSound(path);
    },
  };
}

/** Moves the write-ahead log into the file and cuts it to nothing. */
function emptyLog(db: Connection, path: string): void {
  const [outcome] = db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
  if (outcome?.busy === 0) return;
  throw new AssizeError('store-in-use', 'another program reads the store; close it, and run this again to finish', {
    file: path,
  });
}

/** @throws store-in-use, store-unreadable, store-newer, not-found (no file and `create` is false) */
export function openStore(path: string, options: { create: boolean; durability?: 'normal' | 'full' }): Store {
  const opened = openForWriting(path, { create: options.create, durability: options.durability ?? 'normal' });
  return assembleOrClose(path, opened);
}

/** @throws store-unreadable, store-newer, not-found */
export function openStoreReadOnly(path: string): Store {
  return assembleOrClose(path, openForReading(path));
}

/** Why the store at a path is from elsewhere; null for one of our own, and where there is none that can be read. */
export function elsewhereOf(path: string): string | null {
  try {
    const { elsewhere, close } = openForReading(path);
    close();
    return elsewhere;
  } catch (error) {
    // The next opening says what is wrong.
    if (error instanceof AssizeError) return null;
    throw error;
  }
}

function assembleOrClose(path: string, opened: OpenedConnection): Store {
  try {
    return readable(path, () => {
      const store = assemble(path, opened);
      opened.begin();
      return store;
    });
  } catch (error) {
    opened.close();
    throw error;
  }
}
