import { createHmac, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { configurationFolder } from '../store/location.ts';
import { writeWholeFile } from '../wholeFile.ts';

/** Reports that are kept; those that were not asked for longest go first. */
const mostCached = 64;
const suffix = '.json';

const fileSchema = z.strictObject({ key: z.string(), seal: z.string(), report: z.string() });

const secretBytes = 32;

/** What reports are sealed with, so that nobody but this user can have written one. Made at the first need. Throws where it cannot be kept. */
function secret(): Buffer {
  const path = join(configurationFolder(), 'cache.key');
  const found = readOr(path);
  if (found !== null) return found;
  writeWholeFile(path, randomBytes(secretBytes).toString('hex'));
  const made = readOr(path);
  if (made === null) throw new Error('the key of the cache cannot be read');
  return made;
}

function readOr(path: string): Buffer | null {
  try {
    const key = Buffer.from(readFileSync(path, 'utf8'), 'hex');
    return key.length === secretBytes ? key : null;
  } catch {
    return null;
  }
}

const sealOf = (key: string, report: string) => createHmac('sha256', secret()).update(`${key}\n${report}`).digest('hex');

/** What was kept under a key; null where there is nothing, or something that is not what was written. */
function kept<T>(path: string, key: string, schema: z.ZodType<T>): T | null {
  try {
    const { key: own, seal, report } = fileSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
    if (own !== key || sealOf(key, report) !== seal) return null;
    const found = schema.parse(JSON.parse(report));
    const now = new Date();
    utimesSync(path, now, now);
    return found;
  } catch {
    return null;
  }
}

function dropOldest(folder: string): void {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(suffix))
    .map((name) => ({ path: join(folder, name), at: statSync(join(folder, name)).mtimeMs }))
    .toSorted((one, other) => other.at - one.at);
  for (const { path } of files.slice(mostCached)) rmSync(path, { force: true });
}

function keep(folder: string, path: string, key: string, report: unknown): void {
  try {
    const text = JSON.stringify(report);
    writeWholeFile(path, JSON.stringify({ key, seal: sealOf(key, text), report: text }));
    dropOldest(folder);
  } catch {
    // A full disk or a folder without permission costs the time to compute again, and nothing else.
  }
}

export interface CachedQuestion<T> {
  /** Null: neither look nor keep. */
  readonly folder: string | null;
  /** Hexadecimal; the same for what has to be the same. Not asked without a folder. */
  keyOf(): string;
  readonly schema: z.ZodType<T>;
}

/** What was made under the same key, or else what is made now. Parsed when it is new too, so that what is kept is the same to the byte. */
export function cachedOr<T>({ folder, keyOf, schema }: CachedQuestion<T>, make: () => T): T {
  const made = () => schema.parse(make());
  if (folder === null) return made();
  const key = keyOf();
  const path = join(folder, `${key}${suffix}`);
  const found = kept(path, key, schema);
  if (found !== null) return found;
  const report = made();
  keep(folder, path, key, report);
  return report;
}
