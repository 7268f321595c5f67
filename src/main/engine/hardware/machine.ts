import { cpus } from 'node:os';
import { join } from 'node:path';
import type { Gpu, Hardware } from '../../../shared/api/hardware.ts';
import { readGraphics, readProcessor, type SystemLibrary } from './facts.ts';
import { type Memory, readMemory } from './memory.ts';
import { nvidiaProgram, readNvidia } from './nvidiaSmi.ts';
import { mergeGpus, parseOllamaLog } from './ollamaLog.ts';
import { absent, type GpuReading, type RunTool, runTool } from './reading.ts';
import { pciCards, readAmd } from './sysfs.ts';

/** What there is at a moment. */
export interface MachineReading {
  readonly gpus: readonly Gpu[];
  /** Nothing could be said of the GPUs this time: what was known before may still hold. */
  readonly unsure: boolean;
  /** There is a card and no driver that works. */
  readonly driverTrouble: boolean;
  /** In sentences. */
  readonly notes: readonly string[];
  readonly memory: Memory;
}

/** Milliseconds of all cores since the machine began: busy, and in all. */
export interface ProcessorTimes {
  readonly busy: number;
  readonly all: number;
}

function processorTimes(): ProcessorTimes {
  const sums = cpus().map(({ times }) => ({
    idle: times.idle,
    all: Object.values(times).reduce((sum, value) => sum + value, 0),
  }));
  const all = sums.reduce((sum, each) => sum + each.all, 0);
  return { busy: all - sums.reduce((sum, { idle }) => sum + idle, 0), all };
}

/** The machine that the program runs on. Nothing of it throws. */
export interface Machine {
  /** All of it, read now. */
  hardware(): Promise<{ readonly hardware: Hardware; readonly reading: MachineReading }>;
  /** What moves, read now. */
  reading(): Promise<MachineReading>;
  processorTimes(): ProcessorTimes;
}

export interface MachineOptions {
  readonly platform?: string;
  readonly run?: RunTool;
  readonly library?: Promise<SystemLibrary>;
  readonly environment?: NodeJS.ProcessEnv;
  /** In place of the root of the file system, for what the kernel tells there. */
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

/** @param options for tests: everything is this machine's own otherwise */
export function openMachine({
  platform = process.platform,
  run = runTool,
  library,
  environment = process.env,
  root = '/',
  ollamaLog = () => null,
}: MachineOptions = {}): Machine {
  const system = join(root, 'sys');
  let nvidiaMissingSince: number | null = null;
  // It takes a second or two, and tells nothing that moves.
  let graphics: Promise<GpuReading> | null = null;
  // The lines are written at a start and fall out of a log of limited length.
  let logged: GpuReading = absent;

  const nvidia = async (): Promise<GpuReading> => {
    if (platform === 'darwin') return absent;
    const now = performance.now();
    if (nvidiaMissingSince !== null && now - nvidiaMissingSince < lookAgainMs) return absent;
    const reading = await readNvidia(run, nvidiaProgram(platform, environment));
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

  /** Cards on the bus of which no driver tells. */
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
    if (log === null || now.state === 'told') logged = now;
    const { gpus, unused } = mergeGpus(
      tools.flatMap((reading) => reading.gpus),
      logged.state === 'told' ? logged.gpus : null,
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
    async hardware() {
      const [now, { name, cores }] = await Promise.all([reading(), readProcessor(library)]);
      const { gpus, notes, memory } = now;
      const machine = { platform, architecture: process.arch, processor: name, cores, memory_total: memory.total };
      return { hardware: { ...machine, gpus: [...gpus], notes: [...notes] }, reading: now };
    },
  };
}
