// Follows the hardware while a screen looks or a run is under way.
import type { HardwareSample, HardwareWarning } from '../../../shared/api/hardware.ts';
import type { LoadedModel } from '../../../shared/api/models.ts';
import { fullModelName } from '../lab/backends.ts';
import { isOnThisMachine } from '../models/dispatcher.ts';
import type { Machine, ProcessorTimes } from './machine.ts';
import { type Clock, openSampler, systemClock } from './sampler.ts';
import { type FollowedModel, nothingSeen, type WatchMemory, watchNext } from './warnings.ts';

export interface FollowedRun {
  /** Address of an Ollama server -> model -> tokens of context that its calls are to have; asked for each time, since servers move. */
  readonly servers: () => ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly onWarning: (warning: HardwareWarning) => void;
  /** Called with what the GPUs used since the sample before, in joules, from the watts that they report; never where none reports. */
  readonly onEnergy?: (joules: number) => void;
}

export type HardwareManager = ReturnType<typeof openHardwareManager>;

export interface HardwareManagerOptions {
  readonly machine: Machine;
  /** Models in the memory of a server; null where it does not say. */
  readonly loaded: (url: string, signal: AbortSignal) => Promise<readonly LoadedModel[] | null>;
  /** The server whose models a screen sees while no run is under way; null for none. */
  readonly idleServer?: () => string | null;
  readonly clock?: Clock;
  /** Milliseconds between samples while runs continue unwatched. */
  readonly followedMs?: number;
}

/** Share of all cores that was busy between two moments, 0-1; null where no time has passed. */
function busyShare(before: ProcessorTimes, now: ProcessorTimes): number | null {
  const all = now.all - before.all;
  return all > 0 ? Math.min(1, Math.max(0, (now.busy - before.busy) / all)) : null;
}

function wattsOf({ gpus }: Pick<HardwareSample, 'gpus'>): number | null {
  const known = gpus.flatMap(({ power }) => power ?? []);
  return known.length === 0 ? null : known.reduce((sum, watts) => sum + watts, 0);
}

/** Milliseconds between samples while someone watches. */
const watchedMs = 1000;

export function openHardwareManager({
  machine,
  loaded,
  idleServer = () => null,
  clock = systemClock,
  // No one sees the figures then: often enough to report a fall, and rarely enough for a run of days.
  followedMs = 10_000,
}: HardwareManagerOptions) {
  const listeners = new Set<() => void>();
  const runs = new Set<FollowedRun>();
  const end = new AbortController();
  let memory: WatchMemory = nothingSeen;
  let latest: HardwareSample | null = null;
  let standing: readonly HardwareWarning[] = [];
  let times: ProcessorTimes | null = null;
  let power: { readonly atMs: number; readonly watts: number } | null = null;

  const followedModels = (): FollowedModel[] => {
    const found = new Map<string, FollowedModel>();
    for (const [server, models] of [...runs].flatMap((run) => [...run.servers()])) {
      for (const [name, numCtx] of models) {
        const model = fullModelName(name);
        const key = JSON.stringify([server, model]);
        const most = Math.max(numCtx, found.get(key)?.numCtx ?? 0);
        found.set(key, { server, here: isOnThisMachine(server), model, numCtx: most });
      }
    }
    return [...found.values()];
  };

  async function take(): Promise<void> {
    const followed = followedModels();
    const idle = idleServer();
    const servers = runs.size > 0 ? [...new Set(followed.map(({ server }) => server))] : idle === null ? [] : [idle];
    const [reading, ...lists] = await Promise.all([
      machine.reading(),
      ...servers.map(async (server) => [server, await loaded(server, end.signal)] as const),
    ]);
    if (end.signal.aborted) return;
    const at = clock.stamp();
    const now = machine.processorTimes();
    const byServer = new Map(lists.flatMap(([server, models]) => (models === null ? [] : [[server, models] as const])));
    latest = {
      at,
      // What a tool could not report this time is taken to be unchanged.
      gpus: reading.unsure && reading.gpus.length === 0 ? (latest?.gpus ?? []) : [...reading.gpus],
      memory_free: reading.memory.free,
      processor: times === null ? null : busyShare(times, now),
      loaded: [...byServer.values()].flat(),
    };
    times = now;
    const watts = wattsOf(latest);
    const before = power;
    power = watts === null ? null : { atMs: clock.now(), watts };
    if (before !== null && power !== null) {
      const joules = (((before.watts + power.watts) / 2) * (power.atMs - before.atMs)) / 1000;
      for (const run of runs) run.onEnergy?.(joules);
    }
    const watched = watchNext(memory, {
      at,
      gpus: reading.unsure ? null : reading.gpus,
      loaded: byServer,
      // What ended meanwhile is not reported.
      followed: followedModels(),
    });
    ({ memory, standing } = watched);
    for (const warning of watched.fresh) for (const run of runs) if (concerns(run, warning)) run.onWarning(warning);
    for (const listener of listeners) listener();
  }

  const concerns = ({ servers }: FollowedRun, { model }: HardwareWarning): boolean =>
    model === null || [...servers().values()].some((models) => [...models.keys()].some((name) => fullModelName(name) === model));

  const interval = () => (listeners.size > 0 ? watchedMs : runs.size > 0 ? followedMs : null);
  const sampler = openSampler(clock, interval, take);

  /** Adds somebody who wants samples; returns what takes them off, once. */
  const wants = <T>(all: Set<T>, one: T) => {
    all.add(one);
    sampler.look();
    return () => {
      if (!all.delete(one)) return;
      if (interval() === null) {
        // What was seen last is of another time when somebody looks again; a GPU that is gone by then is still missed.
        times = null;
        power = null;
        latest = null;
        standing = [];
        memory = { ...nothingSeen, gpus: memory.gpus };
      }
      sampler.look();
    };
  };

  return {
    read: machine.hardware,
    sample: () => latest,
    /** All that stand, the newest first. */
    warnings: () => standing,
    // Wrapped, so that the same listener can be added twice.
    /** Calls `listener` with each sample, as often as a screen wants, until the returned function is called. */
    watch: (listener: () => void) => wants(listeners, () => listener()),
    follow: (run: FollowedRun) => wants(runs, { ...run }),
    close() {
      end.abort();
      return sampler.close();
    },
  };
}
