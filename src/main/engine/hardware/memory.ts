import { freemem, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { numberOf, textOf } from './files.ts';
import type { RunTool } from './tool.ts';

/** Bytes of main memory that programs of this machine, or of this container, have and could still take. */
export interface Memory {
  readonly total: number;
  readonly free: number;
  /** Whether a container's limit is what holds. */
  readonly limited: boolean;
}

/** Bytes of a line of /proc/meminfo, which is in kibibytes. */
function meminfo(text: string, name: string): number | null {
  const kibibytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1];
  return kibibytes === undefined ? null : Number(kibibytes) * 1024;
}

/** A folder of a control group and those above it: the smallest limit of all of them holds. */
function* upwards(folder: string, root: string): Generator<string> {
  let current = folder;
  while (current.startsWith(root)) {
    yield current;
    if (current === root) return;
    current = dirname(current);
  }
}

interface GroupFiles {
  /** Where this kind of control group is mounted, below the root of the file system. */
  readonly mount: string;
  /** The line of /proc/self/cgroup that names the group of this process. */
  readonly line: RegExp;
  readonly limit: string;
  readonly usage: string;
  /** What of the usage is cache that gives way. */
  readonly cache: RegExp;
}

/** Linux kernel documentation, "Control Group v2" and "Memory Resource Controller" (v1). */
const groups: readonly GroupFiles[] = [
  {
    mount: 'sys/fs/cgroup',
    line: /^0::(\/.*)$/m,
    limit: 'memory.max',
    usage: 'memory.current',
    cache: /^inactive_file (\d+)$/m,
  },
  {
    mount: 'sys/fs/cgroup/memory',
    line: /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(\/.*)$/m,
    limit: 'memory.limit_in_bytes',
    usage: 'memory.usage_in_bytes',
    cache: /^total_inactive_file (\d+)$/m,
  },
];

/** Limits of the control groups around this process, each with what is left below it. */
function groupLimits(root: string): { limit: number; free: number }[] {
  const own = textOf(join(root, 'proc/self/cgroup')) ?? '';
  return groups.flatMap(({ mount, line, limit, usage, cache }) => {
    const top = join(root, mount);
    // In a container the line may name a group of the host that is not mounted here: its folders are not there, the top is.
    const folder = join(top, line.exec(own)?.[1] ?? '/').replace(/\/$/, '');
    return [...upwards(folder.startsWith(top) ? folder : top, top)].flatMap((each) => {
      const bytes = numberOf(join(each, limit));
      const used = numberOf(join(each, usage));
      if (bytes === null || used === null) return [];
      const giving = Number(cache.exec(textOf(join(each, 'memory.stat')) ?? '')?.[1] ?? 0);
      return [{ limit: bytes, free: Math.max(0, bytes - Math.max(0, used - giving)) }];
    });
  });
}

/**
 * Main memory on Linux: `MemAvailable`, which counts cache that gives way, within the limits of control groups.
 * @param root in place of the root of the file system
 */
export function linuxMemory(root = '/'): Memory {
  const text = textOf(join(root, 'proc/meminfo')) ?? '';
  const total = meminfo(text, 'MemTotal') ?? totalmem();
  const free = meminfo(text, 'MemAvailable') ?? meminfo(text, 'MemFree') ?? freemem();
  // Without a limit the file holds `max`, or in version 1 a number beyond any memory.
  const limits = groupLimits(root).filter(({ limit }) => limit > 0 && limit < total);
  return {
    total: Math.min(total, ...limits.map(({ limit }) => limit)),
    free: Math.min(free, ...limits.map((limit) => limit.free)),
    limited: limits.length > 0,
  };
}

/**
 * What `vm_stat` of macOS calls free, speculative and inactive: what `os.freemem` tells there is the free pages alone, a
 * few hundred megabytes on any machine that has been used for a while. Null where the text is none of the tool's.
 */
export function parseVmStat(text: string): number | null {
  const page = /page size of (\d+) bytes/.exec(text)?.[1];
  const pages = ['free', 'inactive', 'speculative'].map(
    (kind) => new RegExp(`^Pages ${kind}:\\s+(\\d+)\\.?$`, 'm').exec(text)?.[1],
  );
  const counts = pages.flatMap((count) => (count === undefined ? [] : [Number(count)]));
  return page === undefined || counts.length < pages.length ? null : counts.reduce((sum, count) => sum + count, 0) * Number(page);
}

export async function readMemory(platform: string, run: RunTool, root = '/'): Promise<Memory> {
  if (platform === 'linux') return linuxMemory(root);
  const total = totalmem();
  if (platform !== 'darwin') return { total, free: freemem(), limited: false };
  const result = await run('/usr/bin/vm_stat', []);
  const free = result.ended === 'well' ? parseVmStat(result.output) : null;
  return { total, free: Math.min(total, free ?? freemem()), limited: false };
}
