// Puts further arms into an experiment file: arms as they are, with one thing changed.
import { z } from 'zod';
import { badInput } from '../../../shared/errors.ts';
import { experimentSchema, longestName } from '../../../shared/experiment.ts';
import { refuseForeignPath } from '../store/location.ts';
import { prepareExperiment, readExperiment } from './experimentFile.ts';
import { readJsonFile } from './jsonFile.ts';
import { namedVariant } from './promptVariants.ts';

export interface VariedExperiment {
  /** The whole file. */
  readonly text: string;
  readonly experiment: string;
  /** Names of the arms that were added. */
  readonly added: readonly string[];
}

const fileSchema = z.looseObject({ arms: z.array(z.looseObject({ name: z.string(), protocol: z.string() })) });

/** `prompts=plain-2,./short.md`. Throws bad input. */
function variantsIn(change: string): string[] {
  const [what, given = '', ...more] = change.split('=');
  const names = given.split(',').map((name) => name.trim());
  if (what !== 'prompts' || more.length > 0 || names.includes('') || new Set(names).size < names.length) {
    throw badInput('write what changes as prompts=NAME,NAME with variants of prompts by their names or paths, each once', {
      field: '--change',
    });
  }
  return names;
}

/**
 * The experiment file with a further arm for each variant of prompts and each arm that it fits, right behind that arm; the
 * rest of the file is as it was.
 * @param arms those to vary; empty: every arm of the variant's protocol
 * @throws bad input, also where the file that would come of it is none that can run
 */
export function varyPrompts(path: string, change: string, arms: readonly string[]): VariedExperiment {
  const before = readExperiment(path);
  const { experiment } = before;
  const { value: raw } = readJsonFile(path);
  const file = fileSchema.parse(raw);
  for (const name of arms) {
    if (file.arms.some((arm) => arm.name === name)) continue;
    throw badInput(`there is no arm ${JSON.stringify(name)}; the file has ${file.arms.map((arm) => arm.name).join(', ')}`, {
      field: '--arm',
    });
  }
  const variants = variantsIn(change).map((given) => {
    refuseForeignPath(given, '--change');
    return { given, variant: namedVariant(given, before.folder ?? null, experiment.runtime.numCtx) };
  });
  const added: string[] = [];
  const further = file.arms.flatMap((arm) => {
    if (arms.length > 0 && !arms.includes(arm.name)) return [arm];
    const own = variants.flatMap(({ given, variant }) => {
      if (variant.protocol !== arm.protocol) return [];
      const name = `${arm.name} (${variant.name})`;
      if (name.length > longestName) {
        throw badInput(`an arm's name has at most ${longestName} characters, and ${JSON.stringify(name)} has more; shorten it`, {
          field: '--change',
        });
      }
      added.push(name);
      return [{ ...arm, name, prompts: given }];
    });
    return [arm, ...own];
  });
  const [unused] = variants.filter(({ variant }) => !added.some((name) => name.endsWith(` (${variant.name})`)));
  if (unused !== undefined) {
    const { name, protocol } = unused.variant;
    throw badInput(`variant ${name} is for protocol ${protocol}, and no arm that is to be varied has it`, { field: '--change' });
  }
  const value = { ...z.looseObject({}).parse(raw), arms: further };
  // What comes of it has to run, like any other file: two arms of one name, for one, do not.
  prepareExperiment({ ...before, experiment: experimentSchema.parse(value) });
  return { text: `${JSON.stringify(value, null, 2)}\n`, experiment: experiment.name, added };
}
