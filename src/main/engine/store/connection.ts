import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { AssizeError, badInput } from '../../../shared/errors.ts';
import { acquireLock, type StoreLock } from './lock.ts';
import { openFile } from './openFile.ts';
import { migrations, newestVersion } from './migrations/index.ts';

export type Connection = Database.Database;

/** `ASZE`: tells a store from any other SQLite file. */
const applicationId = 0x41535a45;

export interface OpenedConnection {
  readonly db: Connection;
  close(): void;
}

/** Linux file-system types of network drives, where SQLite's locks cannot be trusted. */
const networkFileSystems = new Map<number, string>([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x5346414f, 'AFS'],
  [0x00c36400, 'Ceph'],
]);

function refuseNetworkDrive(folder: string): void {
  if (process.platform !== 'linux') return;
  const kind = networkFileSystems.get(Number(statfsSync(folder).type) >>> 0);
  if (kind !== undefined) {
    throw badInput(`the folder is on a network drive (${kind}), where a store cannot be written safely; use a local disk`, { file: folder });
  }
}

/** Runs an action on a database; every sign of a broken file becomes one error that says so. */
export function readable<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    if (['SQLITE_CORRUPT', 'SQLITE_NOTADB'].some((code) => error.code.startsWith(code))) {
      throw new AssizeError('store-unreadable', `the store is damaged or truncated (${error.message}); restore it from a copy`, { file: path });
    }
    if (error.code === 'SQLITE_FULL') {
      throw new AssizeError('internal', 'the disk is full; free some space and run again to go on', { file: path });
    }
    throw error;
  }
}

/** Checks that the file is a store of a version this program knows. Returns its schema version. */
function checkSchema(db: Connection, path: string): number {
  const version = Number(db.pragma('user_version', { simple: true }));
  const application = Number(db.pragma('application_id', { simple: true }));
  if (application !== applicationId || version === 0) {
    throw new AssizeError(
      'store-unreadable',
      'this file holds no Assize record: no schema was found. A copied store needs its -wal file beside it',
      { file: path },
    );
  }
  if (version > newestVersion) {
    throw new AssizeError('store-newer', `the store has format ${version} and this program knows formats up to ${newestVersion}; use a newer Assize`, {
      file: path,
    });
  }
  return version;
}

function configure(db: Connection): void {
  db.pragma('foreign_keys = ON');
  db.pragma('busy_timeout = 5000');
}

function migrate(db: Connection, from: number): void {
  for (const { version, sql } of migrations) {
    if (version <= from) continue;
    db.transaction(() => {
      db.exec(sql);
      db.pragma(`application_id = ${applicationId}`);
      db.pragma(`user_version = ${version}`);
    })();
  }
}

/**
 * Opens a store for writing and keeps every other writer out until it is closed.
 * @throws store-in-use, store-unreadable, store-newer, not-found (no file and `create` is false)
 */
export function openForWriting(path: string, options: { create: boolean; durability: 'normal' | 'full' }): OpenedConnection {
  const exists = existsSync(path) && statSync(path).size > 0;
  if (!exists && !options.create) throw new AssizeError('not-found', 'there is no store here', { file: path });
  const folder = dirname(path);
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw badInput(`the folder cannot be made: ${error instanceof Error ? error.message : String(error)}`, { file: folder });
  }
  refuseNetworkDrive(folder);
  const lock: StoreLock = acquireLock(path);
  try {
    return readable(path, () => {
      const db = openFile(path, { fileMustExist: false });
      configure(db);
      // Events are about a kilobyte each: larger pages waste less of themselves.
      if (!exists) db.pragma('page_size = 16384');
      // A new store's schema is written before WAL is on, so that even a bare copy of the main file shows what it is.
      migrate(db, exists ? checkSchema(db, path) : 0);
      db.pragma('journal_mode = WAL');
      db.pragma(`synchronous = ${options.durability === 'full' ? 'FULL' : 'NORMAL'}`);
      return {
        db,
        close: () => {
          db.close();
          lock.release();
        },
      };
    });
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Opens a store for reading. On read-only media, where WAL cannot work, a temporary copy is read. */
export function openForReading(path: string): OpenedConnection {
  if (!existsSync(path)) throw new AssizeError('not-found', 'there is no store here', { file: path });
  if (statSync(path).isDirectory()) throw new AssizeError('store-unreadable', 'this is a folder, not a store', { file: path });
  try {
    return openReadable(path, () => undefined);
  } catch (error) {
    const readOnlyMedia = error instanceof Database.SqliteError && /^SQLITE_(READONLY|CANTOPEN)/.test(error.code);
    if (!readOnlyMedia) throw error;
    const folder = mkdtempSync(join(tmpdir(), 'assize-'));
    for (const suffix of ['', '-wal']) {
      if (existsSync(path + suffix)) copyFileSync(path + suffix, join(folder, basename(path) + suffix));
    }
    return openReadable(join(folder, basename(path)), () => rmSync(folder, { recursive: true, force: true }));
  }
}

function openReadable(path: string, afterwards: () => void): OpenedConnection {
  const db = new Database(path, { readonly: true, fileMustExist: true });
  try {
    return readable(path, () => {
      configure(db);
      checkSchema(db, path);
      return {
        db,
        close: () => {
          db.close();
          afterwards();
        },
      };
    });
  } catch (error) {
    db.close();
    afterwards();
    throw error;
  }
}
