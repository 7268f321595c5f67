import type { Gpu, HardwareWarning } from '../../../shared/api/hardware.ts';
import type { LoadedModel } from '../../../shared/api/models.ts';

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

/** What was seen at one moment. */
export interface Sight {
  /** ISO 8601. */
  readonly at: string;
  /** Null where they could not be read this time. */
  readonly gpus: readonly Gpu[] | null;
  /** Server -> what it has loaded; a server that did not tell is absent. */
  readonly loaded: ReadonlyMap<string, readonly LoadedModel[]>;
  readonly followed: readonly FollowedModel[];
}

/** What is remembered of a model as long as it is followed. */
interface ModelMemory {
  /** Highest share of it that was on the GPU. */
  readonly highest: number;
  /** Share at which its fall was told last; null where there is none to tell. */
  readonly toldShare: number | null;
  /** Told and not over. */
  readonly told: readonly HardwareWarning[];
  /** What was told of a model that is not loaded stands no more, and is not told anew when it comes back the same. */
  readonly loaded: boolean;
}

interface GpuMemory {
  readonly gpu: Gpu;
  readonly told: readonly HardwareWarning[];
}

export interface WatchMemory {
  readonly models: ReadonlyMap<string, ModelMemory>;
  readonly gpus: ReadonlyMap<string, GpuMemory>;
}

export const nothingSeen: WatchMemory = { models: new Map(), gpus: new Map() };

export interface Watched {
  readonly memory: WatchMemory;
  /** All that stand, the newest first. */
  readonly standing: readonly HardwareWarning[];
  /** Those that were not told before, the oldest first. */
  readonly fresh: readonly HardwareWarning[];
}

/** Differences of a share below this are rounding: servers count parts of a model that are on no GPU in any case. */
const leastChange = 0.02;
/** Degrees Celsius at which GPUs begin to slow themselves down, and below which they have cooled. */
const hotFrom = 90;
const coolBelow = 85;

const grouped = new Intl.NumberFormat('en-GB');
const percent = (share: number) => `${Math.round(share * 100)}%`;

const fallAdvice =
  'Another program may have taken the GPU’s memory, the machine may have slept, or the context is too long for it: end what ' +
  'else uses the GPU, unload other models, or restart Ollama and go on.';

function fallWords(model: string, highest: number, share: number): string {
  const now = share < leastChange ? 'wholly on the processor' : `only ${percent(share)} on the GPU`;
  return `${model} is ${now} now, after ${percent(highest)} on the GPU: answers take many times longer. ${fallAdvice}`;
}

function partWords(model: string, share: number, gpus: readonly Gpu[]): string {
  if (share >= leastChange) {
    return (
      `${percent(share)} of ${model} is on the GPU; the processor computes the rest, which is slower. ` +
      'A smaller model, a stronger quantization, a shorter context or fewer models at once would fit.'
    );
  }
  return (
    `${model} is on the processor alone although there is a GPU (${gpus.map(({ name }) => name).join(', ')}). ` +
    'Ollama may have found no memory or no driver on it when it started: its log tells; restart it when the GPU is free.'
  );
}

const contextWords = (model: string, context: number, wanted: number) =>
  `${model} has a context of ${grouped.format(context)} tokens and the run asks for ${grouped.format(wanted)}: longer prompts will ` +
  'end as overflow. The GPU’s memory may be too small for more, or the model made for no more: free memory and unload it, or ' +
  'take a smaller numCtx in an experiment of another name.';

interface Raised {
  readonly warning: HardwareWarning;
  readonly fresh: boolean;
}

/** A warning that was told before keeps the time at which it began, and is fresh only where `again` says so. */
function raise(told: readonly HardwareWarning[], warning: HardwareWarning, again = false): Raised {
  const known = told.find(({ kind }) => kind === warning.kind);
  if (known === undefined || again) return { warning, fresh: true };
  return { warning: { ...warning, at: known.at }, fresh: false };
}

const freshOf = (raised: readonly Raised[]) => raised.flatMap(({ warning, fresh }) => (fresh ? [warning] : []));

interface Judged<Memory> {
  readonly memory: Memory;
  readonly fresh: readonly HardwareWarning[];
}

