import { join } from 'node:path';
import type { DataFile } from '../../../shared/api/dataFiles.ts';
import { AssizeError, badInput } from '../../../shared/errors.ts';
import type { Dataset } from '../datasets/dataset.ts';
import type { Service } from '../service/service.ts';
import { dataFolder } from './dataFolder.ts';
import { bundledSamples } from './samples.ts';

/** An entry with its place on this machine, which no screen learns. */
export interface KnownEntry {
  readonly entry: DataFile;
  /** Absolute path of the data file, and its name. */
  readonly path: string;
  readonly file: string;
  /** SHA-256 of the file when it was added, hexadecimal; null for one that comes with the program. */
  readonly fileHash: string | null;
}

/** What is in the list of data sets: what comes with the program, then what was added, in the order of adding. */
export async function dataFileEntries({ launch, store, queries }: Service, signal?: AbortSignal): Promise<KnownEntry[]> {
  const samples = bundledSamples(launch.resources);
  const { added, experiments } = await queries.run('dataFileRows', { bundled: samples.map(({ id }) => id) }, signal);
  return [
    ...samples.map(({ id, name, format, definition, cases, source, path, file }) => ({
      entry: {
        id,
        name,
        bundled: true,
        addedAt: null,
        format,
        definition,
        cases,
        labels: definition.labels ?? [],
        positive: definition.positive ?? null,
        source,
        experiments: experiments[id] ?? [],
      },
      path,
      file,
      fileHash: null,
    })),
    ...added.map(({ id, name, addedAt, format, definition, cases, labels, positive, file, fileHash }) => ({
      entry: {
        id,
        name,
        bundled: false,
        addedAt,
        format,
        definition,
        cases,
        labels: [...labels],
        positive,
        source: null,
        experiments: experiments[id] ?? [],
      },
      path: join(dataFolder(store.path), file),
      file,
      fileHash,
    })),
  ];
}

/** Throws not-found. */
export async function dataFileEntry(service: Service, id: string, signal?: AbortSignal): Promise<KnownEntry> {
  const found = (await dataFileEntries(service, signal)).find(({ entry }) => entry.id === id);
  if (found === undefined) {
    throw new AssizeError('not-found', 'this data set is not in the list; restore it or choose another', { field: 'entry' });
  }
  return found;
}

/** Refuses a file that is no longer the one that was added. Throws bad input. */
export function refuseChangedFile({ fileHash }: KnownEntry, data: Pick<Dataset, 'fileHash'>): void {
  if (fileHash === null || data.fileHash === fileHash) return;
  throw badInput('the file of this data set has changed since it was added; add it again', { field: 'entry' });
}
