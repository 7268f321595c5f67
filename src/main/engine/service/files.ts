// Files that a page may name: it gets a handle in place of a path.
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AssizeError } from '../../../shared/errors.ts';
import { openTemporaryFolder } from '../temporaryFolder.ts';

export interface KnownFile {
  readonly path: string;
  readonly fileName: string;
  readonly bytes: number;
  readonly temporary: boolean;
}

const handleBytes = 32;
/** A screen that chooses file after file and uses none must not fill the memory. */
const mostUploads = 200;
/** Exports that no host has fetched; each is as large as what was exported. */
const mostExports = 20;

/** Files by handle: uploads that hosts announced, exports that wait to be taken once. Handles cannot be guessed; the temporary folder is the user's alone and goes with the engine. */
export function openFileHandles() {
  const folder = openTemporaryFolder('files');
  const uploads = new Map<string, KnownFile>();
  const exports = new Map<string, { path: string; fileName: string }>();

  /** Removals under way, which `close` waits for. */
  const removals = new Set<Promise<void>>();
  const remove = (path: string): Promise<void> => {
    const removal = rm(path, { force: true }).finally(() => removals.delete(removal));
    removals.add(removal);
    return removal;
  };

  /** Forgets an upload that is done with, and removes its file where it is a temporary one. */
  const release = async (upload: string): Promise<void> => {
    const known = uploads.get(upload);
    uploads.delete(upload);
    if (known?.temporary === true) await remove(known.path);
  };

  return {
    announce(upload: string, file: KnownFile): void {
      uploads.set(upload, file);
      const [oldest] = uploads.keys();
      if (uploads.size > mostUploads && oldest !== undefined) void release(oldest).catch(() => undefined);
    },
    /** Throws not-found. */
    upload(upload: string): KnownFile {
      const known = uploads.get(upload);
      if (known === undefined) throw new AssizeError('not-found', 'this file is no longer available; choose it again');
      return known;
    },
    release,
    /** A new file in the engine's temporary folder, and the handle under which it can be taken. */
    reserve(fileName: string) {
      const file = randomBytes(handleBytes).toString('base64url');
      const path = join(folder, file);
      exports.set(file, { path, fileName });
      const [oldest] = exports.keys();
      if (exports.size > mostExports && oldest !== undefined) {
        const { path: unfetched } = exports.get(oldest) ?? { path: '' };
        exports.delete(oldest);
        void remove(unfetched).catch(() => undefined);
      }
      return { file, path };
    },
    /** An export that still waits to be taken; null where there is none behind the handle. */
    waiting: (file: string) => exports.get(file) ?? null,
    take(file: string): KnownFile | null {
      const waiting = exports.get(file);
      exports.delete(file);
      const stats = waiting && statSync(waiting.path, { throwIfNoEntry: false });
      if (waiting === undefined || stats === undefined) return null;
      return { ...waiting, bytes: stats.size, temporary: true };
    },
    async close(): Promise<void> {
      await Promise.all([...uploads.keys()].map(release));
      await Promise.allSettled(removals);
      exports.clear();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type FileHandles = ReturnType<typeof openFileHandles>;
