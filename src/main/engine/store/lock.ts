import Database from 'better-sqlite3';
import { AssizeError } from '../../../shared/errors.ts';
import { openFile } from './openFile.ts';

export interface StoreLock {
  release(): void;
}

/**
 * Takes the store's writer lock: an open exclusive transaction on a small database beside it. It is a
 * lock of the operating system, so it ends with its process, however that ends.
 * @throws store-in-use
 */
export function acquireLock(storePath: string): StoreLock {
  const db = openFile(`${storePath}.lock`, { timeout: 0 });
  try {
    db.pragma('journal_mode = MEMORY');
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      throw new AssizeError('store-in-use', 'another program is writing to this store; wait for it to end, or use another --store', {
        file: storePath,
      });
    }
    throw error;
  }
  return {
    release: () => {
      if (db.open) db.close();
    },
  };
}
