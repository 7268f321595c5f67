// Copies the record of a store row by row into a new store, whose schema is ours whatever that of the other one is.
import { AssizeError } from '../../../shared/errors.ts';
import { openForReading, openForWriting } from './connection.ts';
import { isDatabaseError, readable } from './databaseError.ts';
import { addLeaves } from './migrations/0004-log.ts';

/**
 * The record, and what its trials are derived from. Not taken: projections, which are made anew; data sets that were added,
 * orders of runs and the run log, which speak of the other user's files.
 */
const tables = ['datasets', 'blobs', 'events', 'cases', 'experiments', 'erased'] as const;

/** Throws store-unreadable for a row that our schema does not take: a duplicate, a wrong type, a stray reference. */
export function copyRecord(from: string, into: string): void {
  const source = openForReading(from);
  try {
    const target = openForWriting(into, { create: true, durability: 'full' });
    try {
      readable(from, () =>
        target.db.transaction(() => {
          target.db.exec('DELETE FROM datasets');
          const has = source.db.prepare<[string]>("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
          for (const table of tables) {
            // A store of an older format does not have all of them.
            if (has.get(table) === undefined) continue;
            const columns = target.db.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(table);
            const insert = target.db.prepare(`INSERT INTO ${table} VALUES (${columns.map(() => '?').join(', ')})`);
            // In the order in which they were written, which lists of trials go by.
            const order = table === 'events' ? 'ORDER BY rowid' : '';
            const rows = source.db.prepare(`SELECT ${columns.join(', ')} FROM ${table} ${order}`).raw();
            for (const row of rows.iterate()) insert.run(row);
          }
          target.db.exec(addLeaves);
        })(),
      );
    } finally {
      target.close();
    }
  } catch (error) {
    if (!isDatabaseError(error) || !/^SQLITE_(CONSTRAINT|ERROR|MISMATCH)/.test(error.code)) throw error;
    throw new AssizeError(
      'store-unreadable',
      `the record has a row that no store can have (${error.message}); nothing was copied`,
      {
        file: from,
      },
    );
  } finally {
    source.close();
  }
}
