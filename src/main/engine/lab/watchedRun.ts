// Runs an experiment while its hardware is watched.
import type { HardwareWarning } from '../../../shared/api/hardware.ts';
import type { Energy } from '../../../shared/energy.ts';
import { BackendOutage } from '../../../shared/model.ts';
import { attempt } from '../attempt.ts';
import { type HardwareManager, type HardwareManagerOptions, openHardwareManager } from '../hardware/hardwareManager.ts';
import { openMachine } from '../hardware/machine.ts';
import { stayAwake } from '../hardware/stayAwake.ts';
import type { RunningOllama } from '../models/daemon/forRun.ts';
import { isOnThisMachine, type NetworkDispatcher } from '../models/dispatcher.ts';
import { loadedAt } from '../models/library/client.ts';
import { presentModel } from '../models/ollama.ts';
import type { LanguageModel } from '../models/port.ts';
import type { RunEvent } from '../store/runLog.ts';
import type { Store } from '../store/store.ts';
import type { ReadyBackend } from './backends.ts';
import { energyMeter } from './energyMeter.ts';
import type { FrozenExperiment } from './frozen.ts';
import type { RunReport } from './recordedProgress.ts';
import { type RunOptions, runExperiment } from './runner.ts';

function presentUrl(model: LanguageModel): string | null {
  try {
    return presentModel(model).url;
  } catch (error) {
    if (error instanceof BackendOutage) return null;
    throw error;
  }
}

/** Ollama servers of a run where they are now, with the models that are asked there: of no other kind is it known what it has in memory. */
function followedServers(backends: ReadonlyMap<string, ReadyBackend>): Map<string, Map<string, number>> {
  const servers = new Map<string, Map<string, number>>();
  for (const { model, needed } of backends.values()) {
    const url = model.kind === 'ollama' ? presentUrl(model) : null;
    if (url === null) continue;
    const models = servers.get(url) ?? new Map<string, number>();
    for (const [name, numCtx] of needed) models.set(name, Math.max(numCtx, models.get(name) ?? 0));
    servers.set(url, models);
  }
  return servers;
}

async function machineOf(manager: HardwareManager, backends: ReadonlyMap<string, ReadyBackend>, slots: number | null) {
  const { gpus } = (await manager.read()).hardware;
  return {
    gpus: gpus.map(({ name }) => name),
    drivers: [...new Set(gpus.flatMap(({ driver }) => driver ?? []))],
    servers: Object.fromEntries([...backends].map(([name, { model, version }]) => [name, `${model.kind} ${version}`])),
    // The log of our own Ollama lies with the program that started it, as long as that runs.
    ...(slots === null ? {} : { slots, ollama_log: 'memory' }),
  };
}

/**
 * Keeps the machine awake for a run until what is returned is called. Where that fails, it is in the log and said once.
 * @param store for the log; null while it is not open
 * @param isWanted whether the run works or waits for something other than the user
 */
export function keepAwake(
  store: () => Store | null,
  experiment: string,
  onWarning: (sentence: string) => void,
  isWanted: () => boolean = () => true,
): () => void {
  return stayAwake({
    isWanted,
    onFailure(sentence) {
      onWarning(sentence);
      const open = store();
      const detail = { kind: 'may-sleep', model: null, sentence };
      attempt(() => open?.write(() => open.runLog.add(experiment, 'run-warning', detail)), undefined);
    },
  });
}

export interface RunWatch {
  readonly manager: HardwareManager;
  /** Slots of each model of our own Ollama; null where it is not ours. */
  readonly slots?: number | null;
  readonly onWarning?: (warning: HardwareWarning) => void;
  /** Called with what the GPUs used in all runs of the experiment so far, as it grows. */
  readonly onEnergy?: (energy: Energy) => void;
}

/** `runExperiment` with the hardware watched: what the machine is and what goes wrong with it stand in the log of the runs, outside every chain. */
export async function runWatched(
  store: Store,
  frozen: FrozenExperiment,
  backends: ReadonlyMap<string, ReadyBackend>,
  options: RunOptions,
  { manager, slots = null, onWarning, onEnergy }: RunWatch,
): Promise<RunReport> {
  // Without a server nothing is asked, and nothing has to be watched.
  if (backends.size === 0) return runExperiment(store, frozen, backends, options);
  const machine = await machineOf(manager, backends, slots);
  // A store that takes nothing more ends the run by itself, with its own words.
  const log = (...entry: [event: RunEvent, detail: Readonly<Record<string, unknown>>]) =>
    attempt(() => store.write(() => store.runLog.add(frozen.name, ...entry)), null);
  const energy = energyMeter(store, frozen.name, onEnergy);
  const leave = manager.follow({
    servers: () => followedServers(backends),
    isWorking: () =>
      options.hold?.isWorking() !== false &&
      [...backends.values()].some(({ model }) => isOnThisMachine(presentUrl(model) ?? model.url)),
    onEnergy: energy.add,
    onWarning(warning) {
      const { kind, model, sentence } = warning;
      onWarning?.(warning);
      log('run-warning', { kind, model, sentence });
    },
  });
  try {
    return await runExperiment(store, frozen, backends, { ...options, machine, slots });
  } finally {
    leave();
    energy.note();
  }
}

/** Milliseconds between two looks at the hardware from the command line: a run of days must not feel them. */
const fromCommandLineMs = 30_000;

export interface HardwareWatch {
  /** Called with what goes wrong, in a sentence. */
  readonly onWarning?: (sentence: string) => void;
  readonly hardware?: Pick<HardwareManagerOptions, 'machine' | 'followedMs'>;
}

/** Watches the hardware during an action. @param own the Ollama that was started for the run */
export async function withHardware<T>(
  dispatcher: NetworkDispatcher,
  { onWarning, hardware }: HardwareWatch,
  own: Pick<RunningOllama, 'slots' | 'log'> | null,
  action: (watch: RunWatch) => Promise<T>,
): Promise<T> {
  const manager = openHardwareManager({
    loaded: (url, signal) => loadedAt(dispatcher, url, signal),
    ...(hardware ?? { machine: openMachine({ ollamaLog: () => own?.log() ?? null }), followedMs: fromCommandLineMs }),
  });
  try {
    return await action({ manager, slots: own?.slots ?? null, onWarning: ({ sentence }) => onWarning?.(sentence) });
  } finally {
    await manager.close();
  }
}
