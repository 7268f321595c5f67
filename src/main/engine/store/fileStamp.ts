// Tells whether something was written to a store.
import { statSync } from 'node:fs';

export interface FileStamp {
  /** Changes with each write, even if somebody sets back the times of the files. It also changes after some things that are no writes. */
  readonly files: string;
  /** Changes with each write, unless somebody sets back the times of the files. */
  readonly writes: string;
  /** False for files that were written just now: the next write could leave the same times. */
  readonly isSettled: boolean;
}

/** The coarsest clock of a file system. */
const settledAfterMs = 2000;

export function fileStamp(path: string): FileStamp {
  const files = ['', '-wal']
    .map((suffix) => statSync(path + suffix, { bigint: true, throwIfNoEntry: false }))
    // An empty one holds nothing, and readers make and remove it.
    .map((stats) => (stats?.size === 0n ? undefined : stats));
  const writes = files.map((stats) => (stats === undefined ? '' : `${stats.dev}-${stats.ino}-${stats.size}-${stats.mtimeNs}`));
  return {
    files: [...writes, ...files.map((stats) => String(stats?.ctimeNs ?? ''))].join(),
    writes: writes.join(),
    // Anyone can set the time of the last write, but not of the last change.
    isSettled: files.every(
      (stats) => stats === undefined || Date.now() - Math.max(Number(stats.mtimeMs), Number(stats.ctimeMs)) > settledAfterMs,
    ),
  };
}
