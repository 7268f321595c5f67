// Says whether something was written to a store.
import { statsAt } from './firstBytes.ts';

/** The coarsest clock of a file system. */
const settledAfterMs = 2000;

export type FileStamp = Readonly<ReturnType<typeof fileStamp>>;

export function fileStamp(path: string) {
  const files = ['', '-wal']
    .map((suffix) => statsAt(path + suffix))
    // An empty one holds nothing, and readers make and remove it.
    .map((stats) => (stats?.size === 0n ? undefined : stats));
  const writes = files.map((stats) => (stats === undefined ? '' : `${stats.dev}-${stats.ino}-${stats.size}-${stats.mtimeNs}`));
  return {
    /** Changes with each write, even if somebody sets back the times of the files. It also changes after some things that are no writes. */
    files: [...writes, ...files.map((stats) => String(stats?.ctimeNs ?? ''))].join(),
    /** Changes with each write, unless somebody sets back the times of the files. */
    writes: writes.join(),
    // Anyone can set the time of the last write, but not of the last change.
    /** False for files that were written just now: the next write could leave the same times. */
    isSettled: files.every(
      (stats) => stats === undefined || Date.now() - Math.max(Number(stats.mtimeMs), Number(stats.ctimeMs)) > settledAfterMs,
    ),
  };
}
