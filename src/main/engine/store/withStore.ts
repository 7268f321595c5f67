// Opens a store for one piece of work and closes it.
import { explained } from './databaseError.ts';
import { addTrajectories, type ProjectingWatch } from './projecting.ts';
import { openStore, type Store } from './store.ts';

export async function withStore<T>(store: Store, action: (store: Store) => T | Promise<T>): Promise<T> {
  try {
    return await action(store);
  } catch (error) {
    throw explained(error, store.path);
  } finally {
    store.close();
  }
}

/** How work that writes is watched before it begins: the store of an older program is first prepared for figures. */
export interface WritingWatch {
  readonly onPreparing?: ProjectingWatch['onProgress'];
  readonly signal?: AbortSignal;
}

/** Opens a store for writing, makes the trajectories that it lacks, works on it and closes it. */
export function withWritable<T>(
  path: string,
  options: Parameters<typeof openStore>[1],
  { onPreparing, signal }: WritingWatch,
  action: (store: Store) => T | Promise<T>,
): Promise<T> {
  return withStore(openStore(path, options), async (store) => {
    await addTrajectories(store, { onProgress: onPreparing, signal });
    return action(store);
  });
}
