import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AssizeError } from '../../../shared/errors.ts';
import { dataFormats } from '../../../shared/experiment.ts';
import type { StoreAccess } from '../service/storeAccess.ts';
import type { Store } from '../store/store.ts';
import { dataFolder } from './dataFolder.ts';

/** Name of a file that was added: its hash and its format. */
const storedFile = new RegExp(`^[0-9a-f]{64}\\.(${dataFormats.join('|')})$`);

/** Another program with this store may be copying a file right now, or offer to undo a removal: for so long at most. */
const restMs = 24 * 60 * 60 * 1000;

function sweep(store: Store, folder: string): void {
  const needed = store.write(() => store.dataFiles.forgetRemoved(new Date(Date.now() - restMs).toISOString()));
  for (const { name } of readdirSync(folder, { withFileTypes: true }).filter((item) => item.isFile())) {
    const path = join(folder, name);
    const unneeded = storedFile.test(name) && !needed.has(name);
    const partial = /^\.[0-9a-f]{24}\.partial$/.test(name);
    if ((unneeded || partial) && Date.now() - statSync(path).mtimeMs > restMs) rmSync(path, { force: true });
  }
}

/** Deletes what left the list of data sets a day ago, and files it alone needed, unless another program writes to the store. */
export async function sweepDataFiles(store: StoreAccess): Promise<void> {
  const folder = dataFolder(store.path);
  if (!existsSync(folder)) return;
  try {
    await store.write((opened) => sweep(opened, folder));
  } catch (error) {
    if (!(error instanceof AssizeError && error.code === 'store-in-use')) throw error;
  }
}
