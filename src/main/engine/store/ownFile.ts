// Whose a file is, and what: its owner, its names, its mode, its beginning.
import { chmodSync, closeSync, existsSync, lstatSync, openSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { badInput } from '../../../shared/errors.ts';
import { originOf, originWords } from './origin.ts';

/** Files that SQLite keeps next to a store, and believes. */
const companions = ['-wal', '-shm', '-journal'] as const;

/** Identifies a file under any name; null where there is none. */
export function fileIdentity(path: string): string | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.dev}-${stats.ino}`;
}

/** Why a file is not this user's alone; null where it is. A link that leads to it is no name of it. */
export function strangeFile(path: string): string | null {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  if (!stats.isFile()) return `${basename(path)} is not a regular file`;
  // Windows has no owner of this kind.
  const user = process.geteuid?.();
  if (user !== undefined && stats.uid !== user) return `${basename(path)} belongs to another user`;
  if (stats.nlink > 1) return `${basename(path)} has ${stats.nlink} names on this disk (hard links)`;
  return null;
}

/** Why a store, or what SQLite believes next to it, is not this user's alone. @param path canonical */
export function strangeStore(path: string): string | null {
  const origin = originOf(path);
  if (origin !== null) return originWords(origin);
  for (const suffix of ['', ...companions]) {
    const strange = strangeFile(path + suffix);
    if (strange !== null) return strange;
  }
  return null;
}

/** Takes a file or folder of this user away from all others. */
export function keepPrivate(path: string): void {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  if (process.platform !== 'win32' && mode !== undefined && (mode & 0o077) !== 0) chmodSync(path, mode & 0o700);
}

/** As `keepPrivate`, for a store and what lies next to it. */
export function keepStorePrivate(path: string): void {
  for (const suffix of ['', ...companions]) keepPrivate(path + suffix);
}

/** Makes the file of a new store. Cases are private; the log and the index next to it take its permissions. */
export function makeFile(path: string): void {
  if (existsSync(path)) return;
  try {
    closeSync(openSync(path, 'a', 0o600));
  } catch (error) {
    throw badInput(
      `the store cannot be made here (${error instanceof Error ? error.message : String(error)}); name another place`,
      {
        file: path,
        field: '--store',
      },
    );
  }
}
