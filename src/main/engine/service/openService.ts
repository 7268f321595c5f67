// Puts together what all requests share.

import type { Launch } from '../../../shared/api/control.ts';
import { type BackendChoice, isUnderWay } from '../../../shared/api/engine.ts';
import { sweepDataFiles } from '../dataFiles/sweep.ts';
import { finishErasure } from '../erase/erase.ts';
import { type HardwareManager, openHardwareManager } from '../hardware/hardwareManager.ts';
import { openMachine } from '../hardware/machine.ts';
import { fullModelName } from '../lab/backends.ts';
import { surroundings } from '../models/daemon/program.ts';
import { loadedAt, ollamaLibrary } from '../models/library/client.ts';
import { memoryIn } from '../models/library/fits.ts';
import { type ModelManager, openModelManager } from '../models/library/modelManager.ts';
import { openQueryPool, type Queries, type QueryPool } from '../queries/pool.ts';
import { ensemblesBeside } from '../store/location.ts';
import { addTrajectories } from '../store/projecting.ts';
import { elsewhereOf, type Store } from '../store/store.ts';
import { removeOrphans } from '../temporaryFolder.ts';
import { openChangeLog } from './changes.ts';
import { type HeldServer, openDaemonManager } from './daemon.ts';
import { withoutFolders } from './failures.ts';
import { openFileHandles } from './files.ts';
import { openGivenRecords } from './givenRecords.ts';
import { keptFaults, signingKey } from './knownFaults.ts';
import { type Network, openNetwork } from './network.ts';
import { openProgressBoard, type ProgressBoard } from './progressBoard.ts';
import { openRunManager, type RunManager } from './runs.ts';
import type { Service } from './service.ts';
import { openSettings } from './settings.ts';
import { openStoreAccess } from './storeAccess.ts';

export interface OpenService extends Service {
  /** Continues what an earlier engine process of this start had under way, and shows what other starts left. */
  recover(): Promise<void>;
  /** Ends runs in order and releases everything. */
  close(): Promise<void>;
}

/** How often it is seen whether another program writes to the store. */
const lookMs = 1000;

async function prepareFigures(store: Store, progress: ProgressBoard, signal: AbortSignal): Promise<void> {
  for (const experiment of store.experiments.names()) {
    await progress.during(experiment, (tell) => {
      const onProgress = (done: number, of: number) => tell({ share: done / of, what: 'preparing the figures' });
      return addTrajectories(store, { signal, onProgress }, experiment);
    });
  }
}

/** Puts together what the handlers share. @param openQueries what answers queries; separate threads unless a test has a reason */
export function openService(
  launch: Launch,
  keepError: (error: unknown) => void,
  openQueries: (store: string) => QueryPool = openQueryPool,
): OpenService {
  removeOrphans();
  const progress = openProgressBoard();
  const changes = openChangeLog(launch.incarnation);
  const leaving = new AbortController();
  let preparing: Promise<void> = Promise.resolve();
  const store = openStoreAccess(launch.store, () => {
    // Queries meanwhile get the same from the chains.
    preparing = store
      .write((opened) => {
        if (opened.erasures.uncleaned()) finishErasure(opened);
        return prepareFigures(opened, progress, leaving.signal);
      })
      .catch(keepError);
  });
  let writtenElsewhere = false;
  // The lock tells nobody when it is taken or let go.
  const look = setInterval(() => {
    const before = writtenElsewhere;
    writtenElsewhere = store.writtenElsewhere();
    if (writtenElsewhere !== before) changes.status();
  }, lookMs).unref();
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
  const knownFaults = keptFaults(launch.store);
  const openKey = signingKey(knownFaults);
  const runs = openRunManager({ session, store, queries, network, hold, settings, changes, hardware, openKey, keepError });
  const models = openModels({ network, queries, runs, hardware, resources: launch.resources, store: launch.store });
  // A given record has all but its own events in common with the user's.
  const given = openGivenRecords({
    files,
    queries,
    openGiven: (path) => ({ ...openService({ ...launch, store: path }, keepError, openQueries), ...common }),
    // It has its own settings and runs, and so its own network and models too.
    openOwn: (path) => ({ ...openService({ ...launch, store: path }, keepError, openQueries), files, given }),
  });
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
    shownVerdicts: new Set(),
    measured: new Map(),
    async recover() {
      // After the engine has died, what was taken off can still be put back.
      if (launch.incarnation === 1 && elsewhereOf(launch.store) === null) await sweepDataFiles(store).catch(keepError);
      // The screens need not wait for it.
      void daemon.ensure();
      await runs.recover();
    },
    async close() {
      leaving.abort();
      clearInterval(look);
      await given.close();
      await Promise.all([preparing, runs.close(), models.close(), hardware.close()]);
      await daemon.close();
      await Promise.all([queries.close(), network.close(), files.close()]);
    },
  };
}

function openModels(options: {
  readonly network: Network;
  readonly queries: Queries;
  readonly runs: Pick<RunManager, 'all'>;
  readonly resources: string;
  readonly store: string;
  readonly hardware: Pick<HardwareManager, 'read'>;
}): ModelManager {
  const { network, queries, runs, hardware } = options;
  return openModelManager({
    library: async () => ollamaLibrary(network.dispatcher(), { url: await network.url('ollama') }),
    resources: options.resources,
    ownEnsembles: ensemblesBeside(options.store),
    memory: async () => memoryIn((await hardware.read()).reading),
    addressField: 'ollamaUrl',
    async usedBy(model) {
      for (const run of runs.all()) {
        const { experiment, backend } = run;
        if (!isUnderWay(run) || backend === 'standin') continue;
        const asked = await queries.run('askedModels', { experiment });
        if (asked.some((name) => fullModelName(name) === fullModelName(model))) return experiment;
      }
      return null;
    },
    tellable: withoutFolders,
  });
}
