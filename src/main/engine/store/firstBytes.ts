// Whether a file is there, and its beginning, by which its kind is known.
import { type BigIntStats, closeSync, openSync, readSync, statSync } from 'node:fs';
import { AssizeError, systemCode } from '../../../shared/errors.ts';

const advice: Readonly<Record<string, string>> = {
  EACCES: 'you may not read this file; ask its owner, or check its permissions',
  EPERM: 'you may not read this file; ask its owner, or check its permissions',
  ELOOP: 'this is a symbolic link that leads back to itself; name the file that it should lead to',
  ENAMETOOLONG: 'this name is longer than a file can have; name another file',
};

/** What is thrown in place of an error of the file system: that a file cannot be read is no fault of the program. */
export function unreadable(error: unknown, path: string): unknown {
  const words = advice[systemCode(error) ?? ''];
  return words === undefined ? error : new AssizeError('store-unreadable', words, { file: path });
}

/** What is at a path; undefined for nothing. Throws store-unreadable where that cannot be found out. */
export function statsAt(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    throw unreadable(error, path);
  }
}

/** Whether something is at a path. Throws as `statsAt`. */
export const isThere = (path: string): boolean => statsAt(path) !== undefined;

function openToRead(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (error) {
    throw unreadable(error, path);
  }
}

/** The beginning of a file, filled up with zeros where the file is shorter. Throws store-unreadable where this user may not read it. */
export function firstBytes(path: string, count: number): Buffer {
  const start = Buffer.alloc(count);
  const file = openToRead(path);
  try {
    readSync(file, start, 0, count, 0);
  } finally {
    closeSync(file);
  }
  return start;
}
