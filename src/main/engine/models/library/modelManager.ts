// The models of an Ollama server: list, fetch, delete and unload.
import type { Ensemble, Fit, LoadedModel, ModelsView } from '../../../../shared/api/models.ts';
import { AssizeError, badInput } from '../../../../shared/errors.ts';
import { BackendOutage } from '../../../../shared/model.ts';
import { openMachine } from '../../hardware/machine.ts';
import { openSampler, systemClock } from '../../hardware/sampler.ts';
import { fullModelName } from '../../lab/backends.ts';
import { ensemblesBeside } from '../../store/location.ts';
import { createDispatcher, isOnThisMachine } from '../dispatcher.ts';
import { asInstalled, type OllamaLibrary, ollamaLibrary, openCatalogue } from './client.ts';
import { knownEnsembles, withInstalled } from './ensembles.ts';
import { type FitsAsked, fitsOf, freeAt, freeForModels, type MachineMemory, memoryIn, namedModels } from './fits.ts';
import { openPullManager, type PullManagerOptions } from './pullManager.ts';

export type ModelChange = 'installed' | 'loaded' | 'pulls';

export type ModelManager = ReturnType<typeof openModelManager>;

export interface ModelManagerOptions {
  /** The server of now. */
  readonly library: () => Promise<OllamaLibrary>;
  readonly resources: string;
  /** Folder of the user's own ensembles, which need not be there. */
  readonly ownEnsembles: string;
  readonly memory: () => Promise<MachineMemory>;
  /** Name of an experiment under way that asks a model; null where none does. */
  readonly usedBy: (model: string) => Promise<string | null>;
  /** A server's words as they may be shown. */
  readonly tellable?: PullManagerOptions['tellable'];
  /** Where the address of the server was given, for what goes wrong with it; undefined where it was not. */
  readonly addressField?: string | undefined;
}

const lookEveryMs = 2000;

