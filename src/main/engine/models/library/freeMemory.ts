import type { FreeMemory } from '../../../../core/fit/fit.ts';
import type { Gpu } from '../../../../shared/api/hardware.ts';
import type { LoadedModel } from '../../../../shared/api/models.ts';
import type { MachineReading } from '../../hardware/machine.ts';

/** The machine as it is now. */
export interface MachineMemory {
  /** Null where nobody could tell whether there are any. */
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
 * What is free for a model. Ollama puts idle models out when it needs their room, so that what its loaded ones take is
 * counted as free: a model that is loaded would otherwise not fit because of itself. Which GPU they lie on is not told;
 * their memory is given back where most is used.
 */
export function freeForModel({ gpus, memory }: MachineMemory, loaded: readonly LoadedModel[]): FreeMemory {
  const video = loaded.reduce((sum, { size_vram }) => sum + size_vram, 0);
  const main = loaded.reduce((sum, { size, size_vram }) => sum + size - size_vram, 0);
  const able = gpus?.filter(({ vendor }) => vendors.has(vendor)) ?? null;
  // Beside cards with memory of their own Ollama leaves graphics that share the machine's alone.
  const cards = able?.filter((gpu) => !gpu.unified);
  const unified = able !== null && able.length > 0 && cards?.length === 0;
  const usable = cards ?? null;
  if (unified) {
    const free = memory === null ? null : memory + video + main;
    return { gpus: free === null ? null : [free * unifiedShare], memory: free, unified, unknown: null };
  }
  const known = usable?.flatMap(({ memory_total, memory_used }) =>
    memory_total === null || memory_used === null ? [] : [{ free: memory_total - memory_used, used: memory_used }],
  );
  return {
    gpus: known === undefined || (known.length === 0 && usable?.length !== 0) ? null : givenBack(known, video),
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

export const unknownElsewhere: FreeMemory = {
  gpus: null,
  memory: null,
  unified: false,
  unknown: 'the server runs on another machine',
};
