import { copyFileSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { VerifyReport } from '../../../../shared/outputs.ts';
import { reading } from '../../testing/reading.ts';
import { verifyStore } from '../verify.ts';

type Change = (db: Database.Database) => void;

let copies = 0;

export async function withCopy<T>(store: string, change: Change, look: (path: string) => T | Promise<T>): Promise<T> {
  copies += 1;
  const path = `${store}.copy-${copies}`;
  copyFileSync(store, path);
  try {
    const db = new Database(path);
    try {
      db.pragma('synchronous = OFF');
      db.pragma('foreign_keys = OFF');
      change(db);
    } finally {
      db.close();
    }
    return await look(path);
  } finally {
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  }
}

export const verifyPath = (path: string, head?: string): VerifyReport => reading(path, (store) => verifyStore(store, { head }));

export function verifyChanged(store: string, change: Change): Promise<VerifyReport> {
  return withCopy(store, change, (path) => verifyPath(path));
}

/** Changes one byte of a text or a blob so that it is another one. */
export function flipped(value: Buffer, at: number, mask = 1): Buffer {
  const bytes = Buffer.from(value);
  bytes[at] = (bytes[at] ?? 0) ^ mask;
  return bytes;
}
