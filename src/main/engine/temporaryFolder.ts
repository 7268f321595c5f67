// A temporary folder that is removed with the process.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { systemCode } from '../../shared/errors.ts';

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is alive too.
    return systemCode(error) === 'EPERM';
  }
}

function removeFolders(parent: string, name: RegExp, isOver: (pid: number) => boolean): void {
  for (const entry of readdirSync(parent)) {
    const pid = Number(name.exec(entry)?.[1] ?? Number.NaN);
    if (Number.isNaN(pid) || !isOver(pid)) continue;
    const path = join(parent, entry);
    try {
      if (process.getuid === undefined || statSync(path).uid === process.getuid()) rmSync(path, { recursive: true, force: true });
    } catch {
      // Another process was quicker, or it is not ours to remove.
    }
  }
}

const anyFolder = /^assize-[a-z]+-(\d+)-/;

/** Folders of processes that were ended before they could clean up hold facts of cases: the next start removes them. */
export const removeOrphans = (parent = tmpdir(), name = anyFolder): void => removeFolders(parent, name, (pid) => !isAlive(pid));

// Neither a thread that is ended nor work that an exit cuts short cleans up after itself.
if (isMainThread) process.once('exit', () => removeFolders(tmpdir(), anyFolder, (pid) => pid === process.pid));

/** A new folder (0700) that goes with this process. @param kind a word that distinguishes it from other parts of the program */
export function openTemporaryFolder(kind: string, parent = tmpdir()): string {
  removeOrphans(parent, new RegExp(`^assize-${kind}-(\\d+)-`));
  return mkdtempSync(join(parent, `assize-${kind}-${process.pid}-`));
}
