import Database from 'better-sqlite3';
import { AssizeError } from '../../../shared/errors.ts';

/** Opens a database file. Throws `store-unreadable` where the file cannot be opened at all. */
export function openFile(path: string, options: Database.Options): Database.Database {
  try {
    return new Database(path, options);
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_CANTOPEN')) {
      throw new AssizeError('store-unreadable', 'the store cannot be opened: check that it is a file and that you may read and write it', { file: path });
    }
    throw error;
  }
}
