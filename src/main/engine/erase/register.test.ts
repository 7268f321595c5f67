import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { migrations } from '../store/migrations/index.ts';
import { columnsWithoutText, register, writersWithoutText } from './register.ts';

test('every column of a store is in the register, once', () => {
  const db = new Database(':memory:');
  for (const { sql } of migrations) db.exec(sql);
  const columns = db
    .prepare<[], string>(
      `SELECT tables.name || '.' || columns.name FROM pragma_table_list AS tables, pragma_table_info(tables.name) AS columns
         WHERE tables.schema = 'main' AND tables.name NOT LIKE 'sqlite_%'`,
    )
    .pluck()
    .all();
  db.close();
  const listed = [...register.flatMap((place) => place.columns ?? []), ...columnsWithoutText];
  expect(listed.toSorted()).toEqual(columns.toSorted());
});

test('every module that writes files is in the register, once', () => {
  const engine = resolve(import.meta.dirname, '..');
  const source = resolve(engine, '../..');
  const writes =
    /\b(writeFile(Sync)?|appendFile(Sync)?|createWriteStream|copyFile(Sync)?|mkdtemp(Sync)?|writeWholeFile|openTemporaryFolder|writeSync)\(|\.open\([^)]*'(w|a)|new Database\(|\bopen\([^)]*'(w|a)/;
  const writers = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.(test|fixture)\.ts$|testing/.test(name))
    .filter((name) => writes.test(readFileSync(join(source, name), 'utf8')))
    .map((name) => relative(engine, join(source, name)).replaceAll('\\', '/'));
  const listed = [...register.flatMap((place) => place.writers ?? []), ...writersWithoutText];
  expect(listed.toSorted()).toEqual(writers.toSorted());
});
