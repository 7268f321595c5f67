// Where calls may go beside this machine. It lies in the user's own folder and never beside a store: a folder of data that
// somebody else made must not open a way out.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { settingsSchema } from '../../../shared/api/engine.ts';
import { configurationFolder } from '../store/location.ts';
import { writeWholeFile } from '../wholeFile.ts';

const fileSchema = z.strictObject({ store: z.string(), allowedHosts: settingsSchema.shape.allowedHosts });

/** The hosts that this user allows for the store at a path. Without a readable file there are none. */
export function openPermissions(store: string) {
  const place = () => {
    const path = existsSync(store) ? realpathSync.native(store) : store;
    return { path, file: join(configurationFolder(), 'permissions', `${createHash('sha256').update(path).digest('hex')}.json`) };
  };
  return {
    allowedHosts(): readonly string[] {
      try {
        const { path, file } = place();
        const found = fileSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
        return found.store === path ? found.allowedHosts : [];
      } catch {
        return [];
      }
    },
    /** Throws what the system says where nothing can be written. */
    allow(allowedHosts: readonly string[]): void {
      const { path, file } = place();
      writeWholeFile(file, `${JSON.stringify({ store: path, allowedHosts }, null, 2)}\n`);
    },
  };
}
