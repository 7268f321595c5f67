import { randomBytes } from 'node:crypto';
import { AssizeError } from '../../../../shared/errors.ts';
import { dataFolder, takeIn } from '../../docket/dataFolder.ts';
import { docketEntries, docketEntry } from '../../docket/entries.ts';
import { refuseForeignPath } from '../../store/location.ts';
import type { Store } from '../../store/store.ts';
import { os } from '../os.ts';
import type { KnownFile, Service } from '../service.ts';

function uploaded({ files }: Service, upload: string): KnownFile {
  const known = files.upload(upload);
  refuseForeignPath(known.path, 'upload');
  return known;
}

/** Changes an added entry. Throws not-found, and bad input for one that comes with the program. */
async function changed(service: Service, id: string, change: (store: Store) => boolean): Promise<void> {
  if (await service.store.write(change)) return;
  // Throws not-found, unless it is one that comes with the program.
  const { entry } = await docketEntry(service, id);
  throw new AssizeError('bad-input', `"${entry.name}" comes with the program and stays as it is`, { field: 'entry' });
}

export const docket = {
  list: os.docket.list.handler(async ({ context: { service }, signal }) =>
    (await docketEntries(service, signal)).map(({ entry }) => entry),
  ),

  inspect: os.docket.inspect.handler(({ context: { service }, input: { upload, ...reading }, signal }) =>
    service.queries.run('inspectDataFile', { path: uploaded(service, upload).path, ...reading }, signal),
  ),

  preview: os.docket.preview.handler(({ context: { service }, input: { upload, definition }, signal }) =>
    service.queries.run('previewDataFile', { path: uploaded(service, upload).path, definition }, signal),
  ),

  add: os.docket.add.handler(async ({ context: { service }, input: { upload, name, definition }, signal }) => {
    const incoming = await takeIn(uploaded(service, upload).path, dataFolder(service.store.path), signal);
    const id = randomBytes(8).toString('hex');
    try {
      const { format, ...summary } = await service.queries.run('summarizeDataFile', { path: incoming.path, definition }, signal);
      await service.store.write(async (store) => {
        const file = await incoming.keep(format);
        const { hash: fileHash, bytes } = incoming;
        const addedAt = new Date().toISOString();
        store.docket.add({ id, name, addedAt, file, fileHash, bytes, ...summary, format, definition: { ...definition, format } });
      });
    } finally {
      await incoming.discard();
    }
    await service.files.release(upload);
    return (await docketEntry(service, id)).entry;
  }),

  rename: os.docket.rename.handler(async ({ context: { service }, input: { entry, name } }) => {
    await changed(service, entry, (store) => store.docket.rename(entry, name));
    return (await docketEntry(service, entry)).entry;
  }),

  remove: os.docket.remove.handler(async ({ context: { service }, input: { entry } }) => {
    await changed(service, entry, (store) => store.docket.setRemoved(entry, new Date().toISOString()));
    return {};
  }),

  restore: os.docket.restore.handler(async ({ context: { service }, input: { entry } }) => {
    await changed(service, entry, (store) => store.docket.setRemoved(entry, null));
    return (await docketEntry(service, entry)).entry;
  }),

  cases: os.docket.cases.handler(async ({ context: { service }, input: { entry: id, search, offset, limit }, signal }) => {
    const { path, entry } = await docketEntry(service, id, signal);
    const { definition } = entry;
    return service.queries.run('dataFileCases', { path, definition, search, offset, limit }, signal);
  }),
};
