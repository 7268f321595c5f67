// Opens the database of a store, for writing or for reading.
import { chmodSync, copyFileSync, existsSync, mkdirSync, realpathSync, rmSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type Database from 'better-sqlite3';
import { AssizeError, badInput } from '../../../shared/errors.ts';
import { attempt } from '../attempt.ts';
import { commandText } from '../commandText.ts';
import { openTemporaryFolder } from '../temporaryFolder.ts';
import { refuseDamaged } from './damagedPages.ts';
import { isDatabaseError, notAStore, readable } from './databaseError.ts';
import { type FileStamp, fileStamp } from './fileStamp.ts';
import { firstBytes, isThere, unreadable } from './firstBytes.ts';
import { isDefaultFolder } from './location.ts';
import { acquireLock, isLocked, type StoreLock } from './lock.ts';
import { migrations, newestVersion } from './migrations/index.ts';
import { networkDrive } from './networkDrive.ts';
import { originOf } from './origin.ts';
import { fileIdentity, keepPrivate, keepStorePrivate, makeFile, strangeStore } from './ownFile.ts';
import { missingColumn, runningPart, strangePart } from './ownSchema.ts';
import { openDatabase } from './statements.ts';
import { refuseTornCopy } from './tornCopy.ts';

export type Connection = Database.Database;

/** `ASZE`: distinguishes a store from any other SQLite file. */
const applicationId = 0x41535a45;
/** First bytes of every SQLite file. */
const sqliteHeader = 'SQLite format 3\0';

export interface OpenedConnection {
  readonly db: Connection;
  /** Why the store is taken for one from elsewhere, which is only read and whose projections are not believed; null for our own. */
  readonly elsewhere: string | null;
  /** The files at the path, before anything but their schema was read. */
  readonly opened: FileStamp;
  /** Throws where what is written now would be lost, or meet another writer: store-unreadable, store-in-use. */
  checkPlace(): void;
  /** Marks the store as being written; once it has proved to be one. */
  begin(): void;
  close(): void;
}

function refuseNetworkDrive(folder: string): void {
  const kind = networkDrive(process.platform, Number(statfsSync(folder).type));
  if (kind !== null) {
    throw badInput(`the folder is on a network drive (${kind}), where a store cannot be written safely; use a local disk`, {
      file: folder,
    });
  }
}

/** Checks that the file is a store of a version this program knows. Returns its schema version. */
function checkSchema(db: Connection, path: string): number {
  const version = Number(db.pragma('user_version', { simple: true }));
  const application = Number(db.pragma('application_id', { simple: true }));
  if (application !== applicationId || version === 0) {
    throw new AssizeError(
      'store-unreadable',
      'this file is not an Assize store: it has no schema. A copied store needs its -wal file next to it',
      { file: path },
    );
  }
  if (version > newestVersion) {
    throw new AssizeError(
      'store-newer',
      `the store has format ${version} and this program knows formats up to ${newestVersion}; use a newer Assize`,
      {
        file: path,
      },
    );
  }
  return version;
}

/** What SQLite recommends for files that others may have made; the driver opens them in its defensive mode. */
function configure(db: Connection): void {
  db.pragma('trusted_schema = OFF');
  db.pragma('cell_size_check = ON');
  db.pragma('foreign_keys = ON');
  db.pragma('busy_timeout = 5000');
}

/** Hashed ids scatter rows over the tables: writers need more room than readers. SQLite keeps this as a number of pages. */
function limitCache(db: Connection, mebibytes: number): void {
  db.pragma(`cache_size = -${mebibytes * 1024}`);
}

function refuseElsewhere(why: string | null, path: string): void {
  if (why === null) return;
  throw new AssizeError('store-elsewhere', `this store is from elsewhere (${why}), so it is only read`, {
    file: path,
    remedy: {
      command: `to work with its record, copy it into a store of your own: ${commandText('adopt', originOf(path)?.path ?? path, '--into', 'FILE')}`,
      screen: 'to work with its record, copy it into a store of your own with the button at the top of the screen',
    },
  });
}

/** Throws store-unreadable where a store from elsewhere lacks what is read, or would run its own code when it is read. */
function refuseOddSchema(db: Connection, version: number, path: string): void {
  const running = runningPart(db, version);
  if (running !== null)
    throw new AssizeError(
      'store-unreadable',
      `this store is from elsewhere and has ${running}, which would run while it is read; ask for a copy without it`,
      { file: path },
    );
  const missing = missingColumn(db);
  if (missing !== null)
    throw new AssizeError('store-unreadable', `the store lacks a part of its schema (${missing}); restore it from a copy`, {
      file: path,
    });
}

function migrate(db: Connection, from: number): void {
  if (from === newestVersion) return;
  // In one transaction: the disk is waited for at the end of each.
  db.transaction(() => {
    for (const { version, sql } of migrations) if (version > from) db.exec(sql);
    db.pragma(`application_id = ${applicationId}`);
    db.pragma(`user_version = ${newestVersion}`);
  })();
}

/** Asked before the lock is taken, which would leave another file next to somebody's letter. */
function refuseOtherFormat(path: string): void {
  if (firstBytes(path, sqliteHeader.length).toString('latin1') !== sqliteHeader) throw notAStore(path);
}

function canonical(path: string): string {
  return existsSync(path) ? realpathSync.native(path) : join(realpathSync.native(dirname(path)), basename(path));
}

/** Whether another program is writing to the store at a path; asked only while this one is not. */
export const hasOtherWriter = (path: string): boolean => existsSync(path) && readable(path, () => isLocked(canonical(path)));

/** Opens for writing and keeps other writers out. @throws store-in-use, store-unreadable, store-newer, not-found */
export function openForWriting(path: string, options: { create: boolean; durability: 'normal' | 'full' }): OpenedConnection {
  const isFile = isThere(path);
  const exists = isFile && statSync(path).size > 0;
  if (!exists && !options.create)
    throw new AssizeError('not-found', isFile ? 'this file is empty, not a store' : 'there is no such file', { file: path });
  refuseOddFile(path);
  if (exists) refuseElsewhere(strangeStore(canonical(path)), path);
  // A file with a journal is one whose making was cut short; opening it undoes what was there.
  if (exists && !existsSync(`${path}-journal`)) refuseOtherFormat(path);
  const folder = dirname(path);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw badInput(`the folder cannot be made: ${error instanceof Error ? error.message : String(error)}`, { file: folder });
  }
  refuseNetworkDrive(folder);
  if (isDefaultFolder(folder)) keepPrivate(folder);
  makeFile(path);
  const file = canonical(path);
  const lock: StoreLock = acquireLock(file, path);
  try {
    return readable(path, () => {
      const hasLog = hasWriteAheadLog(file);
      const identity = fileIdentity(file);
      const checkPlace = () => {
        if (fileIdentity(file) !== identity) {
          throw new AssizeError(
            'store-unreadable',
            'the store was moved or removed while the run was under way; put it back with the files next to it and continue, or start the experiment again',
            { file: path },
          );
        }
        lock.check();
      };
      const db = openDatabase(file);
      try {
        prepareForWriting(db, path, hasLog, options);
        keepStorePrivate(file);
        checkPlace();
      } catch (error) {
        db.close();
        throw error;
      }
      let begun = false;
      return {
        db,
        elsewhere: null,
        opened: fileStamp(path),
        checkPlace,
        begin: () => {
          markOpen(db, path);
          // The mark has to be in the main file, for that is what would be copied; the log stays as it is.
          db.pragma('wal_checkpoint(FULL)');
          begun = true;
        },
        close: () => {
          try {
            if (begun && db.open && isInPlace(checkPlace)) markClosed(db);
          } catch (error) {
            // On a full disk the store stays marked as open, as after a kill: what ended the work is what has to be said.
            if (!isDatabaseError(error)) throw error;
          } finally {
            try {
              db.close();
            } finally {
              lock.release();
            }
          }
        },
      };
    });
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** SQLite itself makes an empty one when it merely looks at a store. */
function hasWriteAheadLog(file: string): boolean {
  return existsSync(`${file}-wal`) && statSync(`${file}-wal`).size > 0;
}

/** What was moved, or has another writer, is not marked as closed by this one. */
const isInPlace = (checkPlace: () => void): boolean =>
  attempt(() => {
    checkPlace();
    return true;
  }, false);

function markOpen(db: Connection, path: string): void {
  db.prepare('UPDATE state SET open = 1, inode = ?').run(String(statSync(path, { bigint: true }).ino));
}

function markClosed(db: Connection): void {
  db.prepare('UPDATE state SET open = 0').run();
}

/** Bytes. To read all pages of a larger store of ours takes longer than its opening may: `verify` does, and SQLite's first error ends all writing. */
export const largestCheckedOnOpening = 1e9;

function prepareForWriting(
  db: Connection,
  path: string,
  hasLog: boolean,
  { create, durability }: { create: boolean; durability: 'normal' | 'full' },
): void {
  configure(db);
  // What is deleted must not stay readable in the file.
  db.pragma('secure_delete = ON');
  // Asked of SQLite and not of the file system: after a crash while the store was made, opening it has undone what was there.
  const isNew = create && db.pragma('page_count', { simple: true }) === 0;
  // Events are about a kilobyte each: larger pages waste less of themselves.
  if (isNew) db.pragma('page_size = 16384');
  limitCache(db, 32);
  // A new store's schema is written before WAL is on, so that even a bare copy of the main file shows what it is.
  const version = isNew ? 0 : checkSchema(db, path);
  if (!isNew) {
    refuseElsewhere(strangePart(db, version), path);
    if (statSync(path).size <= largestCheckedOnOpening) refuseDamaged(db, path);
  }
  migrate(db, version);
  refuseTornCopy(db, path, hasLog);
  if (db.pragma('journal_mode = WAL', { simple: true }) !== 'wal') {
    throw badInput('this disk cannot keep a store that is read while it is written; use another one', { file: path });
  }
  // A page that several commits change is then copied into the file once, and the disk is waited for less often: 64 MiB of log.
  db.pragma('wal_autocheckpoint = 4096');
  db.pragma(`synchronous = ${durability === 'full' ? 'FULL' : 'NORMAL'}`);
}

/** A named pipe would keep the program waiting for ever; a folder gets a clearer word than SQLite's. */
function refuseOddFile(path: string): void {
  if (!existsSync(path)) return;
  const stats = statSync(path);
  if (stats.isDirectory()) throw new AssizeError('store-unreadable', 'this is a folder, not a store', { file: path });
  if (!stats.isFile()) throw new AssizeError('store-unreadable', 'this is not a file', { file: path });
}

/** Opens a store for reading. On read-only media, where WAL cannot work, a temporary copy is read. */
export function openForReading(path: string): OpenedConnection {
  if (!isThere(path)) throw new AssizeError('not-found', 'there is no such file', { file: path });
  refuseOddFile(path);
  return readable(path, () => {
    const found = { path, hasLog: hasWriteAheadLog(path), strange: strangeStore(canonical(path)), before: fileStamp(path) };
    const isBare = ['-wal', '-shm', '-journal'].every((suffix) => !existsSync(path + suffix));
    try {
      return openReadable(path, found, () => (isBare ? removeEmptyLog(path) : undefined));
    } catch (error) {
      if (!isDatabaseError(error) || !/^SQLITE_(READONLY|CANTOPEN)/.test(error.code)) throw error;
      return openCopy(found);
    }
  });
}

/** What is known of a store before SQLite looks at it, which makes and removes files. */
interface FoundStore {
  readonly path: string;
  readonly hasLog: boolean;
  /** Why others than this user have its files, or null. */
  readonly strange: string | null;
  readonly before: FileStamp;
}

function openCopy(found: FoundStore): OpenedConnection {
  const { path } = found;
  const folder = openTemporaryFolder('store');
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const copy = join(folder, 'store');
  try {
    for (const suffix of ['', '-wal']) if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix);
    // A copy keeps the permissions of its source, and SQLite writes files next to it.
    for (const suffix of ['', '-wal']) if (existsSync(copy + suffix)) chmodSync(copy + suffix, 0o600);
  } catch (error) {
    remove();
    throw unreadable(error, path);
  }
  const opened = openReadable(copy, found, remove);
  // SQLite has its files open and needs their names no more: however the process ends, nothing is left. Windows keeps them until they are closed.
  attempt(remove, undefined);
  return opened;
}

/** Why a store that is opened for reading is from elsewhere; null where it is our own. */
function whyElsewhere(db: Connection, path: string, strange: string | null): string | null {
  // In one transaction: a writer may be bringing the store up to date.
  return db.transaction(() => {
    const version = checkSchema(db, path);
    const why = strange ?? strangePart(db, version);
    if (why !== null) refuseOddSchema(db, version, path);
    return why;
  })();
}

/** SQLite removes a reader's log and index only when the last writing connection closes; an empty log has nothing to write. */
function removeEmptyLog(path: string): void {
  if (!existsSync(`${path}-wal`) || hasWriteAheadLog(path)) return;
  attempt(() => {
    const db = openDatabase(path, { fileMustExist: true });
    try {
      db.pragma('schema_version');
    } finally {
      db.close();
    }
  }, undefined);
}

function openReadable(file: string, { path, hasLog, strange, before }: FoundStore, afterwards: () => void): OpenedConnection {
  let db: Connection | undefined;
  const close = () => {
    try {
      db?.close();
    } finally {
      afterwards();
    }
  };
  try {
    db = openDatabase(file, { readonly: true, fileMustExist: true });
    configure(db);
    limitCache(db, 8);
    const elsewhere = whyElsewhere(db, path, strange);
    refuseTornCopy(db, path, hasLog);
    if (elsewhere !== null) refuseDamaged(db, path);
    // Where root opens a store, SQLite touches its log. A copy is of what was there before.
    const opened = file === path ? fileStamp(path) : before;
    return { db, elsewhere, opened, checkPlace: () => undefined, begin: () => undefined, close };
  } catch (error) {
    close();
    throw error;
  }
}
