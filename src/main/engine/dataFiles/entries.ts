// The list of data sets: those that come with the program, and those that were added.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { caseDefinitionSchema, type DataFile, entryIdSchema } from '../../../shared/api/dataFiles.ts';
import { AssizeError, badInput } from '../../../shared/errors.ts';
import { dataFormatSchema } from '../../../shared/experiment.ts';
import type { ReadFile } from '../datasets/dataset.ts';
import type { Service } from '../service/service.ts';
import { dataFolder } from './dataFolder.ts';

/** `sample.json` of a bundled data set. Labels and number of cases are what its file holds. */
const sampleFileSchema = z.strictObject({
  version: z.literal(1),
  name: z.string().min(1),
  /** Where the data come from and what may be done with them, in a sentence or two. */
  source: z.string().min(1),
  file: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/),
  format: dataFormatSchema,
  cases: z.int().min(1),
  definition: caseDefinitionSchema.refine(({ kind, labels }) => kind === 'open' || labels !== undefined, {
    message: 'labels are needed, but for open questions',
  }),
});

interface Sample extends z.infer<typeof sampleFileSchema> {
  readonly id: string;
  /** Absolute path of the data file. */
  readonly path: string;
}

/** The data sets that come with the program, in the order of their names: one folder of `resources/samples` each. */
export function bundledSamples(resources: string): Sample[] {
  const folder = join(resources, 'samples');
  return readdirSync(folder, { withFileTypes: true })
    .filter((item) => item.isDirectory() && entryIdSchema.safeParse(item.name).success)
    .map(({ name: id }) => {
      const sample = sampleFileSchema.parse(JSON.parse(readFileSync(join(folder, id, 'sample.json'), 'utf8')));
      return { ...sample, id, path: join(folder, id, sample.file) };
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** An entry with its place on this machine, which no screen learns. */
export interface KnownEntry {
  readonly entry: DataFile;
  readonly path: string;
  readonly file: string;
  /** SHA-256 of the file when it was added, hexadecimal; null for one that comes with the program. */
  readonly fileHash: string | null;
}

/** What is in the list of data sets: what comes with the program, but not with a record from elsewhere, then what was added, in the order of adding. */
export async function dataFileEntries(
  { launch, store, queries, elsewhere }: Service,
  signal?: AbortSignal,
): Promise<KnownEntry[]> {
  const samples = elsewhere() === null ? bundledSamples(launch.resources) : [];
  const { added, experiments } = await queries.run('dataFileRows', { bundled: samples.map(({ id }) => id) }, signal);
  const experimentsOf = (id: string) => experiments[id] ?? [];
  return [
    ...samples.map(({ version: _version, path, file, ...sample }) => {
      const { labels = [], positive = null } = sample.definition;
      const entry = { ...sample, bundled: true, addedAt: null, labels, positive, experiments: experimentsOf(sample.id) };
      return { entry, path, file, fileHash: null };
    }),
    ...added.map(({ id, name, addedAt, format, definition, cases, labels, positive, file, fileHash }) => {
      const about = { id, name, addedAt, format, definition, cases, labels: [...labels], positive };
      const entry = { ...about, bundled: false, source: null, experiments: experimentsOf(id) };
      return { entry, path: join(dataFolder(store.path), file), file, fileHash };
    }),
  ];
}

/** Throws not-found. */
export async function dataFileEntry(service: Service, id: string, signal?: AbortSignal): Promise<KnownEntry> {
  const found = (await dataFileEntries(service, signal)).find(({ entry }) => entry.id === id);
  if (found === undefined) {
    throw new AssizeError('not-found', 'this data set is not in the list; restore it or choose another', 'entry');
  }
  return found;
}

/** Refuses a file that is no longer the one that was added. Throws bad input. */
export function refuseChangedFile({ fileHash }: KnownEntry, data: ReadFile): void {
  if (fileHash === null || data.fileHash === fileHash || data.fileRef !== undefined) return;
  throw badInput('the file of this data set has changed since it was added; add it again', 'entry');
}
