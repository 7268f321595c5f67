// Follows the hardware while a screen looks or a run is under way, and warns of what is wrong with it.
import type { Gpu, HardwareSample, HardwareWarning } from '../../../shared/api/hardware.ts';
import type { LoadedModel } from '../../../shared/api/models.ts';
import { fullModelName } from '../lab/backends.ts';
import { isOnThisMachine } from '../models/dispatcher.ts';
import type { Machine, ProcessorTimes } from './machine.ts';
import { type Clock, openSampler, systemClock } from './sampler.ts';

interface FollowedRun {
  /** Address of an Ollama server -> model -> tokens of context that its calls are to have; asked for each time, since servers move. */
  readonly servers: () => ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly onWarning: (warning: HardwareWarning) => void;
  /** Whether servers on this machine work for it now; always where absent. Runs that work side by side are given equal shares of the energy. */
  readonly isWorking?: () => boolean;
  /** Called with its share of what the GPUs used since the sample before, by the watts that they report; never where none reports. */
  readonly onEnergy?: (joules: number, seconds: number) => void;
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
/** Milliseconds between two samples from which on it is unknown what was used in between: the machine may have slept. */
const longestGapMs = 5 * 60_000;

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
  let power: { readonly atMs: number; readonly watts: number; readonly working: ReadonlySet<FollowedRun> } | null = null;

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
    const working = new Set([...runs].filter((run) => run.isWorking?.() !== false));
    power = watts === null ? null : { atMs: clock.now(), watts, working };
    if (before !== null && power !== null && power.atMs - before.atMs <= longestGapMs) {
      const seconds = (power.atMs - before.atMs) / 1000;
      const shared = power.working.intersection(before.working);
      for (const run of shared) run.onEnergy?.((((before.watts + power.watts) / 2) * seconds) / shared.size, seconds);
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

/** A model that a run asks, and the server where it lies. */
export interface FollowedModel {
  readonly server: string;
  /** Whether the server is on this machine: of others it is not known what GPUs they have. */
  readonly here: boolean;
  /** Full name, with its tag. */
  readonly model: string;
  /** Tokens of context that its calls are to have; 0 where they leave it to the model. */
  readonly numCtx: number;
}

export interface Sight {
  /** ISO 8601, later than that of the sight before. */
  readonly at: string;
  /** Null where they could not be read this time. */
  readonly gpus: readonly Gpu[] | null;
  /** Server -> what it has loaded; a server that did not say is absent. */
  readonly loaded: ReadonlyMap<string, readonly LoadedModel[]>;
  readonly followed: readonly FollowedModel[];
}

interface ModelMemory {
  /** Highest share of it that was on the GPU. */
  readonly highest: number;
  /** Share at which its fall was last reported; null where there is no fall. */
  readonly reportedShare: number | null;
  readonly reported: readonly HardwareWarning[];
  /** False: the warnings about the model are not shown, and not reported again when it comes back the same. */
  readonly loaded: boolean;
}

interface GpuMemory {
  readonly gpu: Gpu;
  readonly reported: readonly HardwareWarning[];
}

export interface WatchMemory {
  readonly models: ReadonlyMap<string, ModelMemory>;
  readonly gpus: ReadonlyMap<string, GpuMemory>;
}

export const nothingSeen: WatchMemory = { models: new Map(), gpus: new Map() };

/** Differences of a share below this are rounding: servers count parts of a model that are on no GPU in any case. */
const leastChange = 0.02;
/** Degrees Celsius at which GPUs begin to slow themselves down, and below which they have cooled. */
const hotFrom = 90;
const coolBelow = 85;

const grouped = new Intl.NumberFormat('en-GB');
const percent = (share: number) => `${Math.round(share * 100)}%`;

const words = {
  fell: (model: string, highest: number, share: number) =>
    `${model} is ${share < leastChange ? 'wholly on the processor' : `only ${percent(share)} on the GPU`} now, after ` +
    `${percent(highest)} on the GPU: answers take many times longer. Another program may have taken the GPU’s memory, the ` +
    'machine may have slept, or the context is too long for it: end what else uses the GPU, unload other models, or restart ' +
    'Ollama and continue.',
  partly: (model: string, share: number) =>
    `${percent(share)} of ${model} is on the GPU; the processor computes the rest, which is slower. ` +
    'A smaller model, a stronger quantization, a shorter context or fewer models at once would fit.',
  unused: (model: string, gpus: readonly Gpu[]) =>
    `${model} is on the processor alone although there is a GPU (${gpus.map(({ name }) => name).join(', ')}). ` +
    'Ollama may have found no free memory or no driver on it when it started; its log says which. Restart Ollama when the GPU is free.',
  shrank: (model: string, context: number, wanted: number) =>
    `${model} has a context of ${grouped.format(context)} tokens and the run asks for ${grouped.format(wanted)}: longer ` +
    'prompts will end as overflow. The GPU’s memory may be too small for more, or the model made for no more: free memory and ' +
    'unload it, or take a smaller numCtx in an experiment of another name.',
  lost: ({ name }: Gpu) =>
    `${name} is not there any more: its driver or the card has failed, or it was taken from this machine. ` +
    'Ollama now uses the processor alone. Restart the machine; the system’s log says more.',
  hot: ({ name }: Gpu, heat: number) =>
    `${name} is at ${Math.round(heat)} °C and slows itself down: see to its fans and to the air around it.`,
};

/** Collects warnings. One that was reported before keeps its start time, unless it is reported `again`. */
function collect(before: readonly HardwareWarning[], model: string | null, now: string) {
  const reported: HardwareWarning[] = [];
  const warn = (kind: HardwareWarning['kind'], sentence: string, again = false) => {
    const known = before.find((other) => other.kind === kind);
    reported.push({ at: again ? now : (known?.at ?? now), kind, model, sentence });
  };
  return { reported, warn };
}

function judgeModel(
  before: ModelMemory | undefined,
  { model, numCtx, here }: FollowedModel,
  { gpu_share: share, context }: LoadedModel,
  { at, gpus }: Sight,
): ModelMemory {
  const highest = Math.max(before?.highest ?? 0, share);
  const { reported, warn } = collect(before?.reported ?? [], model, at);
  const hasFallen = share < highest - leastChange;
  const last = before?.reportedShare ?? null;
  if (hasFallen) warn('fell-to-processor', words.fell(model, highest, share), last === null || share < last - leastChange);
  else if (share < leastChange) {
    if (here && gpus !== null && gpus.length > 0) warn('partly-on-processor', words.unused(model, gpus));
  } else if (share < 1 - leastChange) warn('partly-on-processor', words.partly(model, share));
  if (context !== null && context < numCtx) warn('context-shrank', words.shrank(model, context, numCtx));
  return { highest, reportedShare: hasFallen ? share : null, reported, loaded: true };
}

function judgeGpu(before: GpuMemory, now: Gpu | undefined, at: string): GpuMemory {
  const gpu = now ?? before.gpu;
  const { reported, warn } = collect(before.reported, null, at);
  const wasHot = before.reported.some(({ kind }) => kind === 'hot');
  const heat = now?.temperature ?? null;
  if (now === undefined) warn('gpu-lost', words.lost(gpu));
  if (heat !== null && heat >= (wasHot ? coolBelow : hotFrom)) warn('hot', words.hot(gpu, heat));
  return { gpu, reported };
}

function nextGpus(before: WatchMemory['gpus'], { gpus, at }: Sight): Map<string, GpuMemory> {
  // Those known only from the log come and go with our own Ollama.
  const present = new Map(gpus?.filter(({ source }) => source !== 'ollama-log').map((gpu) => [gpu.id, gpu]));
  if (gpus === null) return new Map(before);
  const known = [...before.keys()].map((id) => [id, present.get(id)] as const);
  return new Map(
    [...new Map([...known, ...present])].flatMap(([id, now]) => {
      const memory = before.get(id) ?? (now === undefined ? undefined : { gpu: now, reported: [] });
      return memory === undefined ? [] : [[id, judgeGpu(memory, now, at)]];
    }),
  );
}

function nextModels(before: WatchMemory['models'], sight: Sight): Map<string, ModelMemory> {
  return new Map(
    sight.followed.flatMap((followed) => {
      const key = JSON.stringify([followed.server, followed.model]);
      const memory = before.get(key);
      const list = sight.loaded.get(followed.server);
      const seen = list?.find(({ name }) => name.toLowerCase() === followed.model);
      if (seen !== undefined) return [[key, judgeModel(memory, followed, seen, sight)]];
      // A server that only kept silent has changed nothing.
      return memory === undefined ? [] : [[key, list === undefined ? memory : { ...memory, loaded: false }]];
    }),
  );
}

/**
 * What is wrong at this moment, after what was seen before. A fall of a model's share on the GPU is reported once, and again
 * only where it falls deeper or where it had recovered in between; a model that is not loaded at the moment is neither
 * fallen nor recovered. What is not followed any more is forgotten.
 * @returns `standing`: all that are not over, the newest first. `fresh`: those that began at this moment
 */
export function watchNext(before: WatchMemory, sight: Sight) {
  const memory = { models: nextModels(before.models, sight), gpus: nextGpus(before.gpus, sight) };
  const reported = [...[...memory.models.values()].filter(({ loaded }) => loaded), ...memory.gpus.values()].flatMap(
    (each) => each.reported,
  );
  const standing = reported.sort((left, right) => (left.at < right.at ? 1 : left.at > right.at ? -1 : 0));
  return { memory, standing, fresh: standing.filter(({ at }) => at === sight.at) };
}
