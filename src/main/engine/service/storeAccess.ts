import { statSync } from 'node:fs';
import { AssizeError } from '../../../shared/errors.ts';
import { hasOtherWriter } from '../store/connection.ts';
import { readable } from '../store/databaseError.ts';
import { openStore, type Store } from '../store/store.ts';
import type { StoreAccess } from './service.ts';

/** Tells the file at a path from any other that may come to lie there; null where there is none. */
function identityOf(path: string): string | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.dev} ${stats.ino}`;
}

/**
 * Opens the store for writing at the first action and closes it after the last, so that others can write in between.
 * @param onFirst told when the store was opened for the first time
 */
export function openStoreAccess(path: string, onFirst: () => void = () => undefined): StoreAccess {
  let isFirst = true;
  let open: { readonly store: Store; readonly identity: string | null } | null = null;
  let users = 0;
  const checkPlace = () => {
    if (open === null || open.identity === identityOf(path)) return;
    throw new AssizeError(
      'store-unreadable',
      'the store was moved or removed while the run was under way; put it back where it was, with the files beside it, and go on, or begin the experiment anew',
      { file: path },
    );
  };
  const letGo = () => {
    users -= 1;
    if (users > 0) return;
    const last = open;
    open = null;
    readable(path, () => last?.store.close());
  };
  return {
    path,
    checkPlace,
    writtenElsewhere: () => open === null && hasOtherWriter(path),
    async write(action) {
      checkPlace();
      if (open === null) {
        const store = openStore(path, { create: true });
        open = { store, identity: identityOf(path) };
      }
      users += 1;
      if (isFirst) {
        isFirst = false;
        onFirst();
      }
      let result: Awaited<ReturnType<typeof action>>;
      try {
        result = await action(open.store);
      } catch (error) {
        try {
          letGo();
        } catch {
          // The first error is the one to tell.
        }
        throw error;
      }
      letGo();
      return result;
    },
  };
}