/** The models of the Ollama server, for screens and commands. Throws no-backend where the server does not answer. */
export function openModelManager(options: ModelManagerOptions) {
  const { addressField: field } = options;
  const catalogue = openCatalogue();
  const listeners = new Set<(change: ModelChange) => void>();
  const end = new AbortController();
  let latest: readonly LoadedModel[] | null = null;

  const tell = (change: ModelChange) => {
    for (const listener of listeners) listener(change);
  };

  /** Runs wait for an outage to end; callers here hear of it. */
  const answered = async <T>(action: () => Promise<T>): Promise<T> => {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof BackendOutage)) throw error;
      throw new AssizeError(
        'no-backend',
        `${error.message}; start Ollama there, or check the address`,
        field === undefined ? {} : { field },
      );
    }
  };

  /** Ollama keeps a model that is deleted in memory until its time is over, and no longer knows it by its name then. */
  const freeMemoryOf = async (library: OllamaLibrary, model: string, signal: AbortSignal): Promise<void> => {
    try {
      const loaded = await library.loaded(signal);
      if (loaded.some(({ name }) => fullModelName(name) === fullModelName(model))) await library.unload(model, signal);
    } catch (error) {
      // It can be deleted all the same.
      if (signal.aborted) throw error;
    }
  };

  const diskFreeAt = async (url: string, standin: boolean): Promise<number | null> =>
    standin || !isOnThisMachine(url) ? null : freeForModels();

  const pulls = openPullManager({
    library: options.library,
    ...(options.tellable === undefined ? {} : { tellable: options.tellable }),
    async diskFree() {
      const library = await options.library();
      return diskFreeAt(library.url, (await library.version(end.signal)).standin);
    },
    onChange: () => tell('pulls'),
    onPulled: () => tell('installed'),
  });

  const look = async () => {
    // Other parts say whether the server is there; of one that is away nothing is known to be in memory.
    const now = await options
      .library()
      .then((library) => library.loaded(end.signal))
      .catch(() => []);
    if (listeners.size === 0 || JSON.stringify(now) === JSON.stringify(latest)) return;
    latest = now;
    tell('loaded');
  };
  const sampler = openSampler(systemClock, () => (listeners.size > 0 ? lookEveryMs : null), look);

  return {
    pulls,
    read: (signal: AbortSignal): Promise<Omit<ModelsView, 'problem'>> =>
      answered(async () => {
        const library = await options.library();
        const [{ standin }, listed] = await Promise.all([library.version(signal), library.installed(signal)]);
        const models = await catalogue(library, listed, signal);
        return {
          url: library.url,
          standin,
          installed: models.map(asInstalled),
          disk_free: await diskFreeAt(library.url, standin),
        };
      }),
    loaded: (signal: AbortSignal) => answered(async () => (await options.library()).loaded(signal)),
    /** What was seen in memory last while somebody watched; null before. */
    lastLoaded: () => latest,
    /** Throws bad input where it is being fetched or a run needs it, missing-model. */
    async delete(model: string, signal: AbortSignal): Promise<void> {
      if (pulls.underWay(model)) throw badInput(`${model} is being fetched; cancel that first`, 'model');
      const experiment = await options.usedBy(model);
      if (experiment !== null) {
        throw badInput(`the run of ${JSON.stringify(experiment)} asks ${model}; stop it first, or let it end`, 'model');
      }
      await answered(async () => {
        const library = await options.library();
        await freeMemoryOf(library, model, signal);
        await library.delete(model, signal);
      });
      tell('installed');
    },
    /** Throws missing-model. */
    async unload(model: string, signal: AbortSignal): Promise<void> {
      await answered(async () => (await options.library()).unload(model, signal));
      void look();
    },
    /** Of the named models, or of all that may be asked. Throws missing-model for a name that is not there. */
    fits: (asked: FitsAsked, signal: AbortSignal): Promise<Fit[]> =>
      answered(async () => {
        const library = await options.library();
        const all = await library.installed(signal);
        const wanted =
          asked.models === undefined ? all.filter(({ refused }) => refused === null) : namedModels(asked.models, all);
        return fitsOf(await catalogue(library, wanted, signal), asked, await freeAt(library, options.memory, signal));
      }),
    /** With nothing installed where the server does not answer. */
    async ensembles(signal: AbortSignal): Promise<Ensemble[]> {
      const files = knownEnsembles(options.resources, options.ownEnsembles);
      const installed = await answered(async () => (await options.library()).installed(signal)).catch((error: unknown) => {
        if (!(error instanceof AssizeError) || signal.aborted) throw error;
        return [];
      });
      return withInstalled(
        files,
        installed.map(({ name }) => name),
      );
    },
    /** Listens until what is returned is called; as long as anybody does, memory is looked at. */
    watch(listener: (change: ModelChange) => void): () => void {
      // Wrapped, so that the same listener can be added twice.
      const mine = (change: ModelChange) => listener(change);
      listeners.add(mine);
      sampler.look();
      return () => {
        if (!listeners.delete(mine) || listeners.size > 0) return;
        latest = null;
        sampler.look();
      };
    },
    async close(): Promise<void> {
      listeners.clear();
      end.abort();
      await Promise.all([sampler.close(), pulls.close()]);
    },
  };
}

/** The server that a command asks, where cases are not concerned. */
export interface ModelsRequest {
  readonly url: string;
  /** The option that named it; undefined where none did. */
  readonly addressField: string | undefined;
  readonly allowedHosts: readonly string[];
  /** Folder of what comes with the program. */
  readonly resources: string;
  /** Record next to which the user's own ensembles lie. */
  readonly store: string;
}

export async function withModels<T>(
  { url, addressField, allowedHosts, resources, store }: ModelsRequest,
  action: (models: ModelManager) => Promise<T>,
): Promise<T> {
  const dispatcher = createDispatcher({ allowedHosts });
  const models = openModelManager({
    library: async () => ollamaLibrary(dispatcher, { url }),
    resources,
    ownEnsembles: ensemblesBeside(store),
    memory: async () => memoryIn(await openMachine().reading()),
    // Which runs other programs have under way is not known here.
    usedBy: async () => null,
    addressField,
  });
  try {
    return await action(models);
  } finally {
    await models.close();
    await dispatcher.close();
  }
}
