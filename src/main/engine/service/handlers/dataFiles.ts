// Requests about what the user adds: data files, predictions from elsewhere, and variants of prompts.
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Variant } from '../../../../core/prompts/variant.ts';
import { draftSchema } from '../../../../shared/api/experiments.ts';
import type { ImportDraft } from '../../../../shared/api/imports.ts';
import { AssizeError } from '../../../../shared/errors.ts';
import { checkpointAfterRun } from '../../checkpoint/checkpoints.ts';
import { dataFolder, takeIn } from '../../dataFiles/dataFolder.ts';
import { dataFileEntries, dataFileEntry } from '../../dataFiles/entries.ts';
import { type ImportRequest, prepareImport, recordImport, refuseUnknown } from '../../imports/importPredictions.ts';
import { readPredictions } from '../../imports/predictionRows.ts';
import {
  checkVariant,
  keepVariant,
  openVariant,
  readVariantText,
  removeVariant,
  saveVariant,
  usableVariant,
  variantChoices,
  variantText,
} from '../../lab/promptVariants.ts';
import { refuseForeignPath } from '../../store/location.ts';
import type { Store } from '../../store/store.ts';
import { screenMessage } from '../failures.ts';
import type { KnownFile } from '../files.ts';
import { signingKey } from '../knownFaults.ts';
import { os } from '../os.ts';
import type { Service } from '../service.ts';
import { orNever } from '../streams.ts';
import { drafted } from './drafts.ts';

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
  throw new AssizeError('bad-input', `"${entry.name}" comes with the program and stays as it is`, 'entry');
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
      throw new AssizeError('bad-input', 'models read these names, so they stay; add the file once more with others', 'names');
    const definition = { ...rest, ...terms };
    await service.queries.run('dataFileCases', { path, definition, offset: 0, limit: 1 }, signal);
    await changed(service, id, (store) => store.dataFiles.define(id, definition));
    return (await dataFileEntry(service, id)).entry;
  }),

  remove: os.dataFiles.remove.handler(({ context: service, input: { entry } }) =>
    changed(service, entry, (store) => store.dataFiles.setRemoved(entry, new Date().toISOString())),
  ),

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

/** Throws not-found for a file that is not at hand any more. */
function requestOf({ files }: Service, { upload, ...draft }: ImportDraft): ImportRequest {
  const { path, fileName } = files.upload(upload);
  refuseForeignPath(path, 'upload');
  return { ...draft, path, fileName };
}

export const imports = {
  preview: os.imports.preview.handler(({ context: service, input, signal }) =>
    service.queries.run('importPreview', requestOf(service, input), signal),
  ),

  make: os.imports.make.handler(async ({ context: service, input, signal }) => {
    const request = requestOf(service, input);
    const file = await readPredictions(request.path, request);
    const report = await service.store.write((store) => {
      refuseUnknown(store, request);
      return recordImport(store, prepareImport(store, request, file), {
        signal: orNever(signal),
        onProgress: () => service.store.checkPlace(),
        sign: (written) => checkpointAfterRun(written, signingKey(service.knownFaults), screenMessage),
        onTrial: (trial) => service.changes.trial(input.experiment, trial, 'line'),
      });
    });
    await service.files.release(input.upload);
    return { ...report, store: basename(report.store) };
  }),
};

const saved = ({ name, protocol, hash }: Variant) => ({ name, protocol, hash });

export const prompts = {
  variants: os.prompts.variants.handler(() => variantChoices()),
  open: os.prompts.open.handler(({ input }) => openVariant(input)),
  check: os.prompts.check.handler(({ input }) => {
    const { variant, problems } = checkVariant(input);
    return { hash: variant?.hash ?? null, problems: [...problems] };
  }),
  preview: os.prompts.preview.handler(async ({ context: service, input: { edited, entry, params }, signal }) => {
    const { variant } = usableVariant(edited);
    const { name, protocol } = variant;
    // No server is asked: the demo model takes its place, and any name serves as the model.
    const arm = { name, protocol, params, cast: { '*': { model: 'any model' } } };
    const draft = draftSchema.parse({ entry, sample: { n: 1 }, backend: 'standin', arms: [arm] });
    const { experiment, dataPath } = (await drafted(service, draft, signal)).prepared;
    return service.queries.run('draftPreview', { experiment, dataPath, arm: 0, variant }, signal);
  }),
  save: os.prompts.save.handler(({ input: { edited, replaces } }) => saved(saveVariant(edited, replaces))),
  import: os.prompts.import.handler(({ context: service, input: { upload } }) => {
    const { path, fileName } = service.files.upload(upload);
    return saved(keepVariant(readVariantText(path), fileName).variant);
  }),
  restore: os.prompts.restore.handler(({ input: { content } }) => saved(keepVariant(content, 'the variant').variant)),
  remove: os.prompts.remove.handler(({ input: { name } }) => ({ content: removeVariant(name) })),
  export: os.prompts.export.handler(({ context: service, input: { name } }) => {
    const content = variantText(name);
    const fileName = `${name}.md`;
    const { file, path } = service.files.reserve(fileName);
    writeFileSync(path, content);
    return { file, fileName };
  }),
};
