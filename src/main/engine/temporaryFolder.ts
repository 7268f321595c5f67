// A temporary folder that is removed with the process.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** Folders of processes that were ended before they could clean up hold facts of cases: the next start removes them. */
export function removeOrphans(parent = tmpdir(), name = /^assize-[a-z]+-(\d+)-/): void {
  for (const entry of readdirSync(parent)) {
    const pid = Number(name.exec(entry)?.[1] ?? Number.NaN);
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    const path = join(parent, entry);
    try {
      if (process.getuid === undefined || statSync(path).uid === process.getuid()) rmSync(path, { recursive: true, force: true });
    } catch {
      // Another process was quicker, or it is not ours to remove.
    }
  }
}

/**
 * A new folder for files that go with this process, the user's alone (0700).
 * @param kind a word that distinguishes it from those of other parts of the program
 */
export function openTemporaryFolder(kind: string, parent = tmpdir()): string {
  removeOrphans(parent, new RegExp(`^assize-${kind}-(\\d+)-`));
  return mkdtempSync(join(parent, `assize-${kind}-${process.pid}-`));
}
