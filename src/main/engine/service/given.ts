// Records that the user was given, each unpacked or copied for as long as a page reads it.
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { AssizeError } from '../../../shared/errors.ts';
import type { Queries } from '../queries/pool.ts';
import type { FileHandles } from './files.ts';
import type { GivenRecords, Service } from './service.ts';

const handleBytes = 32;

type OpenRecord = Service & { close(): Promise<void> };

/** @param open opens the service of a store */
export function openGivenRecords(files: FileHandles, queries: Queries, open: (store: string) => OpenRecord): GivenRecords {
  const opened = new Map<string, { readonly service: OpenRecord; remove(): void }>();
  let checked: Parameters<GivenRecords['keep']>[0] = null;

  async function close(record: string): Promise<void> {
    const found = opened.get(record);
    opened.delete(record);
    await found?.service.close();
    found?.remove();
  }

  return {
    async keep(intact) {
      const before = checked;
      checked = intact;
      if (before !== null) await files.release(before.upload);
    },
    async read(upload, signal) {
      const { path, fileName } = files.upload(upload);
      if (checked?.upload !== upload)
        throw new AssizeError('not-found', 'this file was not checked last; check it again to read it');
      const { check } = checked;
      const store = await queries.run('givenRecord', { path, fileName }, signal);
      const service = open(store);
      // What is read is what was checked.
      service.knownFaults.checking()(check);
      const record = randomBytes(handleBytes).toString('base64url');
      opened.set(record, { service, remove: () => rmSync(dirname(store), { recursive: true, force: true }) });
      await files.release(upload);
      return record;
    },
    service(record) {
      const found = opened.get(record);
      if (found !== undefined) return found.service;
      throw new AssizeError('not-found', 'this record is closed; check its file again to read it');
    },
    async close(record) {
      await Promise.all((record === undefined ? [...opened.keys()] : [record]).map(close));
    },
  };
}