/** One loaded model that a run asks. */
function judgeModel(
  before: ModelMemory | undefined,
  { model, numCtx, here }: FollowedModel,
  seen: LoadedModel,
  { at, gpus }: Sight,
): Judged<ModelMemory> {
  const share = seen.gpu_share;
  const highest = Math.max(before?.highest ?? 0, share);
  const raised: Raised[] = [];
  const warn = (kind: HardwareWarning['kind'], sentence: string, again = false) =>
    raised.push(raise(before?.told ?? [], { at, kind, model, sentence }, again));
  let toldShare: number | null = null;
  if (share < highest - leastChange) {
    const last = before?.toldShare ?? null;
    const deeper = last === null || share < last - leastChange;
    toldShare = share;
    warn('fell-to-processor', fallWords(model, highest, share), deeper);
  } else if (share < 1 - leastChange && (share >= leastChange || (here && (gpus ?? []).length > 0))) {
    warn('partly-on-processor', partWords(model, share, gpus ?? []));
  }
  if (seen.context !== null && seen.context < numCtx) warn('context-shrank', contextWords(model, seen.context, numCtx));
  return {
    memory: { highest, toldShare, told: raised.map(({ warning }) => warning), loaded: true },
    fresh: freshOf(raised),
  };
}

function judgeGpu(before: GpuMemory, now: Gpu | undefined, at: string): Judged<GpuMemory> {
  const gpu = now ?? before.gpu;
  const wasHot = before.told.some(({ kind }) => kind === 'hot');
  const heat = now?.temperature ?? null;
  const raised = [
    ...(now === undefined
      ? [
          raise(before.told, {
            at,
            kind: 'gpu-lost',
            model: null,
            sentence:
              `${gpu.name} is not there any more: its driver or the card has failed, or it was taken from this machine. ` +
              'Ollama goes on with the processor alone. Restart the machine; the system’s log tells more.',
          }),
        ]
      : []),
    ...(heat !== null && heat >= (wasHot ? coolBelow : hotFrom)
      ? [
          raise(before.told, {
            at,
            kind: 'hot',
            model: null,
            sentence: `${gpu.name} is at ${Math.round(heat)} °C and slows itself down: see to its fans and to the air around it.`,
          }),
        ]
      : []),
  ];
  return {
    memory: { gpu, told: raised.map(({ warning }) => warning) },
    fresh: freshOf(raised),
  };
}

/**
 * What is wrong at this moment, after what was seen before. A fall of a model's share on the GPU is told once, and again
 * only where it falls deeper or where it had recovered in between; a model that is not loaded at the moment is neither
 * fallen nor recovered. What is not followed any more is forgotten.
 */
export function watchNext(memory: WatchMemory, sight: Sight): Watched {
  const models = new Map<string, ModelMemory>();
  const gpus = new Map<string, GpuMemory>();
  const fresh: HardwareWarning[] = [];
  for (const followed of sight.followed) {
    const key = JSON.stringify([followed.server, followed.model]);
    const before = memory.models.get(key);
    const list = sight.loaded.get(followed.server);
    const seen = list?.find(({ name }) => name.toLowerCase() === followed.model);
    if (seen === undefined) {
      // A server that only kept silent has changed nothing.
      if (before !== undefined) models.set(key, list === undefined ? before : { ...before, loaded: false });
      continue;
    }
    const judged = judgeModel(before, followed, seen, sight);
    models.set(key, judged.memory);
    fresh.push(...judged.fresh);
  }
  const known = new Map([...memory.gpus].map(([id, { gpu }]) => [id, gpu]));
  // Those of the log alone come and go with our own Ollama.
  const seenGpus = sight.gpus?.filter(({ source }) => source !== 'ollama-log');
  const present = seenGpus === undefined ? known : new Map(seenGpus.map((gpu) => [gpu.id, gpu]));
  for (const id of new Set([...known.keys(), ...present.keys()])) {
    const now = present.get(id);
    const before = memory.gpus.get(id) ?? (now === undefined ? undefined : { gpu: now, told: [] });
    if (before === undefined) continue;
    const judged = sight.gpus === null ? { memory: before, fresh: [] } : judgeGpu(before, now, sight.at);
    gpus.set(id, judged.memory);
    fresh.push(...judged.fresh);
  }
  const standing = [...[...models.values()].filter(({ loaded }) => loaded), ...gpus.values()].flatMap(({ told }) => told);
  return {
    memory: { models, gpus },
    standing: standing.sort((left, right) => (left.at < right.at ? 1 : left.at > right.at ? -1 : 0)),
    fresh,
  };
}
