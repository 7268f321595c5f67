// The lock that allows a store one writer.
import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { isDatabaseError, readable } from './databaseError.ts';

export interface StoreLock {
  release(): void;
}

/** Whether a program, this one included, holds the writer lock of the store at a canonical path. */
export function isLocked(storePath: string): boolean {
  if (!existsSync(`${storePath}.lock`)) return false;
  const db = new Database(`${storePath}.lock`, { timeout: 0, fileMustExist: true, readonly: true });
  try {
    db.pragma('schema_version');
    return false;
  } catch (error) {
    if (isDatabaseError(error) && error.code.startsWith('SQLITE_BUSY')) return true;
    throw error;
  } finally {
    db.close();
  }
}

/**
 * Takes the store's writer lock: an open exclusive transaction on a small database beside it. It is a
 * lock of the operating system, so it ends with its process, however that ends.
 * @param storePath canonical, so that two names of one store have one lock
 * @param shownPath the store's name in errors
 * @throws store-in-use
 */
export function acquireLock(storePath: string, shownPath: string): StoreLock {
  return readable(shownPath, () => {
    const db = new Database(`${storePath}.lock`, { timeout: 0 });
    try {
      db.pragma('journal_mode = MEMORY');
      db.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      db.close();
      throw error;
    }
    return {
      release: () => {
        if (db.open) db.close();
      },
    };
  });
}
