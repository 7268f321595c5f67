// Opens a store in a test for one look into it.
import Database from 'better-sqlite3';
import { openStoreReadOnly, type Store } from '../store/store.ts';

function closing<Open extends { close(): unknown }, T>(open: Open, read: (open: Open) => T): T {
  try {
    return read(open);
  } finally {
    open.close();
  }
}

/** What is read of a store, which is closed again. */
export const reading = <T>(path: string, read: (store: Store) => T): T => closing(openStoreReadOnly(path), read);

/** The same of its tables, past the program. */
export const readingTables = <T>(path: string, read: (db: Database.Database) => T): T =>
  closing(new Database(path, { readonly: true }), read);
