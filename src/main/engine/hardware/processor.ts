import { availableParallelism, type CpuInfo, cpus } from 'node:os';

export interface Processor {
  readonly name: string;
  /** Cores that this process may use, threads counted. */
  readonly cores: number;
}

export function readProcessor(): Processor {
  const model = cpus()[0]?.model.replace(/\s+/g, ' ').trim();
  return { name: model && model !== 'unknown' ? model : `unnamed (${process.arch})`, cores: availableParallelism() };
}

/** Milliseconds of all cores since the machine began: busy, and in all. */
export interface ProcessorTimes {
  readonly busy: number;
  readonly all: number;
}

export function processorTimes(of: readonly CpuInfo[] = cpus()): ProcessorTimes {
  const sums = of.map(({ times }) => ({ idle: times.idle, all: Object.values(times).reduce((sum, value) => sum + value, 0) }));
  const all = sums.reduce((sum, each) => sum + each.all, 0);
  return { busy: all - sums.reduce((sum, { idle }) => sum + idle, 0), all };
}

/** Share of all cores that was busy between two moments, 0-1; null where no time has passed. */
export function busyShare(before: ProcessorTimes, now: ProcessorTimes): number | null {
  const all = now.all - before.all;
  return all > 0 ? Math.min(1, Math.max(0, (now.busy - before.busy) / all)) : null;
}
