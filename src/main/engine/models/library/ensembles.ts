import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { type Ensemble, ensembleSchema, modelNameSchema } from '../../../../shared/api/models.ts';
import { fullModelName } from '../../lab/backends.ts';

/** A file of `resources/ensembles`, which is named like its id. */
const ensembleFileSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]{1,60}$/),
  title: z.string().min(1),
  source: z.string().min(1),
  models: z
    .array(ensembleSchema.shape.models.element.omit({ installed: true }).extend({ name: modelNameSchema }))
    .min(1)
    .refine((models) => new Set(models.map(({ name }) => fullModelName(name))).size === models.length, {
      message: 'a model stands twice in the list',
    }),
});
export type EnsembleFile = z.infer<typeof ensembleFileSchema>;

/** The ensembles that come with the program, by name of their files. Throws where one of them is not as it should be. */
export function readEnsembles(resources: string): EnsembleFile[] {
  const folder = join(resources, 'ensembles');
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return names.toSorted().map((name) => {
    const file = ensembleFileSchema.parse(JSON.parse(readFileSync(join(folder, name), 'utf8')));
    if (file.id !== basename(name, '.json')) throw new Error(`the ensemble in ${name} is called ${file.id}`);
    return file;
  });
}

/** @param installed names of the models that the server has */
export function withInstalled(ensembles: readonly EnsembleFile[], installed: readonly string[]): Ensemble[] {
  const there = new Set(installed.map(fullModelName));
  return ensembles.map(({ models, ...about }) => ({
    ...about,
    models: models.map((model) => ({ ...model, installed: there.has(fullModelName(model.name)) })),
  }));
}
