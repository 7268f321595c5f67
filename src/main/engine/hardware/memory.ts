import { freemem, totalmem } from 'node:os';
import { join } from 'node:path';
import { ofLibrary, type SystemLibrary } from './facts.ts';
import { textOf } from './sysfs.ts';

/** Bytes of main memory that programs of this machine, or of this container, have and could still take. */
export interface Memory {
  readonly total: number;
  readonly free: number;
  /** Whether a container's limit is what holds. */
  readonly limited: boolean;
}

export interface MemorySource {
  totalmem(): number;
  /** On Linux what is available, cache counted. */
  freemem(): number;
  /** A container's limit; 0, or more than there is, where there is none. */
  constrainedMemory(): number;
  /** What the container has left, cache counted as used. */
  availableMemory(): number;
}

const node: MemorySource = {
  totalmem,
  freemem,
  constrainedMemory: () => process.constrainedMemory(),
  availableMemory: () => process.availableMemory(),
};

/** Cache of files in our control group, which gives way to programs (Linux kernel documentation, "Control Group v2"). */
function groupCache(root: string): number {
  const group = /^0::(\/.*)$/m.exec(textOf(join(root, 'proc/self/cgroup')) ?? '')?.[1] ?? '/';
  // In a container the line may name a group of the host that is not mounted here.
  const texts = [join('sys/fs/cgroup', group), 'sys/fs/cgroup'].map((folder) => textOf(join(root, folder, 'memory.stat')));
  return Number(/^inactive_file (\d+)$/m.exec(texts.find((text) => text !== null) ?? '')?.[1] ?? 0);
}

/** macOS counts only free pages as free, a few hundred megabytes on any machine in use: there the library counts cache too. */
export async function readMemory(
  platform: string,
  library?: Promise<SystemLibrary>,
  { root = '/', source = node }: { readonly root?: string; readonly source?: MemorySource } = {},
): Promise<Memory> {
  const machine = source.totalmem();
  const limit = source.constrainedMemory();
  const limited = limit > 0 && limit < machine;
  const total = limited ? limit : machine;
  const reported = platform === 'darwin' ? await ofLibrary((each) => each.mem(), library) : null;
  const free = reported?.available ?? source.freemem();
  return { total, free: Math.min(total, free, limited ? source.availableMemory() + groupCache(root) : free), limited };
}
