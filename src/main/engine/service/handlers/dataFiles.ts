// Requests about data files: list, inspect, preview, add, rename, remove and restore.
import { randomBytes } from 'node:crypto';
import { AssizeError } from '../../../../shared/errors.ts';
import { dataFolder, takeIn } from '../../dataFiles/dataFolder.ts';
import { dataFileEntries, dataFileEntry } from '../../dataFiles/entries.ts';
import { refuseForeignPath } from '../../store/location.ts';
import type { Store } from '../../store/store.ts';
import type { KnownFile } from '../files.ts';
import { os } from '../os.ts';
import type { Service } from '../service.ts';

function uploaded({ files }: Service, upload: string): KnownFile {
  const known = files.upload(upload);
  refuseForeignPath(known.path, 'upload');
  return known;
}

/** Changes an added entry. Throws not-found, and bad input for one that comes with the program. */
async function changed(service: Service, id: string, change: (store: Store) => boolean): Promise<void> {
  if (await service.store.write(change)) return;
  // Throws not-found, unless it is one that comes with the program.
  const { entry } = await dataFileEntry(service, id);
  throw new AssizeError('bad-input', `"${entry.name}" comes with the program and stays as it is`, { field: 'entry' });
}

export const dataFiles = {
  list: os.dataFiles.list.handler(async ({ context: service, signal }) =>
    (await dataFileEntries(service, signal)).map(({ entry }) => entry),
  ),

  inspect: os.dataFiles.inspect.handler(({ context: service, input: { upload, ...reading }, signal }) =>
    service.queries.run('inspectDataFile', { path: uploaded(service, upload).path, ...reading }, signal),
  ),

  preview: os.dataFiles.preview.handler(({ context: service, input: { upload, definition }, signal }) =>
    service.queries.run('previewDataFile', { path: uploaded(service, upload).path, definition }, signal),
  ),

  add: os.dataFiles.add.handler(async ({ context: service, input: { upload, name, definition }, signal }) => {
    const incoming = await takeIn(uploaded(service, upload).path, dataFolder(service.store.path), signal);
    const id = randomBytes(8).toString('hex');
    try {
      const { format, ...summary } = await service.queries.run('summarizeDataFile', { path: incoming.path, definition }, signal);
      await service.store.write(async (store) => {
        const file = await incoming.keep(format);
        const { hash: fileHash, bytes } = incoming;
        const addedAt = new Date().toISOString();
        store.dataFiles.add({
          id,
          name,
          addedAt,
          file,
          fileHash,
          bytes,
          ...summary,
          format,
          definition: { ...definition, format },
        });
      });
    } finally {
      await incoming.discard();
    }
    await service.files.release(upload);
    return (await dataFileEntry(service, id)).entry;
  }),

  rename: os.dataFiles.rename.handler(async ({ context: service, input: { entry, name } }) => {
    await changed(service, entry, (store) => store.dataFiles.rename(entry, name));
    return (await dataFileEntry(service, entry)).entry;
  }),

  /** What people call the columns: experiments on record show the new names, and their records stay. */
  nameColumns: os.dataFiles.nameColumns.handler(async ({ context: service, input: { entry: id, ...terms }, signal }) => {
    const { entry, path } = await dataFileEntry(service, id, signal);
    const { names: _names, units: _units, namesInPrompts, ...rest } = entry.definition;
    if (namesInPrompts === true)
      throw new AssizeError('bad-input', 'models read these names, so they stay; add the file once more with others', {
        field: 'names',
      });
    const definition = { ...rest, ...terms };
    await service.queries.run('dataFileCases', { path, definition, offset: 0, limit: 1 }, signal);
    await changed(service, id, (store) => store.dataFiles.define(id, definition));
    return (await dataFileEntry(service, id)).entry;
  }),

  remove: os.dataFiles.remove.handler(async ({ context: service, input: { entry } }) => {
    await changed(service, entry, (store) => store.dataFiles.setRemoved(entry, new Date().toISOString()));
    return {};
  }),

  restore: os.dataFiles.restore.handler(async ({ context: service, input: { entry } }) => {
    await changed(service, entry, (store) => store.dataFiles.setRemoved(entry, null));
    return (await dataFileEntry(service, entry)).entry;
  }),

  cases: os.dataFiles.cases.handler(async ({ context: service, input: { entry: id, search, offset, limit }, signal }) => {
    const { path, entry } = await dataFileEntry(service, id, signal);
    const { definition } = entry;
    return service.queries.run('dataFileCases', { path, definition, search, offset, limit }, signal);
  }),
};
