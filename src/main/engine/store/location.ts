// Where a store and the files next to it are.
import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { badInput } from '../../../shared/errors.ts';
import { attempt } from '../attempt.ts';
import { homeFolder } from '../homeFolder.ts';

export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string | null;
}

export const surroundings = (): Surroundings => ({ platform: process.platform, env: process.env, home: homeFolder() });

/**
 * A folder of the user's own for this program, where the system has such folders.
 * @param usual on Linux, where `variable` names none
 * @param problem what bad input says for a user without a home
 */
function ownFolder(
  { platform, env, home }: Surroundings,
  variable: string,
  usual: readonly string[],
  problem: string,
  field?: string,
): string {
  const own = (...folders: string[]): string => {
    if (home !== null) return join(home, ...folders);
    throw badInput(problem, field);
  };
  if (platform === 'darwin') return own('Library', 'Application Support', 'Assize');
  if (platform === 'win32') return join(env.APPDATA ?? own('AppData', 'Roaming'), 'Assize');
  // Relative ones are to be ignored, says the XDG base directory specification: the record would be another in each folder.
  const named = env[variable] ?? '';
  return join(isAbsolute(named) ? named : own(...usual), 'assize');
}

/** Where the store is when no `--store` is given: the same in every host. Throws bad input for a user without a home. */
export function defaultStorePath(around: Surroundings): string {
  if (around.env.ASSIZE_STORE) return around.env.ASSIZE_STORE;
  const problem = 'this user has no home folder for the record; name a place with --store or ASSIZE_STORE';
  return join(ownFolder(around, 'XDG_DATA_HOME', ['.local', 'share'], problem, '--store'), 'assize.db');
}

/** Folder of the user's own files for this program. Throws bad input for a user without a home. */
export const configurationFolder = (): string =>
  ownFolder(surroundings(), 'XDG_CONFIG_HOME', ['.config'], 'this user has no home folder for settings; set XDG_CONFIG_HOME');

/** Whether a folder is the one that is made for stores without `--store`. */
export function isDefaultFolder(folder: string): boolean {
  const around = { ...surroundings(), env: { ...process.env, ASSIZE_STORE: '' } };
  return attempt(() => resolve(folder) === dirname(defaultStorePath(around)), false);
}

/** UNC and device paths can reach other machines and odd devices; they are refused everywhere. */
export function refuseForeignPath(path: string, field: string): void {
  if (/^[\\/]{2}/.test(path) || /^\\\\[.?]\\/.test(path)) {
    throw badInput('UNC and device paths are not accepted; use a path on a local disk', field);
  }
}

export function resolveStorePath(given: string | undefined): string {
  const path = given ?? defaultStorePath(surroundings());
  refuseForeignPath(path, '--store');
  return resolve(path);
}

export const ensemblesBeside = (store: string): string => besideStore(store, '.ensembles');

/** Path of a file next to a store: its own without `.db`, and the suffix. */
export function besideStore(store: string, suffix: string): string {
  return store.replace(/\.db$/, '') + suffix;
}

/** The folder of a file, or of those above it the first that is there. */
export function nearestFolder(path: string): string {
  let folder = dirname(path);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

/** Bytes that this user can still write where a store is, or will be. */
export function freeForStore(path: string): number {
  const { bavail, bsize } = statfsSync(nearestFolder(path));
  return bavail * bsize;
}

export const isWritable = (path: string): boolean =>
  attempt(() => {
    accessSync(path, constants.W_OK);
    return true;
  }, false);

/** Whether a store is there that this user cannot write, or its folder. @param writable in place of asking the system */
export const isOnlyReadable = (store: string, writable = isWritable): boolean =>
  existsSync(store) && ![store, dirname(store)].every(writable);
