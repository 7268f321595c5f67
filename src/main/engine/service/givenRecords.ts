// Records that a page reads in place of the one that the program began with: given ones, and copies of the user's own.
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { AssizeError } from '../../../shared/errors.ts';
import { adopt } from '../newStores.ts';
import type { Queries } from '../queries/pool.ts';
import { openTemporaryFolder } from '../temporaryFolder.ts';
import type { FileHandles } from './files.ts';
import type { GivenRecords, Service } from './service.ts';

type OpenRecord = Service & { close(): Promise<void> };

const newHandle = () => randomBytes(32).toString('base64url');

/** @param openGiven opens the service of a store that is only read @param openOwn opens that of a copy of the user's own */
export function openGivenRecords({
  files,
  queries,
  openGiven,
  openOwn,
}: {
  readonly files: FileHandles;
  readonly queries: Queries;
  readonly openGiven: (store: string) => OpenRecord;
  readonly openOwn: (store: string) => OpenRecord;
}): GivenRecords {
  /** `folder` is removed with the record; null for a copy of the user's own. */
  const opened = new Map<string, { readonly service: OpenRecord; readonly folder: string | null }>();
  /** Of records that are being copied, or open. */
  const folders = new Set<string>();
  const ending = new AbortController();
  const copying = new Set<Promise<unknown>>();
  const remove = (folder: string) => {
    folders.delete(folder);
    return rm(folder, { recursive: true, force: true });
  };

  async function close(record: string): Promise<void> {
    const found = opened.get(record);
    if (found === undefined) return;
    opened.delete(record);
    await found.service.close();
    if (found.folder !== null) await remove(found.folder);
  }

  /** A copy stays open when a page leaves it: runs go on in it. */
  function openCopy(path: string): string {
    const [known] = [...opened].find(([, { service }]) => service.launch.store === path) ?? [];
    if (known !== undefined) return known;
    const record = newHandle();
    opened.set(record, { service: openOwn(path), folder: null });
    return record;
  }

  return {
    async read(upload) {
      const { path, fileName } = files.upload(upload);
      const folder = openTemporaryFolder('given');
      folders.add(folder);
      try {
        const { store, check } = await queries.run('givenRecord', { path, fileName, folder });
        if (!folders.has(folder)) throw new AssizeError('interrupted', 'the engine ends');
        const service = openGiven(store);
        service.knownFaults.checking()(check);
        const record = newHandle();
        opened.set(record, { service, folder });
        return record;
      } catch (error) {
        await remove(folder);
        throw error;
      } finally {
        await files.release(upload);
      }
    },
    async copy(from, into, { signal, onProgress }) {
      const work = adopt(from, into, { signal: AbortSignal.any([signal, ending.signal]), onProgress });
      copying.add(work);
      await work.finally(() => copying.delete(work));
      return openCopy(into);
    },
    openCopy,
    service(record) {
      const found = opened.get(record);
      if (found !== undefined) return found.service;
      throw new AssizeError('not-found', 'this record is closed; check its file again to read it');
    },
    async leave(record) {
      if (opened.get(record)?.folder !== null) await close(record);
    },
    async close() {
      ending.abort();
      await Promise.allSettled(copying);
      await Promise.all([...opened.keys()].map(close));
      await Promise.all([...folders].map(remove));
    },
  };
}
