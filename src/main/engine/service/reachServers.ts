// Reaches the servers of a run: at once, or when its time has come.
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { BackendChoice } from '../../../shared/api/engine.ts';
import { AssizeError } from '../../../shared/errors.ts';
import type { Experiment } from '../../../shared/experiment.ts';
import { quantity } from '../../../shared/sizes.ts';
import { connectBackends, type ReadyBackend } from '../lab/backends.ts';
import type { FrozenExperiment } from '../lab/frozen.ts';
import { divideWaiting, pendingTrials, type WantedTrials } from '../lab/pendingTrials.ts';
import { interrupted } from '../models/modelServer.ts';
import type { Store } from '../store/store.ts';
import type { HeldServer } from './daemon.ts';
import { screenMessage } from './failures.ts';
import type { Gate } from './gate.ts';
import type { Network } from './network.ts';
import { readyForRun } from './notReady.ts';
import { playedArms, runBackends, withJoining } from './servers.ts';
import type { SettingsFile } from './settings.ts';

interface ReachedServers extends HeldServer {
  readonly ready: Map<string, ReadyBackend>;
  /** As the run asks them. */
  readonly backends: Experiment['backends'];
  /** Whether the settings have other servers for the run by now. */
  readonly hasOthers: () => boolean;
}

/** The servers of what a run has left to do, with the Ollama of the settings held. Throws as `readyBackends` does, and interrupted. */
export async function serversOf({
  store,
  frozen,
  wanted,
  backend,
  hold,
  network,
  settings,
  signal,
}: {
  store: Store;
  frozen: FrozenExperiment;
  wanted: WantedTrials;
  backend: BackendChoice;
  hold: (backend: BackendChoice, signal: AbortSignal) => Promise<HeldServer>;
  network: Pick<Network, 'dispatcher'>;
  settings: Pick<SettingsFile, 'read'>;
  signal: AbortSignal;
}): Promise<ReachedServers> {
  const server = await hold(backend, signal);
  try {
    const { definition, name } = frozen;
    const pending = divideWaiting(store, name, pendingTrials(store, frozen, wanted)).open;
    const askedNow = () => {
      const known = settings.read();
      return withJoining(runBackends(definition.backends, backend, server.url, known), backend, known, definition.runtime);
    };
    const backends = askedNow();
    const models = connectBackends(network.dispatcher(), backends, definition.runtime, process.env, server.moving);
    const played = { ...playedArms(frozen), backends };
    const ready = await readyForRun(models, played, new Set(pending.map(({ arm }) => arm)));
    return { ...server, ready, backends, hasOthers: () => !isDeepStrictEqual(askedNow(), backends) };
  } catch (error) {
    await server.release();
    throw error;
  }
}

const lookAgainMs = 5000;

/** What can be there by the time that a run begins; null for any other error. */
export const awayYet = (error: unknown): AssizeError | null =>
  error instanceof AssizeError && (error.code === 'no-backend' || error.code === 'missing-model') ? error : null;

/**
 * Waits until the run may begin, and reaches its servers. Of a planned run they are looked at beforehand too, and what is away then is only said.
 * @param reach looks at all servers. Throws as `readyBackends` does
 * @param planned whether it waits for a time
 * @param waitMs for how long from its beginning a server may be away, where nobody is there to start it
 * @param onAway called with what is away, and with null once nothing is
 */
export async function reachServers<T extends { release(): Promise<void> }>({
  gate,
  signal,
  reach,
  planned,
  waitMs,
  onAway,
}: {
  gate: Gate;
  signal: AbortSignal;
  reach: () => Promise<T>;
  planned: boolean;
  waitMs: number;
  onAway: (sentence: string | null) => void;
}): Promise<T> {
  const away = (error: AssizeError) =>
    onAway(
      `Not ready yet: ${screenMessage(error)}. The servers are looked at when the run begins, and for ${quantity(waitMs / 60_000, 'minute')} from then on.`,
    );
  if (!gate.isOpen()) {
    if (planned) {
      const early = await reach().catch((error: unknown) => {
        const found = awayYet(error);
        if (found === null) throw error;
        away(found);
        return null;
      });
      await early?.release();
    }
    await gate.passed();
  }
  for (const since = performance.now(); ; ) {
    if (signal.aborted) throw interrupted();
    try {
      const reached = await reach();
      onAway(null);
      return reached;
    } catch (error) {
      const found = awayYet(error);
      if (found?.code !== 'no-backend' || performance.now() - since >= waitMs) throw error;
      away(found);
      await sleep(lookAgainMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
