import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { caseDefinitionSchema, entryIdSchema } from '../../../shared/api/dataFiles.ts';
import { dataFormatSchema } from '../../../shared/experiment.ts';

/** `sample.json` of a bundled data set. Labels and number of cases are what its file holds. */
export const sampleFileSchema = z.strictObject({
  version: z.literal(1),
  name: z.string().min(1),
  /** Where the data come from and what may be done with them, in a sentence or two. */
  source: z.string().min(1),
  /** Name of the data file beside it. */
  file: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/),
  format: dataFormatSchema,
  cases: z.int().min(1),
  definition: caseDefinitionSchema.refine(({ kind, labels }) => kind === 'open' || labels !== undefined, {
    message: 'labels are needed, but for open questions',
  }),
});

export interface Sample extends z.infer<typeof sampleFileSchema> {
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
