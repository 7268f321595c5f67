import { openStore, type Store } from '../store/store.ts';
import type { StoreAccess } from './service.ts';

/** Opens the store for writing at the first action and closes it after the last, so that others can write in between. */
export function openStoreAccess(path: string): StoreAccess {
  let open: Store | null = null;
  let users = 0;
  return {
    path,
    async write(action) {
      open ??= openStore(path, { create: true });
      users += 1;
      try {
        return await action(open);
      } finally {
        users -= 1;
        if (users === 0) {
          const last = open;
          open = null;
          last.close();
        }
      }
    },
  };
}
