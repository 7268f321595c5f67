import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { attempt } from '../attempt.ts';
import { configurationFolder } from '../store/location.ts';
import { writeWholeFile } from '../wholeFile.ts';

/** Reports that are kept; those that were not asked for longest go first. */
const mostCached = 64;
const suffix = '.json';

const fileSchema = z.strictObject({ key: z.string(), seal: z.string(), report: z.string() });

const secretBytes = 32;

/** What reports are sealed with, so that only this user can have written one. Made when first needed. Throws where it cannot be stored. */
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
  const key = attempt(() => Buffer.from(readFileSync(path, 'utf8'), 'hex'), null);
  return key?.length === secretBytes ? key : null;
}

const sealOf = (key: string, report: string) => createHmac('sha256', secret()).update(`${key}\n${report}`).digest('hex');

const fileOf = (folder: string, key: string) => join(folder, `${key}${suffix}`);

interface KeptPlace<T> {
  readonly folder: string;
  readonly key: string;
  readonly schema: z.ZodType<T>;
}

/** What was kept at a place; null where there is nothing, or something that is not what was written. */
export function kept<T>({ folder, key, schema }: KeptPlace<T>): T | null {
  const path = fileOf(folder, key);
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

export function keep<T>({ folder, key }: KeptPlace<T>, report: T): void {
  try {
    const text = JSON.stringify(report);
    writeWholeFile(fileOf(folder, key), JSON.stringify({ key, seal: sealOf(key, text), report: text }));
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

/** What was made under this key, else made now and parsed, so that both are equal. @param isKept false: holds only now */
export function cachedOr<T>({ folder, keyOf, schema }: CachedQuestion<T>, make: () => T, isKept = (_made: T) => true): T {
  const made = () => schema.parse(make());
  if (folder === null) return made();
  const place = { folder, key: keyOf(), schema };
  const found = kept(place);
  if (found !== null) return found;
  const report = made();
  if (isKept(report)) keep(place, report);
  return report;
}

/** Changes all files of a folder; what cannot be read, or written again, is deleted. */
export function changeKept<T>(folder: string, schema: z.ZodType<T>, change: (report: T) => T): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const place = { folder, key: name.slice(0, -suffix.length), schema };
    const found = kept(place);
    rmSync(join(folder, name), { recursive: true, force: true });
    if (found !== null) keep(place, change(found));
  }
}
