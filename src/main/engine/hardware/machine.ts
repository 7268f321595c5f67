import { cpus, freemem, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Gpu, Hardware } from '../../../shared/api/hardware.ts';
import {
  nvidiaArguments,
  nvidiaProgram,
  ofLibrary,
  pciCards,
  readAmd,
  readGraphics,
  readNvidiaResult,
  readProcessor,
  type SystemLibrary,
  textOf,
  vendorOf,
} from './readers.ts';
import { absent, type GpuReading, type RunTool, reported, runTool, unreported } from './reading.ts';

/** Bytes of main memory that programs of this machine, or of this container, have and could still take. */
export interface Memory {
  readonly total: number;
  readonly free: number;
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

export interface MachineReading {
  readonly gpus: readonly Gpu[];
  /** Nothing could be said of the GPUs this time: what was known before may still hold. */
  readonly unsure: boolean;
  /** There is a card and no driver that works. */
  readonly driverTrouble: boolean;
  readonly notes: readonly string[];
  readonly memory: Memory;
}

/** Milliseconds of all cores since the machine began: busy, and in all. */
export type ProcessorTimes = Readonly<ReturnType<typeof processorTimes>>;

function processorTimes() {
  const sums = cpus().map(({ times }) => ({
    idle: times.idle,
    all: Object.values(times).reduce((sum, value) => sum + value, 0),
  }));
  const all = sums.reduce((sum, each) => sum + each.all, 0);
  return { busy: all - sums.reduce((sum, { idle }) => sum + idle, 0), all };
}

export interface MachineOptions {
  readonly platform?: string;
  readonly run?: RunTool;
  readonly library?: Promise<SystemLibrary>;
  readonly environment?: NodeJS.ProcessEnv;
  /** In place of the root of the file system, for what the kernel reports there. */
  readonly root?: string;
  /** What our own Ollama wrote, the oldest line first; null where it is not ours. */
  readonly ollamaLog?: () => readonly string[] | null;
}

/** After that many milliseconds a tool that was not there is looked for again. */
const lookAgainMs = 60_000;

const driverAdvice = {
  nvidia:
    'There is an NVIDIA card and no working nvidia-smi: install the NVIDIA driver and restart; in a container, start it with the GPU (docker run --gpus all).',
  amd: 'There is an AMD card that the driver amdgpu does not serve: update the kernel, or install AMD’s driver for compute.',
} as const;

/** The machine that the program runs on. Nothing of it throws. */
export type Machine = ReturnType<typeof openMachine>;

/** @param options for tests: everything is this machine's own otherwise */
export function openMachine({
  platform = process.platform,
  run = runTool,
  library,
  environment = process.env,
  root = '/',
  ollamaLog = () => null,
}: MachineOptions = {}) {
  const system = join(root, 'sys');
  let nvidiaMissingSince: number | null = null;
  // It takes a second or two, and reports nothing that changes.
  let graphics: Promise<GpuReading> | null = null;
  // The lines are written at a start and fall out of a log of limited length.
  let logged: GpuReading = absent;

  const nvidia = async (): Promise<GpuReading> => {
    if (platform === 'darwin') return absent;
    const now = performance.now();
    if (nvidiaMissingSince !== null && now - nvidiaMissingSince < lookAgainMs) return absent;
    const reading = readNvidiaResult(await run(nvidiaProgram(platform, environment), nvidiaArguments));
    nvidiaMissingSince = reading.state === 'absent' ? now : null;
    return reading;
  };

  const others = async (nvidiaState: GpuReading['state']): Promise<GpuReading> => {
    if (platform === 'linux') return readAmd(system);
    if (nvidiaState === 'failed') return absent;
    graphics ??= readGraphics(platform, library);
    const reading = await graphics;
    if (reading.state === 'failed') graphics = null;
    return reading;
  };

  const withoutDriver = (found: readonly GpuReading[]): string[] => {
    if (platform !== 'linux') return [];
    const cards = pciCards(system);
    const known = (vendor: Gpu['vendor']) => found.some(({ gpus }) => gpus.some((gpu) => gpu.vendor === vendor));
    const said = found.some(({ state, driverTrouble }) => state === 'failed' || driverTrouble);
    return (['nvidia', 'amd'] as const)
      .filter((vendor) => cards.has(vendor) && !known(vendor) && !(vendor === 'nvidia' && said))
      .map((vendor) => driverAdvice[vendor]);
  };

  const readGpus = async () => {
    const cards = await nvidia();
    const tools = [cards, await others(cards.state)];
    const log = ollamaLog();
    const now = log === null ? absent : parseOllamaLog(log);
    if (log === null || now.state === 'reported') logged = now;
    const { gpus, unused } = mergeGpus(
      tools.flatMap((reading) => reading.gpus),
      logged.state === 'reported' ? logged.gpus : null,
    );
    const alone = withoutDriver(tools);
    return {
      gpus,
      notes: [
        ...tools.flatMap((reading) => reading.notes),
        ...alone,
        ...logged.notes,
        ...unused.map(({ name }) => `${name} is there, and Ollama did not take it when it started.`),
      ],
      unsure: tools.some(({ state }) => state === 'failed'),
      driverTrouble: alone.length > 0 || tools.some((reading) => reading.driverTrouble),
    };
  };

  const reading = async (): Promise<MachineReading> => {
    const [found, memory] = await Promise.all([readGpus(), readMemory(platform, library, { root })]);
    return { ...found, memory };
  };

  return {
    processorTimes,
    reading,
    async hardware(): Promise<{ readonly hardware: Hardware; readonly reading: MachineReading }> {
      const [now, { name, cores }] = await Promise.all([reading(), readProcessor(library)]);
      const { gpus, notes, memory } = now;
      const machine = { platform, architecture: process.arch, processor: name, cores, memory_total: memory.total };
      return { hardware: { ...machine, gpus: [...gpus], notes: [...notes] }, reading: now };
    },
  };
}

function bytesOf(text: string | undefined): number | null {
  const [, number, unit] = /^([\d.]+) (B|KiB|MiB|GiB|TiB)$/.exec(text ?? '') ?? [];
  return unit === undefined ? null : Number(number) * 1024 ** ['B', 'KiB', 'MiB', 'GiB', 'TiB'].indexOf(unit);
}

/** Pairs of a line as Go's text log handler writes them: `key=value`, or `key="value"` with backslashes before quotes. */
function pairsIn(line: string): Map<string, string> {
  const found = line.matchAll(/(?:^|\s)([A-Za-z_][\w.]*)=("(?:[^"\\]|\\.)*"|\S*)/g);
  return new Map(
    [...found].map(([, key = '', value = '']) => [
      key,
      value.startsWith('"') ? value.slice(1, -1).replace(/\\(["\\])/g, '$1') : value,
    ]),
  );
}

/** GPU of one line; null where it names none, or the processor. */
function gpuOf(line: string): Gpu | null {
  const pairs = pairsIn(line);
  if (pairs.get('msg') !== 'inference compute') return null;
  const library = pairs.get('library') ?? '';
  if (library === '' || /^cpu/i.test(library)) return null;
  // Newer versions call it by its place (CUDA0) and describe it besides.
  const name = pairs.get('description') || pairs.get('name') || library;
  const total = bytesOf(pairs.get('total'));
  const available = bytesOf(pairs.get('available'));
  const vendor = vendorOf(`${library} ${name}`);
  return {
    ...unreported,
    id: pairs.get('id') || pairs.get('pci_id') || name,
    vendor,
    name,
    memory_total: total,
    // Of the moment at which Ollama started.
    memory_used: total === null || available === null ? null : Math.max(0, total - available),
    driver: pairs.get('driver') || null,
    unified: vendor === 'apple' || pairs.get('type') === 'iGPU',
    source: 'ollama-log',
  };
}

/** GPUs that our own Ollama computes on, by its log, which counts in the end. Of several starts the last one counts. */
export function parseOllamaLog(lines: readonly string[]): GpuReading {
  const start = lines.findLastIndex((line) =>
    /msg="(Listening on|server config|looking for compatible GPUs|discovering available GPUs)/.test(line),
  );
  const tail = lines.slice(Math.max(0, start));
  if (!tail.some((line) => pairsIn(line).get('msg') === 'inference compute')) return absent;
  const gpus = tail.flatMap((line) => gpuOf(line) ?? []);
  const unique = [...new Map(gpus.map((gpu) => [gpu.id, gpu])).values()];
  return reported(unique, unique.length === 0 ? ['Ollama itself says that it computes on the processor alone.'] : []);
}

/** Ways to see that two sources mean one GPU, the surest first. Without a common id or name, order among those of a maker decides. */
const likenesses: readonly ((left: Gpu, right: Gpu) => boolean)[] = [
  (left, right) => left.id.toLowerCase() === right.id.toLowerCase() || left.id.endsWith(`-${right.id}`),
  (left, right) => left.vendor === right.vendor && left.name.toLowerCase() === right.name.toLowerCase(),
  (left, right) => left.vendor === right.vendor && left.vendor !== 'unknown',
];

/** From the library, whose figures of video memory have been wrong. */
const librarySources: ReadonlySet<Gpu['source']> = new Set(['system_profiler', 'systeminformation']);

/** What the tool knows, since its figures move; what it does not know, from the log. */
const joined = (tool: Gpu, log: Gpu): Gpu => ({
  ...tool,
  name: tool.name.startsWith('AMD GPU') ? log.name : tool.name,
  memory_total:
    (librarySources.has(tool.source) && !tool.unified ? log.memory_total : null) ?? tool.memory_total ?? log.memory_total,
  unified: tool.unified || log.unified,
});

/** GPUs of the tools and of Ollama's log, each once; `unused`: not listed by Ollama. @param logged null: no Ollama of our own */
export function mergeGpus(tools: readonly Gpu[], logged: readonly Gpu[] | null): { gpus: Gpu[]; unused: Gpu[] } {
  if (logged === null) return { gpus: [...tools], unused: [] };
  const partners = new Map<Gpu, Gpu>();
  let left = [...logged];
  for (const alike of likenesses) {
    for (const tool of tools) {
      const partner = partners.has(tool) ? undefined : left.find((log) => alike(tool, log));
      if (partner === undefined) continue;
      partners.set(tool, partner);
      left = left.filter((log) => log !== partner);
    }
  }
  const gpus = tools.map((tool) => {
    const partner = partners.get(tool);
    return partner === undefined ? tool : joined(tool, partner);
  });
  return { gpus: [...gpus, ...left], unused: tools.filter((tool) => !partners.has(tool)) };
}
