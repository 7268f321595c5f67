import { openMachine } from '../../hardware/machine.ts';
import { ensemblesBeside } from '../../store/location.ts';
import { createDispatcher } from '../dispatcher.ts';
import { ollamaLibrary } from './client.ts';
import { memoryIn } from './freeMemory.ts';
import { type ModelDesk, openModelDesk } from './modelDesk.ts';

/** The server that a command asks, where cases are not concerned. */
export interface ModelsRequest {
  readonly url: string;
  readonly allowedHosts: readonly string[];
  /** Folder of what comes with the program. */
  readonly resources: string;
  /** Record beside which the user's own ensembles lie. */
  readonly store: string;
}

/** The models of a server, for as long as an action takes. */
export async function withModels<T>(
  { url, allowedHosts, resources, store }: ModelsRequest,
  action: (models: ModelDesk) => Promise<T>,
): Promise<T> {
  const dispatcher = createDispatcher({ allowedHosts });
  const models = openModelDesk({
    library: async () => ollamaLibrary(dispatcher, { url }),
    resources,
    ownEnsembles: ensemblesBeside(store),
    memory: async () => memoryIn(await openMachine().reading()),
    // Which runs other programs have under way is not known here.
    usedBy: async () => null,
    addressField: '--ollama',
  });
  try {
    return await action(models);
  } finally {
    await models.close();
    await dispatcher.close();
  }
}
