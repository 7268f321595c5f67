import type { Connection } from './connection.ts';

/** Whether a later format's table is there. A reader leaves older stores as they are; a writer may update one meanwhile. */
export function laterTable(db: Connection, table: string): () => boolean {
  const select = db.prepare<[string]>("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?");
  let found = false;
  return () => {
    found ||= select.get(table) !== undefined;
    return found;
  };
}

export const laterColumn = (db: Connection, table: string, column: string): boolean =>
  db.prepare<[string, string]>('SELECT 1 FROM pragma_table_info(?) WHERE name = ?').get(table, column) !== undefined;
