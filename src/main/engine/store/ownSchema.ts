// Whether the schema of a file is the one that our migrations reach, and whether another one can be read without running it.
import Database from 'better-sqlite3';
import { migrations } from './migrations/index.ts';

interface SchemaRow {
  readonly type: string;
  readonly name: string;
  readonly tbl_name: string;
  readonly sql: string | null;
}

const rowsOf = (db: Database.Database): SchemaRow[] =>
  db.prepare<[], SchemaRow>('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name').all();

const reached = new Map<number, readonly SchemaRow[]>();

/** The schema of a version. A store that was migrated has the same text as one that began with it. */
function ownSchema(version: number): readonly SchemaRow[] {
  const known = reached.get(version);
  if (known !== undefined) return known;
  const db = new Database(':memory:');
  try {
    for (const { version: each, sql } of migrations) if (each <= version) db.exec(sql);
    const rows = rowsOf(db);
    reached.set(version, rows);
    return rows;
  } finally {
    db.close();
  }
}

/** The first part of a schema that is not as our migrations make it; null where all of it is. */
export function strangePart(db: Database.Database, version: number): string | null {
  const own = new Map(ownSchema(version).map((row) => [row.name, JSON.stringify(row)]));
  for (const row of rowsOf(db)) {
    const expected = own.get(row.name);
    if (expected === undefined) return `it has a ${row.type} ${JSON.stringify(row.name)} that this program does not make`;
    if (expected !== JSON.stringify(row)) return `its ${row.type} ${JSON.stringify(row.name)} is not as this program makes it`;
    own.delete(row.name);
  }
  const [missing] = own.keys();
  return missing === undefined ? null : `it lacks ${JSON.stringify(missing)}`;
}

/**
 * What of a strange schema would run when our tables are read; null where they are plain tables, beside which nothing else
 * runs. SQLite itself refuses a file whose schema rows name other things than their text makes.
 */
export function runningPart(db: Database.Database, version: number): string | null {
  const ours = new Set(ownSchema(version).map(({ name }) => name));
  const generated = db.prepare<[string], string>('SELECT name FROM pragma_table_xinfo(?) WHERE hidden <> 0').pluck();
  for (const { type, name, sql } of rowsOf(db)) {
    // Also what merely speaks of it: such a table is connected as soon as it is looked at.
    if (type === 'table' && /\bvirtual\b/i.test(sql ?? '')) return `a virtual table or column in ${JSON.stringify(name)}`;
    if (!ours.has(name.toLowerCase())) continue;
    if (type === 'view') return `the view ${JSON.stringify(name)} in the place of a table`;
    if (type === 'table' && generated.get(name) !== undefined) return `a generated column of ${JSON.stringify(name)}`;
  }
  return null;
}
