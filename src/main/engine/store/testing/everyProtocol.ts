import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { addLeaves } from '../migrations/0004-log.ts';
import { openStore } from '../store.ts';
import { keptStore } from './keptStore.ts';

const fixture = join(import.meta.dirname, '../fixtures/every-protocol.db.br');

/**
 * Writes a store of every protocol, recorded once by an older program with the demo model: the experiments `binary`,
 * `several labels` and `open questions`, each with its own data and two cases per arm.
 */
export function writeEveryProtocol(path: string): void {
  writeFileSync(path, brotliDecompressSync(readFileSync(fixture)));
}

/** The same in today's format, as if it had been interrupted: the second case was tried in few arms, which takes half the time. */
export function writeOfEveryProtocol(path: string): void {
  const kept = keptStore('of every protocol');
  if (kept.copyTo(path)) return;
  writeEveryProtocol(path);
  openStore(path, { create: false }).close();
  const db = new Database(path);
  const untried = `SELECT trial FROM trials AS own WHERE arm NOT IN ('cot', 'vote', 'mixture')
    AND case_id > (SELECT min(case_id) FROM trials WHERE experiment = own.experiment)`;
  db.exec(`CREATE TEMP TABLE untried AS ${untried};
    DELETE FROM events WHERE trial IN untried; DELETE FROM trajectories WHERE trial IN untried; DELETE FROM leaves;
    DELETE FROM trials WHERE trial IN untried; ${addLeaves}`);
  db.close();
  kept.keep(path);
}
