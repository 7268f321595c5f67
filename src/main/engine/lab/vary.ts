// Makes experiment files of others: with further arms in which one thing is changed, or with a probe of memory.
import { z } from 'zod';
import { badInput } from '../../../shared/errors.ts';
import { experimentSchema, longestName } from '../../../shared/experiment.ts';
import { refuseForeignPath } from '../store/location.ts';
import { prepareExperiment, readExperiment } from './experimentFile.ts';
import { readJsonFile } from './jsonFile.ts';
import type { PreparedExperiment } from './preparedArm.ts';
import { canBeMasked, maskedName, rowsExperiment } from './probe.ts';
import { namedVariant } from './promptVariants.ts';

export interface VariedExperiment {
  /** The whole file. */
  readonly text: string;
  readonly experiment: string;
  /** Names of the arms that were added. */
  readonly added: readonly string[];
}

const fileSchema = z.looseObject({ arms: z.array(z.looseObject({ name: z.string(), protocol: z.string() })) });

/** `prompts=plain-2,./short.md`, `probe=names` or `probe=rows`. Throws bad input. */
function changeIn(change: string): { readonly prompts: readonly string[] } | 'names' | 'rows' {
  const [what, given = '', ...more] = change.split('=');
  const names = given.split(',').map((name) => name.trim());
  if (what === 'prompts' && more.length === 0 && !names.includes('') && new Set(names).size === names.length) {
    return { prompts: names };
  }
  if (change === 'probe=names') return 'names';
  if (change === 'probe=rows') return 'rows';
  throw badInput(
    'write what changes as prompts=NAME,NAME with variants of prompts by their names or paths, each once; or as probe=names or probe=rows',
    { field: '--change' },
  );
}

type Raw = z.infer<typeof fileSchema>['arms'][number];

/** An arm that another is tried as besides: its name, and what differs. */
interface Further {
  readonly name: string;
  readonly change: Readonly<Record<string, unknown>>;
}

/** Further arms by variants of prompts. Throws bad input for a variant that fits none of the arms. */
function byPrompts(given: readonly string[], { folder, experiment }: PreparedExperiment, arms: readonly Raw[]) {
  const variants = given.map((prompts) => {
    refuseForeignPath(prompts, '--change');
    return { prompts, variant: namedVariant(prompts, folder ?? null, experiment.runtime.numCtx) };
  });
  const unused = variants.find(({ variant }) => arms.every(({ protocol }) => protocol !== variant.protocol))?.variant;
  if (unused !== undefined) {
    throw badInput(`variant ${unused.name} is for protocol ${unused.protocol}, and no arm that is to be varied has it`, {
      field: '--change',
    });
  }
  return ({ name, protocol }: Raw): Further[] =>
    variants.flatMap(({ prompts, variant }) =>
      variant.protocol === protocol ? [{ name: `${name} (${variant.name})`, change: { prompts } }] : [],
    );
}

/** Further arms that are others with their names masked. Throws bad input where that can be done with none of the arms. */
function byMask(prepared: PreparedExperiment, arms: readonly Raw[]) {
  const fit = new Set(prepared.arms.filter(canBeMasked).map(({ definition }) => definition.name));
  if (!arms.some(({ name }) => fit.has(name))) {
    throw badInput('no arm that is to be varied can mask names: those with examples or precedents cannot', { field: '--change' });
  }
  return ({ name }: Raw): Further[] => (fit.has(name) ? [{ name: maskedName(name), change: { mask: 'names' } }] : []);
}

/**
 * The experiment file with further arms right behind those that they vary, and the rest of the file as it was; for `probe=rows`
 * an experiment by itself.
 * @param arms those to vary; empty: every arm that fits
 * @throws bad input, also where the file that would come of it is none that can run
 */
export async function varyExperiment(path: string, change: string, arms: readonly string[]): Promise<VariedExperiment> {
  const what = changeIn(change);
  const before = readExperiment(path);
  const written = (value: Readonly<Record<string, unknown>>, added: readonly string[]): VariedExperiment => {
    // What comes of it has to run, like any other file: two arms of one name, for one, do not.
    const { name } = prepareExperiment({ ...before, experiment: experimentSchema.parse(value) }).experiment;
    return { text: `${JSON.stringify(value, null, 2)}\n`, experiment: name, added };
  };
  const { value: raw } = readJsonFile(path);
  const file = fileSchema.parse(raw);
  for (const name of arms) {
    if (file.arms.some((arm) => arm.name === name)) continue;
    throw badInput(`there is no arm ${JSON.stringify(name)}; the file has ${file.arms.map((arm) => arm.name).join(', ')}`, {
      field: '--arm',
    });
  }
  const isVaried = (arm: { readonly name: string }) => arms.length === 0 || arms.includes(arm.name);
  if (what === 'rows') {
    const value = await rowsExperiment({ ...before, arms: before.arms.filter(({ definition }) => isVaried(definition)) });
    return written(
      value,
      value.arms.map(({ name }) => name),
    );
  }
  const varied = file.arms.filter(isVaried);
  const furtherOf = what === 'names' ? byMask(before, varied) : byPrompts(what.prompts, before, varied);
  const added: string[] = [];
  const further = file.arms.flatMap((arm) => {
    if (!isVaried(arm)) return [arm];
    const own = furtherOf(arm).map(({ name, change: differing }) => {
      if (name.length > longestName) {
        throw badInput(`an arm's name has at most ${longestName} characters, and ${JSON.stringify(name)} has more; shorten it`, {
          field: '--change',
        });
      }
      added.push(name);
      return { ...arm, name, ...differing };
    });
    return [arm, ...own];
  });
  return written({ ...z.looseObject({}).parse(raw), arms: further }, added);
}
