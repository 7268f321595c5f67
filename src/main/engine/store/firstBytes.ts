// Whether a file is there, and its beginning, by which its kind is known.
import { type BigIntStats, closeSync, openSync, readSync, statSync } from 'node:fs';
import { AssizeError, systemCode } from '../../../shared/errors.ts';

/** What is thrown in place of an error of the file system: that a user may not read a file is no fault of the program. */
export function unreadable(error: unknown, path: string): unknown {
  if (!['EACCES', 'EPERM'].includes(systemCode(error) ?? '')) return error;
  return new AssizeError('store-unreadable', 'you may not read this file; ask its owner, or check its permissions', {
    file: path,
  });
}

/** What is at a path; undefined for nothing. Throws store-unreadable where a folder on the way does not let this user look. */
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
