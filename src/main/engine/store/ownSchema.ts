// Whether the schema of a file is the one that our migrations reach, and whether another one can be read without running it.

import Database from 'better-sqlite3';
import { readOnce } from '../../../shared/remembered.ts';
import { migrations } from './migrations/index.ts';

type Connection = Database.Database;

interface SchemaRow {
  readonly type: string;
  readonly name: string;
  readonly tbl_name: string;
  readonly sql: string | null;
}

const rowsOf = (db: Connection): SchemaRow[] =>
  db.prepare<[], SchemaRow>('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name').all();

/** As `table.column`. Looking at a virtual table connects it: only for a schema that has none. */
const columnsOf = (db: Connection): string[] =>
  db
    .prepare<[], string>(
      "SELECT part.name || '.' || each.name FROM sqlite_schema AS part, pragma_table_xinfo(part.name) AS each WHERE part.type = 'table'",
    )
    .pluck()
    .all();

interface OwnSchema {
  readonly rows: readonly SchemaRow[];
  readonly columns: readonly string[];
}

/** The schema of a version. A store that was migrated has the same text as one that began with it. */
const ownSchema = readOnce((version: number): OwnSchema => {
  const db = new Database(':memory:');
  try {
    for (const { version: each, sql } of migrations) if (each <= version) db.exec(sql);
    return { rows: rowsOf(db), columns: columnsOf(db) };
  } finally {
    db.close();
  }
});

/** The first part of a schema that is not as our migrations make it; null where all of it is. */
export function strangePart(db: Connection, version: number): string | null {
  const own = new Map(ownSchema(version).rows.map((row) => [row.name, JSON.stringify(row)]));
  for (const row of rowsOf(db)) {
    const expected = own.get(row.name);
    if (expected === undefined) return `it has a ${row.type} ${JSON.stringify(row.name)} that this program does not make`;
    if (expected !== JSON.stringify(row)) return `its ${row.type} ${JSON.stringify(row.name)} is not as this program makes it`;
    own.delete(row.name);
  }
  const [missing] = own.keys();
  return missing === undefined ? null : `it lacks ${JSON.stringify(missing)}`;
}

/** The first column that every store has and this one lacks, as `table.column`; null where it has all. What came later is looked for where it is read. */
export function missingColumn(db: Connection): string | null {
  const present = new Set(columnsOf(db));
  return ownSchema(1).columns.find((column) => !present.has(column)) ?? null;
}

/** What would run of a strange schema when tables are read; null: plain tables. SQLite refuses rows that belie their text. */
export function runningPart(db: Connection, version: number): string | null {
  const ours = new Set(ownSchema(version).rows.map(({ name }) => name));
  const generated = db.prepare<[string], string>('SELECT name FROM pragma_table_xinfo(?) WHERE hidden <> 0').pluck();
  for (const { type, name, sql } of rowsOf(db)) {
    // Also what merely speaks of it: such a table is connected as soon as it is looked at.
    if (type === 'table' && /\bvirtual\b/i.test(sql ?? '')) return `a virtual table or column in ${JSON.stringify(name)}`;
    if (!ours.has(name.toLowerCase())) continue;
    if (type === 'view') return `the view ${JSON.stringify(name)} in place of a table`;
    if (type === 'table' && generated.get(name) !== undefined) return `a generated column of ${JSON.stringify(name)}`;
  }
  return null;
}

/** Columns that no two rows of a table share. */
const keys: Readonly<Record<string, readonly string[]>> = {
  blobs: ['ref'],
  cases: ['dataset', 'id'],
  experiments: ['name'],
  trials: ['trial'],
  trajectories: ['trial'],
};

/** The first table in which two rows have one key: an index that was remade behind SQLite's back allows that. */
export function doubleRow(db: Connection): string | null {
  for (const [table, columns] of Object.entries(keys)) {
    if (db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table) === undefined) continue;
    // With a sign before it, a column is read from the rows themselves.
    const list = columns.map((column) => `+${column}`).join(', ');
    const found = db.prepare(`SELECT 1 FROM ${table} GROUP BY ${list} HAVING count(*) > 1 LIMIT 1`).get();
    if (found !== undefined) return `the table ${table} has two rows of one ${columns.at(-1)}`;
  }
  return null;
}
