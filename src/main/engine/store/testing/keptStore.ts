import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

/** A store that many test files begin with: the first of a run of all tests makes it, the others get a copy. @param name of stores made alike */
export function keptStore(name: string) {
  const kept = join(inject('stores'), createHash('sha256').update(name).digest('hex'));
  return {
    /** Whether there is one already; it is then copied to a path. */
    copyTo(path: string): boolean {
      if (!existsSync(kept)) return false;
      copyFileSync(kept, path);
      return true;
    },
    /** Two workers may make the same one: each puts a whole file in its place. */
    keep(path: string): void {
      copyFileSync(path, `${kept}.${process.pid}`);
      renameSync(`${kept}.${process.pid}`, kept);
    },
  };
}
