import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { badInput } from '../../../shared/errors.ts';

interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** Where the store is when no `--store` is given: the same in every host. */
export function defaultStorePath({ platform, env, home }: Surroundings): string {
  if (env.ASSIZE_STORE) return env.ASSIZE_STORE;
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Assize', 'assize.db');
  if (platform === 'win32') return join(env.APPDATA ?? join(home, 'AppData', 'Roaming'), 'Assize', 'assize.db');
  return join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'assize', 'assize.db');
}

/** UNC and device paths can reach other machines and odd devices; they are refused everywhere. */
export function refuseForeignPath(path: string, field: string): void {
  if (/^[\\/]{2}/.test(path) || /^\\\\[.?]\\/.test(path)) {
    throw badInput('UNC and device paths are not accepted; use a path on a local disk', { field });
  }
}

export function resolveStorePath(given: string | undefined): string {
  const path = given ?? defaultStorePath({ platform: process.platform, env: process.env, home: homedir() });
  refuseForeignPath(path, '--store');
  return resolve(path);
}

/** Folder of a user's own ensembles. */
export const ensemblesBeside = (store: string): string => besideStore(store, '.ensembles');

/** Path of what lies beside a store: its own without `.db`, and the suffix. */
export function besideStore(store: string, suffix: string): string {
  return store.replace(/\.db$/, '') + suffix;
}
