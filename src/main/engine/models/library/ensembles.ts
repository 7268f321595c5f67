// Named lists of models.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { type Ensemble, ensembleSchema, modelNameSchema } from '../../../../shared/api/models.ts';
import { AssizeError, systemCode } from '../../../../shared/errors.ts';
import { fullModelName } from '../../lab/backends.ts';
import { readJsonFile } from '../../lab/jsonFile.ts';

const memberSchema = ensembleSchema.shape.models.element
  .omit({ installed: true })
  .extend({ name: modelNameSchema, called: z.string().min(1).max(200).optional() })
  .extend({ note: z.string().max(2000).nullable().default(null), bytes: z.number().min(0).nullable().default(null) })
  .transform((member) => ({ ...member, called: member.called ?? member.name }));

/** A file of `resources/ensembles`, or of a user's own folder, which is named like its id. */
const ensembleFileSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]{1,60}$/, 'small letters, digits and dashes, at most sixty'),
  title: z.string().min(1).max(200),
  source: z.string().min(1).max(2000).default('A list of your own.'),
  models: z
    .array(memberSchema)
    .min(1)
    .max(200)
    .refine((models) => new Set(models.map(({ name }) => fullModelName(name))).size === models.length, {
      message: 'a model occurs twice in the list',
    }),
});
export type EnsembleFile = z.infer<typeof ensembleFileSchema>;

export type KnownEnsemble = EnsembleFile & Pick<Ensemble, 'own' | 'problem'>;

const jsonFilesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .toSorted();

/** The ensembles that come with the program, by name of their files. Throws where one of them is not as it should be. */
export function readEnsembles(resources: string): EnsembleFile[] {
  const folder = join(resources, 'ensembles');
  return jsonFilesIn(folder).map((name) => {
    const file = ensembleFileSchema.parse(JSON.parse(readFileSync(join(folder, name), 'utf8')));
    if (file.id !== basename(name, '.json')) throw new Error(`the ensemble in ${name} is called ${file.id}`);
    return file;
  });
}

/** Far more than a list of models takes, and than anybody has lists. */
const mostBytes = 1e6;
const mostFiles = 200;

/** What keeps a file from being used, without its folder; null where nothing does. */
function refusal(path: string): string | null {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 'The file is gone, or a link that leads nowhere.';
  if (!stats.isFile()) return 'This is not a regular file.';
  if (stats.size > mostBytes) return 'The file is larger than 1 MB; a list of models takes a few kilobytes.';
  return stats.size === 0 ? 'The file is empty.' : null;
}

const unusable = (name: string, problem: string): KnownEnsemble => {
  return { id: name, title: name, source: '', models: [], own: true, problem };
};

function readOwn(folder: string, name: string, taken: ReadonlySet<string>): KnownEnsemble {
  const broken = (problem: string) => unusable(name, problem);
  const path = join(folder, name);
  try {
    const refused = refusal(path);
    if (refused !== null) return broken(refused);
    const file = readJsonFile(path).parse(ensembleFileSchema);
    if (file.id !== basename(name, '.json')) {
      return broken(`Its id is ${JSON.stringify(file.id)}; call the file ${file.id}.json, or change the id.`);
    }
    if (taken.has(file.id)) {
      return broken(`The program has an ensemble ${JSON.stringify(file.id)} already; give this one another id and name.`);
    }
    return { ...file, own: true, problem: null };
  } catch (error) {
    if (!(error instanceof AssizeError)) return broken('The file cannot be read.');
    const { line, field } = error.place;
    return broken([line === undefined ? [] : `line ${line}`, field ?? [], error.message].flat().join(': '));
  }
}

function ownEnsembles(folder: string, taken: ReadonlySet<string>): KnownEnsemble[] {
  let names: string[];
  try {
    names = jsonFilesIn(folder);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    return [unusable(basename(folder), 'Your own lists belong in this folder, but it is not a folder or cannot be read.')];
  }
  return names.slice(0, mostFiles).map((name) => readOwn(folder, name, taken));
}

/** The program's ensembles, then a user's own; unusable files are listed with the reason. @param ownFolder need not be there */
export function knownEnsembles(resources: string, ownFolder: string): KnownEnsemble[] {
  const provided = readEnsembles(resources);
  const taken = new Set(provided.map(({ id }) => id));
  return [...provided.map((file) => ({ ...file, own: false, problem: null })), ...ownEnsembles(ownFolder, taken)];
}

/** @param installed names of the models that the server has */
export function withInstalled(ensembles: readonly KnownEnsemble[], installed: readonly string[]): Ensemble[] {
  const there = new Set(installed.map(fullModelName));
  return ensembles.map(({ models, ...about }) => ({
    ...about,
    models: models.map((model) => ({ ...model, installed: there.has(fullModelName(model.name)) })),
  }));
}
