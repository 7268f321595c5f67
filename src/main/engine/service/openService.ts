import type { Launch } from '../../../shared/api/control.ts';
import { sweepDocket } from '../docket/sweep.ts';
import { openHardwareDesk } from '../hardware/desk.ts';
import { loadedModels } from '../hardware/loadedModels.ts';
import { openMachine } from '../hardware/machine.ts';
import { openQueryPool } from '../queries/pool.ts';
import { openChangeLog } from './changes.ts';
import { openFileHandles } from './files.ts';
import { openModels } from './models.ts';
import { openNetwork } from './network.ts';
import { openProgressBoard } from './progressBoard.ts';
import { openRunDesk } from './runs.ts';
import type { Service } from './service.ts';
import { openSettings } from './settings.ts';
import { openStoreAccess } from './storeAccess.ts';

export interface OpenService extends Service {
  /** Goes on with what an earlier engine process of this start had under way, and shows what other starts left. */
  recover(): Promise<void>;
  /** Ends runs in order and lets go of everything. */
  close(): Promise<void>;
}

/** Puts together what the handlers share. */
export function openService(launch: Launch, keepError: (error: unknown) => void): OpenService {
  const store = openStoreAccess(launch.store);
  const queries = openQueryPool(launch.store);
  const settings = openSettings(launch.store);
  const files = openFileHandles();
  const network = openNetwork(settings, process.env.ASSIZE_STANDIN_PROFILE);
  const changes = openChangeLog(launch.incarnation);
  const hardware = openHardwareDesk({
    machine: openMachine(),
    loaded: (url, signal) => loadedModels(network.dispatcher(), url, signal),
    idleServer: () => settings.read().ollamaUrl,
  });
  const runs = openRunDesk({ session: launch.session, store, queries, network, settings, changes, hardware, keepError });
  const models = openModels({ network, queries, runs, hardware, resources: launch.resources });
  return {
    launch,
    store,
    queries,
    settings,
    files,
    network,
    runs,
    hardware,
    changes,
    progress: openProgressBoard(),
    models,
    async recover() {
      // After the engine has died, what was taken off can still be put back.
      if (launch.incarnation === 1) await sweepDocket(store).catch(keepError);
      await runs.recover();
    },
    async close() {
      await Promise.all([runs.close(), hardware.close(), models.close()]);
      await Promise.all([queries.close(), network.close(), files.close()]);
    },
  };
}
