// What the user allows to leave this machine: kept in the configuration folder, never beside a store, which others may have made.
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { settingsSchema } from '../../shared/api/engine.ts';
import { badInput } from '../../shared/errors.ts';
import { configurationFolder } from './store/location.ts';
import { writeWholeFile } from './wholeFile.ts';

/** user: random, of whoever gave the permissions. stores: hash of user and path of a store -> hosts. */
const fileSchema = z.strictObject({
  user: z.uuid(),
  stores: z.record(z.string(), settingsSchema.shape.allowedHosts.unwrap()),
});

function canonical(store: string): string {
  if (existsSync(store)) return realpathSync.native(store);
  const folder = dirname(resolve(store));
  return existsSync(folder) ? join(realpathSync.native(folder), basename(store)) : resolve(store);
}

/** The permissions of this user for the store at a path. What cannot be read allows nothing. */
export function openPermissions(store: string) {
  const path = () => join(configurationFolder(), 'permissions.json');
  const whole = (): z.infer<typeof fileSchema> => {
    try {
      return fileSchema.parse(JSON.parse(readFileSync(path(), 'utf8')));
    } catch {
      return { user: randomUUID(), stores: {} };
    }
  };
  const keyOf = (user: string): string =>
    createHash('sha256')
      .update(`${user}\n${canonical(store)}`)
      .digest('hex');
  return {
    hosts(): string[] {
      const { user, stores } = whole();
      return stores[keyOf(user)] ?? [];
    },
    allow(hosts: readonly string[]): void {
      const { user, stores } = whole();
      try {
        writeWholeFile(path(), `${JSON.stringify({ user, stores: { ...stores, [keyOf(user)]: hosts } }, null, 2)}\n`);
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
        throw badInput(`the permission cannot be saved (${code}); check the permissions of your configuration folder`, {
          field: 'allowedHosts',
        });
      }
    },
  };
}
