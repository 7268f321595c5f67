import type { Gpu, Hardware } from '../../../shared/api/hardware.ts';
import { readAmd } from './amdSysfs.ts';
import { type Memory, readMemory } from './memory.ts';
import { mergeGpus } from './mergeGpus.ts';
import { nvidiaProgram, readNvidia } from './nvidiaSmi.ts';
import { parseOllamaLog } from './ollamaLog.ts';
import { pciCards } from './pciCards.ts';
import { type ProcessorTimes, processorTimes, readProcessor } from './processor.ts';
import { absent, type GpuReading } from './reading.ts';
import { type ProfilerReading, readApple } from './systemProfiler.ts';
import { type RunTool, runTool } from './tool.ts';

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

/** The machine that the program runs on. Nothing of it throws. */
export interface Machine {
  readonly platform: string;
  /** All of it, read now. */
  hardware(): Promise<{ readonly hardware: Hardware; readonly reading: MachineReading }>;
  /** What moves, read now. */
  reading(): Promise<MachineReading>;
  processorTimes(): ProcessorTimes;
}

export interface MachineOptions {
  readonly platform?: string;
  readonly run?: RunTool;
  readonly environment?: NodeJS.ProcessEnv;
  /** In place of the root of the file system, for what the kernel tells there. */
  readonly root?: string;
  /** What our own Ollama wrote, the oldest line first; null where it is not ours. */
  readonly ollamaLog?: () => readonly string[] | null;
}

/** After that many milliseconds a tool that was not there is looked for again. */
const lookAgainMs = 60_000;

const driverAdvice = {
  linux:
    'There is an NVIDIA card and no working nvidia-smi: install the NVIDIA driver and restart; in a container, start it with the GPU (docker run --gpus all).',
  amd: 'There is an AMD card that the driver amdgpu does not serve: update the kernel, or install AMD’s driver for compute.',
} as const;

/** @param options for tests: everything is this machine's own otherwise */
export function openMachine({
  platform = process.platform,
  run = runTool,
  environment = process.env,
  root = '/',
  ollamaLog = () => null,
}: MachineOptions = {}): Machine {
  const system = `${root.replace(/\/$/, '')}/sys`;
  let nvidiaMissingSince: number | null = null;
  // It takes a second or two, and tells nothing that moves.
  let apple: Promise<ProfilerReading> | null = null;
  // The lines are written at a start and fall out of a log of limited length.
  let logged: GpuReading = absent;

  const readApplesOnce = async (): Promise<ProfilerReading> => {
    apple ??= readApple(run);
    const reading = await apple;
    if (reading.state === 'failed') apple = null;
    return reading;
  };

  const nvidia = async (): Promise<GpuReading> => {
    if (platform === 'darwin') return absent;
    const now = performance.now();
    if (nvidiaMissingSince !== null && now - nvidiaMissingSince < lookAgainMs) return absent;
    const reading = await readNvidia(run, nvidiaProgram(platform, environment));
    nvidiaMissingSince = reading.state === 'absent' ? now : null;
    return reading;
  };

  /** Cards on the bus of which no driver tells. */
  const forsaken = (found: readonly GpuReading[]): string[] => {
    if (platform !== 'linux') return [];
    const cards = new Set(pciCards(system));
    const known = (vendor: Gpu['vendor']) => found.some(({ gpus }) => gpus.some((gpu) => gpu.vendor === vendor));
    const said = found.some(({ state, driverTrouble }) => state === 'failed' || driverTrouble);
    return [
      ...(cards.has('nvidia') && !known('nvidia') && !said ? [driverAdvice.linux] : []),
      ...(cards.has('amd') && !known('amd') ? [driverAdvice.amd] : []),
    ];
  };

  const readGpus = async () => {
    const tools =
      platform === 'darwin' ? [await readApplesOnce()] : [await nvidia(), platform === 'linux' ? readAmd(system) : absent];
    const log = ollamaLog();
    const now = log === null ? absent : parseOllamaLog(log);
    if (log === null || now.state === 'told') logged = now;
    const { gpus, unused } = mergeGpus(
      tools.flatMap((reading) => reading.gpus),
      logged.state === 'told' ? logged.gpus : null,
    );
    const alone = forsaken(tools);
    const notes = [
      ...tools.flatMap((reading) => reading.notes),
      ...alone,
      ...logged.notes,
      ...unused.map(({ name }) => `${name} is there, and Ollama did not take it when it started.`),
    ];
    return {
      gpus,
      notes,
      unsure: tools.some(({ state }) => state === 'failed'),
      driverTrouble: alone.length > 0 || tools.some((reading) => reading.driverTrouble),
    };
  };

  const reading = async (): Promise<MachineReading> => {
    const [found, memory] = await Promise.all([readGpus(), readMemory(platform, run, root)]);
    return { ...found, memory };
  };

  return {
    platform,
    processorTimes,
    reading,
    async hardware() {
      const now = await reading();
      const { name, cores } = readProcessor();
      const { gpus, notes, memory } = now;
      const hardware: Hardware = {
        platform,
        architecture: process.arch,
        processor: name,
        cores,
        memory_total: memory.total,
        gpus: [...gpus],
        notes: [...notes],
      };
      return { hardware, reading: now };
    },
  };
}
