// How much of the disk the program uses, by kind of file.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DiskUse } from '../../../shared/api/record.ts';
import { dataFolder } from '../dataFiles/dataFolder.ts';
import { queueFolder, searchFolder, wholeCache } from '../report/statisticsCache.ts';
import { ownLogFile } from './errorLog.ts';

/** Bytes of a file, or of all files in a folder; 0 where there is none. */
async function bytesOf(path: string | null): Promise<number> {
  const found = path === null ? null : await stat(path).catch(() => null);
  if (path === null || found === null) return 0;
  if (!found.isDirectory()) return found.size;
  const names = await readdir(path).catch(() => []);
  return sumOf(names.map((name) => join(path, name)));
}

async function sumOf(paths: readonly (string | null)[]): Promise<number> {
  return (await Promise.all(paths.map(bytesOf))).reduce((sum, bytes) => sum + bytes, 0);
}

/** What is there of the store at a path and of the user's own files, in bytes. */
export async function diskUse(store: string): Promise<DiskUse> {
  const [index, cache] = await Promise.all([sumOf([searchFolder(), queueFolder()]), bytesOf(wholeCache())]);
  const found: DiskUse = [
    { of: 'record', bytes: await sumOf([store, `${store}-wal`, `${store}-shm`]) },
    { of: 'data', bytes: await bytesOf(dataFolder(store)) },
    { of: 'index', bytes: index },
    { of: 'cache', bytes: cache - index },
    { of: 'log', bytes: await bytesOf(ownLogFile()) },
  ];
  return found.filter(({ bytes }) => bytes > 0);
}
