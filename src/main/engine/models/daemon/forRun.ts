import { AssizeError } from '../../../../shared/errors.ts';
import { systemClock } from '../../service/supervisor.ts';
import type { NetworkDispatcher } from '../dispatcher.ts';
import { interrupted } from '../modelServer.ts';
import type { MovingServer } from '../movingOllama.ts';
import { endLeftovers } from './leftovers.ts';
import { openOwnDaemon } from './ownDaemon.ts';
import type { FoundProgram } from './program.ts';

export interface RunningOllama {
  readonly moving: MovingServer;
  /** Slots of each model. */
  readonly slots: number;
  /** The newest lines that it wrote. */
  log(): readonly string[];
  stop(): Promise<void>;
}

interface Wanted {
  /** Beside it the daemon is noted. */
  readonly store: string;
  readonly program: FoundProgram;
  /** Calls at a time. */
  readonly parallel: number;
  readonly reproducible: boolean;
  readonly signal: AbortSignal;
  /** Told when it is started, and when it ends unexpectedly. */
  readonly say: (line: string) => void;
}

/** Starts our own Ollama for one run. Throws no-backend where it cannot be started, interrupted when the signal fires. */
export async function startOllamaForRun(
  network: Pick<NetworkDispatcher, 'fetch' | 'permits'>,
  { store, program, parallel, reproducible, signal, say }: Wanted,
): Promise<RunningOllama> {
  const daemon = openOwnDaemon({ store, ask: network, env: process.env, clock: systemClock });
  const stop = () => daemon.stop();
  await endLeftovers(store);
  say('Ollama is started for this run.');
  signal.addEventListener('abort', stop, { once: true });
  let told = 0;
  const tellDeaths = daemon.onChange(() => {
    const { deaths, problem } = daemon.status();
    if (deaths > told && problem !== null) say(problem);
    told = deaths;
  });
  const end = async () => {
    signal.removeEventListener('abort', stop);
    tellDeaths();
    await stop();
  };
  try {
    if (!signal.aborted)
      await daemon.start({ program: program.path, settings: { parallel, reproducible, maxLoaded: null, contextLength: null } });
    const { state, url, slots, problem } = daemon.status();
    if (state === 'ready' && url !== null) {
      return { moving: { url, now: daemon.place }, slots, log: () => daemon.log().lines.map(({ text }) => text), stop: end };
    }
    if (signal.aborted) throw interrupted();
    throw new AssizeError('no-backend', problem ?? 'Ollama ended while it was started', { field: '--start-ollama' });
  } catch (error) {
    await end();
    throw error;
  }
}
