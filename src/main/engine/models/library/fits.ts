import { type FreeMemory, fitModel } from '../../../../core/fit/fit.ts';
import type { Fit } from '../../../../shared/api/models.ts';
import { AssizeError } from '../../../../shared/errors.ts';
import { fullModelName } from '../../lab/backends.ts';
import { isOnThisMachine } from '../dispatcher.ts';
import type { KnownModel } from './catalogue.ts';
import type { OllamaLibrary } from './client.ts';
import { freeForModel, type MachineMemory, unknownElsewhere } from './freeMemory.ts';
import type { ListedModel } from './listed.ts';

export interface FitsAsked {
  /** Tokens of each slot. */
  readonly context: number;
  readonly slots: number;
  /** Absent: all that may be asked. */
  readonly models?: readonly string[];
}

const isCalled =
  (name: string) =>
  (model: ListedModel): boolean =>
    fullModelName(model.name) === fullModelName(name);

/** Models by their names. Throws missing-model for one that is not there. */
export function namedModels<T>(names: readonly string[], all: readonly T[], listed: (each: T) => ListedModel): T[] {
  return names.map((name) => {
    const found = all.find((each) => isCalled(name)(listed(each)));
    if (found !== undefined) return found;
    throw new AssizeError('missing-model', `the server does not have model ${name}; get it with: assize models pull ${name}`);
  });
}

/** What is free for models of a server now; nothing is known of another machine. */
export async function freeAt(
  library: OllamaLibrary,
  memory: () => Promise<MachineMemory>,
  signal?: AbortSignal,
): Promise<FreeMemory> {
  if (!isOnThisMachine(library.url)) return unknownElsewhere;
  const [machine, loaded] = await Promise.all([memory(), library.loaded(signal)]);
  return freeForModel(machine, loaded);
}

export const fitsOf = (
  models: readonly KnownModel[],
  { context, slots }: Pick<FitsAsked, 'context' | 'slots'>,
  free: FreeMemory,
): Fit[] =>
  models.map(({ listed, details }) =>
    fitModel({ model: listed.name, context, slots, weights: listed.size, shape: details.shape, free }),
  );
