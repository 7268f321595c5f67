// Finds pages of a store that a failing disk or a broken copy has damaged, before anything is written to it.
import type Database from 'better-sqlite3';
import { damagedStore } from './databaseError.ts';
import { fileStamp } from './fileStamp.ts';

/** The files that were checked last and found whole: a store is opened again and again. */
let soundFile = '';

/** Remembers that the files of a store are whole as they are now: nothing but this program wrote to them since they were checked. */
export const keepSound = (path: string): void => {
  soundFile = fileStamp(path).writes;
};

/** Where SQLite found a fault, in words: the page, and the table or index that it belongs to. */
function placeOf(db: Database.Database, found: string): string {
  const [, page] = /\bpage (\d+)/i.exec(found) ?? [];
  if (page === undefined) return '';
  const [, tree = ''] = /\bTree (\d+)/.exec(found) ?? [];
  const part = db.prepare('SELECT tbl_name FROM sqlite_schema WHERE rootpage = ?').pluck().get(Number(tree));
  const pages = String(db.pragma('page_count', { simple: true }));
  return ` at page ${page} of ${pages}${part === undefined ? '' : `, in the table ${JSON.stringify(part)}`}`;
}

/** Reads every page, about 1 GB/s where the system has them in memory. `ok`, or the first fault in SQLite's words. */
const quickCheck = (db: Database.Database): string => String(db.pragma('quick_check(1)', { simple: true }));

/** Throws store-unreadable where a page is damaged. An index that lists other rows than its table is no damage: somebody can hide a row so. */
export function checkPages(db: Database.Database, path: string): void {
  const found = quickCheck(db);
  if (found.startsWith('***')) throw damagedStore(path, placeOf(db, found));
}

/** Throws store-unreadable where SQLite finds any fault, unless the files are as they were when it found none. */
export function refuseDamaged(db: Database.Database, path: string): void {
  if (soundFile === fileStamp(path).writes) return;
  const found = quickCheck(db);
  if (found !== 'ok') throw damagedStore(path, placeOf(db, found));
  keepSound(path);
}
