import { isUnderWay } from '../../../shared/api/engine.ts';
import type { HardwareManager } from '../hardware/hardwareManager.ts';
import { fullModelName } from '../lab/backends.ts';
import { ollamaLibrary } from '../models/library/client.ts';
import { memoryIn } from '../models/library/fits.ts';
import { type ModelManager, openModelManager } from '../models/library/modelManager.ts';
import type { Queries } from '../queries/pool.ts';
import { ensemblesBeside } from '../store/location.ts';
import { withoutFolders } from './failures.ts';
import type { Network } from './network.ts';
import type { RunManager } from './runs.ts';

/** The models of the Ollama of the settings. */
export function openModels(options: {
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
