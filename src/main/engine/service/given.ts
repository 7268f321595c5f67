// Records that the user was given: each is copied and checked, and read in place of the user's own.
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { AssizeError } from '../../../shared/errors.ts';
import type { Queries } from '../queries/pool.ts';
import { openTemporaryFolder } from '../temporaryFolder.ts';
import type { FileHandles } from './files.ts';
import type { GivenRecords, Service } from './service.ts';

const handleBytes = 32;

type OpenRecord = Service & { close(): Promise<void> };

/** @param open opens the service of a store */
export function openGivenRecords(files: FileHandles, queries: Queries, open: (store: string) => OpenRecord): GivenRecords {
  const opened = new Map<string, { readonly service: OpenRecord; readonly folder: string }>();
  /** Of records that are being copied, or open. */
  const folders = new Set<string>();
  const remove = (folder: string) => {
    folders.delete(folder);
    return rm(folder, { recursive: true, force: true });
  };

  async function close(record: string): Promise<void> {
    const found = opened.get(record);
    if (found === undefined) return;
    opened.delete(record);
    await found.service.close();
    await remove(found.folder);
  }

  return {
    async read(upload) {
      const { path, fileName } = files.upload(upload);
      const folder = openTemporaryFolder('given');
      folders.add(folder);
      try {
        const { store, check } = await queries.run('givenRecord', { path, fileName, folder });
        if (!folders.has(folder)) throw new AssizeError('interrupted', 'the engine ends');
        const service = open(store);
        service.knownFaults.checking()(check);
        const record = randomBytes(handleBytes).toString('base64url');
        opened.set(record, { service, folder });
        return record;
      } catch (error) {
        await remove(folder);
        throw error;
      } finally {
        await files.release(upload);
      }
    },
    service(record) {
      const found = opened.get(record);
      if (found !== undefined) return found.service;
      throw new AssizeError('not-found', 'this record is closed; check its file again to read it');
    },
    async close(record) {
      if (record !== undefined) return close(record);
      await Promise.all([...opened.keys()].map(close));
      await Promise.all([...folders].map(remove));
    },
  };
}
