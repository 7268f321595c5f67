// Puts together what all requests share.
import type { Launch } from '../../../shared/api/control.ts';
import type { BackendChoice } from '../../../shared/api/engine.ts';
import { sweepDataFiles } from '../dataFiles/sweep.ts';
import { finishErasure } from '../erase/erase.ts';
import { openHardwareManager } from '../hardware/hardwareManager.ts';
import { openMachine } from '../hardware/machine.ts';
import { surroundings } from '../models/daemon/program.ts';
import { loadedAt } from '../models/library/client.ts';
import { openQueryPool, type QueryPool } from '../queries/pool.ts';
import { knownFaultsFolder } from '../report/statisticsCache.ts';
import { addTrajectories } from '../store/projecting.ts';
import { elsewhereOf, type Store } from '../store/store.ts';
import { openChangeLog } from './changes.ts';
import { type HeldServer, openDaemonManager } from './daemon.ts';
import { openFileHandles } from './files.ts';
import { openGivenRecords } from './given.ts';
import { openKnownFaults } from './knownFaults.ts';
import { openModels } from './models.ts';
import { openNetwork } from './network.ts';
import { openProgressBoard, type ProgressBoard } from './progressBoard.ts';
import { openRunManager } from './runs.ts';
import type { Service } from './service.ts';
import { openSettings } from './settings.ts';
import { signingKey } from './signingKey.ts';
import { openStoreAccess } from './storeAccess.ts';

export interface OpenService extends Service {
  /** Goes on with what an earlier engine process of this start had under way, and shows what other starts left. */
  recover(): Promise<void>;
  /** Ends runs in order and releases everything. */
  close(): Promise<void>;
}

/** Makes the trajectories that the store lacks, beside what else is done. */
async function prepareFigures(store: Store, progress: ProgressBoard, signal: AbortSignal): Promise<void> {
  for (const experiment of store.experiments.names()) {
    await progress.during(experiment, (tell) => {
      const onProgress = (done: number, of: number) => tell({ share: done / of, what: 'preparing the figures' });
      return addTrajectories(store, { signal, onProgress }, experiment);
    });
  }
}

/**
 * Puts together what the handlers share.
 * @param openQueries what answers queries from the store; threads of their own, unless a test has a reason
 */
export function openService(
  launch: Launch,
  keepError: (error: unknown) => void,
  openQueries: (store: string) => QueryPool = openQueryPool,
): OpenService {
  const progress = openProgressBoard();
  const leaving = new AbortController();
  let preparing: Promise<void> = Promise.resolve();
  const store = openStoreAccess(launch.store, () => {
    // Whoever asks meanwhile has the same from the chains.
    preparing = store
      .write((opened) => {
        if (opened.erasures.uncleaned()) finishErasure(opened);
        return prepareFigures(opened, progress, leaving.signal);
      })
      .catch(keepError);
  });
  const queries = openQueries(launch.store);
  const settings = openSettings(launch.store);
  const files = openFileHandles();
  const network = openNetwork(settings, process.env.ASSIZE_STANDIN_PROFILE, () => daemon.url());
  const daemon = openDaemonManager({
    store: launch.store,
    settings,
    network: network.dispatcher(),
    around: surroundings,
    keepError,
  });
  const changes = openChangeLog(launch.incarnation);
  /** Null where it is not our own. */
  const ollamaLog = () => (daemon.status().own ? daemon.log().lines.map(({ text }) => text) : null);
  const hardware = openHardwareManager({
    machine: openMachine({ ollamaLog }),
    loaded: (url, signal) => loadedAt(network.dispatcher(), url, signal),
    idleServer: daemon.url,
  });
  /** A run that asks Ollama has it started first, where it is ours to start. */
  const hold = async (backend: BackendChoice, signal: AbortSignal): Promise<HeldServer> =>
    backend === 'ollama'
      ? daemon.hold(signal)
      : { url: await network.url(backend), slots: null, release: () => Promise.resolve() };
  let elsewhere: string | null | undefined;
  const { session } = launch;
  const knownFaults = openKnownFaults(
    launch.store,
    () => Date.now(),
    knownFaultsFolder(),
    () => elsewhereOf(launch.store) !== null,
  );
  const openKey = signingKey(knownFaults);
  const runs = openRunManager({ session, store, queries, network, hold, settings, changes, hardware, openKey, keepError });
  const models = openModels({ network, queries, runs, hardware, resources: launch.resources, store: launch.store });
  // A given record has all but its own events in common with the user's.
  const given = openGivenRecords(files, queries, (path) => ({
    ...openService({ ...launch, store: path }, keepError, openQueries),
    ...common,
  }));
  const common = { files, network, daemon, hardware, models, given };
  return {
    launch,
    elsewhere() {
      if (elsewhere === undefined) elsewhere = elsewhereOf(launch.store);
      return elsewhere;
    },
    store,
    queries,
    settings,
    ...common,
    runs,
    changes,
    progress,
    knownFaults,
    measured: new Map(),
    async recover() {
      // After the engine has died, what was taken off can still be put back.
      if (launch.incarnation === 1 && elsewhereOf(launch.store) === null) await sweepDataFiles(store).catch(keepError);
      // Whoever opens the screens need not wait for it.
      void daemon.ensure();
      await runs.recover();
    },
    async close() {
      leaving.abort();
      await given.close();
      await Promise.all([preparing, runs.close(), models.close(), hardware.close()]);
      await daemon.close();
      await Promise.all([queries.close(), network.close(), files.close()]);
    },
  };
}
