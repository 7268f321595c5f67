// Databases in the user's cache folder: they hold nothing but what is made from a record, and are remade where they are missing or
// damaged.
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';

export interface CacheSchema {
  /** Raised where the tables, or what is in them, change: earlier files are remade. */
  readonly version: number;
  readonly sql: string;
}

const inMemory = ':memory:';

/** The file of a store in such a folder. @param folder null: kept in memory */
export const cacheDatabaseOf = (folder: string | null, store: string): string =>
  folder === null ? inMemory : join(folder, `${createHash('sha256').update(realpathSync(store)).digest('hex').slice(0, 32)}.db`);

function open(path: string, { version, sql }: CacheSchema): Database.Database {
  if (path !== inMemory) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const db = new Database(path, { timeout: 20_000 });
  try {
    if (path !== inMemory) chmodSync(path, 0o600);
    if (db.pragma('user_version', { simple: true }) === version) return db;
    db.exec('BEGIN EXCLUSIVE');
    const made = db.pragma('user_version', { simple: true });
    if (made === 0) db.exec(`${sql}; PRAGMA user_version = ${version}`);
    db.exec('COMMIT');
    if (made === 0 || made === version) return db;
  } catch (error) {
    db.close();
    throw error;
  }
  db.close();
  throw new Database.SqliteError('another version', 'SQLITE_NOTADB');
}

const hasCode = (error: unknown, code: RegExp) => error instanceof Error && 'code' in error && code.test(String(error.code));

/** Works with a database that is made again where damaged or deleted (as erasures do). @param path `:memory:`: not kept */
export function withCacheDatabase<T>(path: string, schema: CacheSchema, work: (db: Database.Database) => T): T {
  const attempt = (): T => {
    const db = open(path, schema);
    try {
      return work(db);
    } finally {
      db.close();
    }
  };
  try {
    return attempt();
  } catch (error) {
    const isSpoilt = hasCode(error, /^SQLITE_(?:NOTADB|CORRUPT)/);
    // What a deleted file gives depends on the moment. If the disk itself is at fault, the second attempt fails too.
    if (!isSpoilt && !hasCode(error, /^(?:SQLITE_(?:READONLY_DBMOVED|IOERR|CANTOPEN)|ENOENT)/)) throw error;
    // In place of a deleted one, another process may have made a new one.
    if (isSpoilt) for (const end of ['', '-journal']) rmSync(`${path}${end}`, { force: true });
    return attempt();
  }
}
