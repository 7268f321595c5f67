import { attempt } from '../attempt.ts';
import { hasOtherWriter } from '../store/connection.ts';
import { readable } from '../store/databaseError.ts';
import { openStore, type Store } from '../store/store.ts';

/** The store with every commit on the disk before it returns. */
export const durable = (store: Store): Store => ({
  ...store,
  write: (action) => store.write(action, { durable: true }),
  writeSoon: (action) => store.writeSoon(action, { durable: true }),
});

/**
 * The store of this engine. Another program may write to it while no run is under way here.
 * Opens the store for writing at the first action and closes it after the last, so that others can write in between.
 * @param onFirst called when the store was opened for the first time
 */
export function openStoreAccess(path: string, onFirst: () => void = () => undefined) {
  let isFirst = true;
  let open: Store | null = null;
  let users = 0;
  /** Throws store-unreadable where the file that is open no longer lies at its path: what is written there would be lost. */
  const checkPlace = (): void => open?.checkPlace();
  const letGo = () => {
    users -= 1;
    if (users > 0) return;
    const last = open;
    open = null;
    readable(path, () => last?.close());
  };
  return {
    path,
    checkPlace,
    /** Whether another program is writing to the store now; false where this user may not see that. */
    writtenElsewhere: (): boolean => open === null && attempt(() => hasOtherWriter(path), false),
    /** Runs an action on the store opened for writing; the store stays open while any action is under way. Throws store-in-use. */
    async write<T>(action: (store: Store) => T | Promise<T>): Promise<T> {
      checkPlace();
      open ??= openStore(path, { create: true });
      users += 1;
      if (isFirst) {
        isFirst = false;
        onFirst();
      }
      let result: T;
      try {
        result = await action(open);
      } catch (error) {
        try {
          letGo();
        } catch {
          // The first error is the one to report.
        }
        throw error;
      }
      letGo();
      return result;
    },
  };
}

export type StoreAccess = ReturnType<typeof openStoreAccess>;
