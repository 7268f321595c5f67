import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { badInput, systemCode } from '../../../shared/errors.ts';
import type { DataFormat } from '../../../shared/experiment.ts';
import { limits } from '../datasets/limits.ts';
import { besideStore } from '../store/location.ts';

/** Folder of the data files that were added to the list of data sets of a store. */
export function dataFolder(store: string): string {
  return besideStore(store, '.data');
}

const tooLarge = () => badInput(`the file is larger than ${limits.fileBytes / 1024 ** 3} GiB; take a smaller extract`);

function asBadInput(error: unknown): unknown {
  const code = systemCode(error);
  if (code === undefined) return error;
  const advice = code === 'ENOSPC' ? 'the disk is full' : 'check the permissions, and that the file is still there';
  return badInput(`the file cannot be copied next to the store (${code}); ${advice}`);
}

async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open folders; its file systems keep a rename without this.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Copies a file into the data folder, which only its owner can read: whole, and not yet under its name. Throws bad input. */
export async function takeIn(source: string, folder: string, signal?: AbortSignal) {
  const path = join(folder, `.${randomBytes(12).toString('hex')}.partial`);
  const discard = () => rm(path, { force: true });
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    // Before opening: to open a named pipe would wait for its writer.
    const stats = await stat(source);
    if (!stats.isFile()) throw badInput('this is not a regular file; choose a data file');
    if (stats.size > limits.fileBytes) throw tooLarge();
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const target = await open(path, 'wx', 0o600);
    try {
      for await (const chunk of createReadStream(source, { highWaterMark: 1024 ** 2 }) as AsyncIterable<Buffer>) {
        signal?.throwIfAborted();
        bytes += chunk.length;
        if (bytes > limits.fileBytes) throw tooLarge();
        hash.update(chunk);
        await target.write(chunk);
      }
      await target.sync();
    } finally {
      await target.close();
    }
  } catch (error) {
    await discard();
    throw asBadInput(error);
  }
  const digest = hash.digest('hex');
  return {
    path,
    /** SHA-256, hexadecimal. */
    hash: digest,
    bytes,
    /** Puts it under its name, which follows from what is in it: the same file is there once. @returns the name */
    async keep(format: DataFormat) {
      const name = `${digest}.${format}`;
      // Also where it is there already: a disk may have changed it since, and the fresh copy is the sure one.
      await rename(path, join(folder, name));
      await syncFolder(folder);
      return name;
    },
    discard,
  };
}
