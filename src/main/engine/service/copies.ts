// Copies of the user's own of records from elsewhere: stores in the folder of the user's own record.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { z } from 'zod';
import type { copiesSchema } from '../../../shared/api/record.ts';
import { AssizeError } from '../../../shared/errors.ts';
import { attempt } from '../attempt.ts';
import { resolveStorePath } from '../store/location.ts';
import { originOf } from '../store/origin.ts';
import { openStoreReadOnly } from '../store/store.ts';
import type { Service } from './service.ts';

const mostListed = 100;

type Own = Pick<Service, 'elsewhere' | 'launch'>;

/** The store that the program began with, or, where that is from elsewhere, the one that it begins with by itself. Throws bad-input */
const ownStore = ({ elsewhere, launch }: Own): string =>
  elsewhere() === null ? resolve(launch.store) : resolveStorePath(undefined);

/** Where a copy of a name can be. Throws output-exists for the user's own record, bad-input for a user without a folder for it. */
export function copyPath(own: Own, name: string): string {
  const mine = ownStore(own);
  const path = join(dirname(mine), name.endsWith('.db') ? name : `${name}.db`);
  if (path !== mine) return path;
  throw new AssizeError('output-exists', 'your own record has this name; choose another one', { field: 'name' });
}

/** A free place for a copy of a record from elsewhere; null for a user without a folder of their own. */
export function freePlace(own: Own, store: string): { folder: string; name: string } | null {
  const name =
    basename(originOf(store)?.file ?? store)
      .replace(/\.\w+$/, '')
      .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
      .replace(/^\.+/, '')
      .slice(0, 100) || 'record';
  const mine = attempt(() => ownStore(own), null);
  if (mine === null) return null;
  const isTaken = (path: string) => path === mine || existsSync(path);
  let into = join(dirname(mine), `${name}.db`);
  for (let number = 2; isTaken(into); number++) into = join(dirname(mine), `${name}-${number}.db`);
  return { folder: dirname(into), name: basename(into) };
}

/** Where one that is there is. Throws not-found */
export function copyBeside(own: Own, name: string): string {
  if (copiesBeside(own).some((copy) => copy.name === name)) return copyPath(own, name);
  throw new AssizeError('not-found', 'this copy is no longer there');
}

/** Those that are there, the newest first. */
export function copiesBeside(own: Own): z.infer<typeof copiesSchema> {
  const mine = attempt(() => ownStore(own), null);
  const folder = mine === null ? null : dirname(mine);
  if (folder === null || !existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.db') && join(folder, entry.name) !== mine)
    .map(({ name }) => ({ name, at: statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.at - a.at)
    .slice(0, mostListed)
    .flatMap(({ name }) => {
      const store = attempt(() => openStoreReadOnly(join(folder, name)), null);
      const of = store?.runLog.adoption() ?? null;
      store?.close();
      return of === null || of.joined ? [] : [{ name, of }];
    });
}
