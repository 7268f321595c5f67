import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AssizeError } from '../../../shared/errors.ts';
import type { StoreAccess } from '../service/service.ts';
import type { Store } from '../store/store.ts';
import { dataFolder } from './dataFolder.ts';

/** Another program may be copying a file right now; none takes that long. */
const longestCopyMs = 24 * 60 * 60 * 1000;

function sweep(store: Store, folder: string): void {
  const needed = store.write(() => store.docket.forgetRemoved());
  for (const { name } of readdirSync(folder, { withFileTypes: true }).filter((item) => item.isFile())) {
    const path = join(folder, name);
    const kept = /^[0-9a-f]{64}\.(csv|tsv|jsonl)$/.test(name);
    const abandoned = /^\.[0-9a-f]{24}\.partial$/.test(name) && Date.now() - statSync(path).mtimeMs > longestCopyMs;
    if ((kept && !needed.has(name)) || abandoned) rmSync(path, { force: true });
  }
}

/**
 * Removes for good what was taken off the docket before this start of the program, and the files that nothing on the
 * docket needs. Leaves all as it is while another program writes to the store.
 */
export async function sweepDocket(store: StoreAccess): Promise<void> {
  const folder = dataFolder(store.path);
  if (!existsSync(folder)) return;
  try {
    await store.write((opened) => sweep(opened, folder));
  } catch (error) {
    if (!(error instanceof AssizeError && error.code === 'store-in-use')) throw error;
  }
}
