// Reads a text as a data set, in a folder that goes with the tests of a file.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { sentenceOf } from '../../../../shared/checks.ts';
import { datasetSchema } from '../../../../shared/experiment.ts';
import { type Dataset, readDataset } from '../dataset.ts';

let folder = '';

/** To be called once in each file of tests: they share this module. */
export function inOwnFolder(): void {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assize-dataset-'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });
}

export async function read(text: string, definition: object, seed = 42): Promise<Dataset & { notes: string[] }> {
  const path = join(folder, 'data');
  await writeFile(path, text);
  const data = await readDataset(path, datasetSchema.parse({ path, question: 'Which?', ...definition }), { seed });
  return { ...data, notes: data.checks.map(sentenceOf) };
}

export const people = 'id,sex,age,job,out\n7,f,31,,YES\n8,m,22,"smith, black",NO\n9,f,40,"say ""hi""",NO\n';
export const outcome = { id: 'id', label: { column: 'out' } };
