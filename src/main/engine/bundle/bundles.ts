// What the commands do with bundles. What packs and unpacks them is loaded only when it is needed.
import { renameSync, rmSync } from 'node:fs';
import { AssizeError } from '../../../shared/errors.ts';
import { partialPath, refuseStoreItself } from '../report/export.ts';
import type { TellStatistics } from '../report/statistics.ts';
import type { BundleOptions } from './contents.ts';

/** `assize export --format bundle`. Throws as `exportToFile` does, and interrupted when the signal fires. */
export async function exportBundle(
  path: string,
  { experiment, out, force, ...options }: BundleOptions & { experiment: string; out: string; force: boolean },
  { signal, onProgress }: { signal: AbortSignal; onProgress: TellStatistics },
): Promise<void> {
  refuseStoreItself(path, out);
  const partial = partialPath(out, { force });
  const { openQueryPool } = await import('../queries/pool.ts');
  const pool = openQueryPool(path);
  try {
    await pool.run('bundle', { experiment, path: partial, ...options }, signal, onProgress);
    renameSync(partial, out);
  } catch (error) {
    rmSync(partial, { force: true });
    throw signal.aborted ? new AssizeError('interrupted', 'interrupted; nothing was written; run it again') : error;
  } finally {
    await pool.close();
  }
}

/**
 * Works on the record at a path: a store, or an intact and full bundle, which is unpacked for as long as the work takes.
 * @throws store-unreadable for a damaged bundle, bad-input for a redacted one
 */
export async function withRecord<T>(path: string, action: (store: string) => Promise<T>): Promise<T> {
  const { isBundle, unpackBundle } = await import('./unpackBundle.ts');
  if (!isBundle(path)) return action(path);
  const { store, remove } = await unpackBundle(path);
  try {
    return await action(store);
  } finally {
    remove();
  }
}
