import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { type FreeMemory, fitModel } from '../../../../core/fit/fit.ts';
import type { Gpu } from '../../../../shared/api/hardware.ts';
import type { Fit, LoadedModel } from '../../../../shared/api/models.ts';
import { AssizeError } from '../../../../shared/errors.ts';
import { commandText } from '../../commandText.ts';
import type { MachineReading } from '../../hardware/machine.ts';
import { homeFolder } from '../../homeFolder.ts';
import { fullModelName } from '../../lab/backends.ts';
import { isOnThisMachine } from '../dispatcher.ts';
import type { KnownModel, ListedModel, OllamaLibrary } from './client.ts';

/** The machine as it is now. */
export interface MachineMemory {
  /** Null where it is not known whether there are any. */
  readonly gpus: readonly Pick<Gpu, 'vendor' | 'memory_total' | 'memory_used' | 'unified'>[] | null;
  /** Bytes of main memory that programs could still take. */
  readonly memory: number | null;
}

export const memoryIn = ({ gpus, unsure, memory }: MachineReading): MachineMemory => ({
  gpus: unsure && gpus.length === 0 ? null : gpus,
  memory: memory.free,
});

/** Those that Ollama computes on. */
const vendors: ReadonlySet<Gpu['vendor']> = new Set(['nvidia', 'amd', 'apple']);

/** Share of one memory for both that macOS lets the GPU have at least. */
const unifiedShare = 2 / 3;

/**
 * What is free for a model. Ollama unloads idle models when it needs their room, so what its loaded ones take is
 * counted as free: a model that is loaded would otherwise not fit because of itself. Which GPU they lie on is not known;
 * their memory is given back where most is used.
 */
export function freeForModel({ gpus, memory }: MachineMemory, loaded: readonly LoadedModel[]): FreeMemory {
  const video = loaded.reduce((sum, { size_vram }) => sum + size_vram, 0);
  const main = loaded.reduce((sum, { size, size_vram }) => sum + size - size_vram, 0);
  const able = gpus?.filter(({ vendor }) => vendors.has(vendor)) ?? null;
  // Next to cards with their own memory, Ollama does not use graphics that share the machine's.
  const cards = able?.filter((gpu) => !gpu.unified) ?? null;
  const unified = able !== null && able.length > 0 && cards?.length === 0;
  if (unified) {
    const free = memory === null ? null : memory + video + main;
    return { gpus: free === null ? null : [free * unifiedShare], memory: free, unified, unknown: null };
  }
  const known = cards?.flatMap(({ memory_total, memory_used }) =>
    memory_total === null || memory_used === null ? [] : [{ free: memory_total - memory_used, used: memory_used }],
  );
  return {
    gpus: known === undefined || (known.length === 0 && cards?.length !== 0) ? null : givenBack(known, video),
    memory: memory === null ? null : memory + main,
    unified,
    unknown: null,
  };
}

function givenBack(gpus: readonly { free: number; used: number }[], bytes: number): number[] {
  let rest = bytes;
  return gpus
    .toSorted((one, other) => other.used - one.used)
    .map(({ free, used }) => {
      const back = Math.min(used, rest);
      rest -= back;
      return Math.max(0, free) + back;
    });
}

export interface FitsAsked {
  /** Tokens of each slot. */
  readonly context: number;
  readonly slots: number;
  /** Absent: all that may be asked. */
  readonly models?: readonly string[];
}

/** Models by their names. Throws missing-model for one that is not there. */
export function namedModels(names: readonly string[], all: readonly ListedModel[]): ListedModel[] {
  return names.map((name) => {
    const found = all.find((model) => fullModelName(model.name) === fullModelName(name));
    if (found !== undefined) return found;
    throw new AssizeError(
      'missing-model',
      `the server does not have model ${name}; get it with: ${commandText('models', 'pull', name)}`,
    );
  });
}

/** What is free for models of a server now; nothing is known of another machine. */
export async function freeAt(
  library: OllamaLibrary,
  memory: () => Promise<MachineMemory>,
  signal?: AbortSignal,
): Promise<FreeMemory> {
  if (!isOnThisMachine(library.url)) {
    return { gpus: null, memory: null, unified: false, unknown: 'the server runs on another machine' };
  }
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

/** Where Ollama keeps models: in the folder of its variable, the user's folder, or that of the service on Linux. */
function usualFolders(environment: NodeJS.ProcessEnv): string[] {
  const set = environment.OLLAMA_MODELS?.trim();
  const home = homeFolder();
  const own = home === null ? [] : [join(home, '.ollama', 'models')];
  return [...(set ? [set] : []), ...own, '/usr/share/ollama/.ollama/models'];
}

/** Bytes free where this machine's server keeps models; null where no usual folder is there, or several on different disks. */
export async function freeForModels(folders = usualFolders(process.env)): Promise<number | null> {
  const looks = folders.map((folder) => Promise.all([stat(folder), statfs(folder)]).catch(() => null));
  const found = (await Promise.all(looks)).filter((look) => look !== null);
  const disks = new Map(found.map(([{ dev }, { bavail, bsize }]) => [dev, bavail * bsize]));
  const [free] = disks.values();
  return disks.size === 1 && free !== undefined ? free : null;
}
