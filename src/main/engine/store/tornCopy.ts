// Copies of a store without the file next to it that holds its newest events.
import { statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { AssizeError } from '../../../shared/errors.ts';
import { quantity } from '../../../shared/sizes.ts';
import { attempt } from '../attempt.ts';

/** Experiments that are named with their trials. */
const mostNamed = 5;

/** What such a copy has, in a line; nothing where its table of trials cannot be read. */
function heldLine(db: Database.Database): string {
  const sql = "SELECT experiment, count(*) AS ended FROM trials WHERE status = 'done' GROUP BY experiment ORDER BY experiment";
  const held = attempt(() => db.prepare<[], { experiment: string; ended: number }>(sql).all(), null);
  if (held === null) return '';
  const named = held
    .slice(0, mostNamed)
    .map(({ experiment, ended }) => `${quantity(ended, 'ended trial')} of ${JSON.stringify(experiment)}`);
  const more = held.length > mostNamed ? [`trials of ${quantity(held.length - mostNamed, 'more experiment')}`] : [];
  return `\nThis file has ${held.length === 0 ? 'no ended trial' : [...named, ...more].join(', ')}; what the missing one has cannot be known from it.`;
}

/** A store that was open when its main file was copied is not whole without the log next to it. @throws store-unreadable */
export function refuseTornCopy(db: Database.Database, path: string, hasLog: boolean): void {
  // A copy made by VACUUM INTO is whole, and has no log.
  if (hasLog || db.pragma('journal_mode', { simple: true }) !== 'wal') return;
  // The file itself may well be without a log: any SQLite program that opens it after a crash merges the log and removes it.
  const { ino, nlink } = statSync(path, { bigint: true });
  // Of two names, the log has one.
  const torn = db
    .prepare<[string, number]>('SELECT 1 FROM state WHERE open = 1 AND (inode <> ? OR ?)')
    .get(String(ino), Number(nlink > 1n));
  if (torn === undefined) return;
  throw new AssizeError(
    'store-unreadable',
    `this copy was made while the store was in use, and its -wal file with the newest events is not next to it.${heldLine(db)}\nAsk its owner for a new copy: made when the program is closed, or with VACUUM INTO. docs/record-format.md, “Copying a store”, says how to look inside meanwhile`,
    { file: path },
  );
}
