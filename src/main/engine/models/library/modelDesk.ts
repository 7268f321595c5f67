import type { Ensemble, Fit, LoadedModel, ModelsView } from '../../../../shared/api/models.ts';
import { AssizeError, badInput } from '../../../../shared/errors.ts';
import { BackendOutage } from '../../../../shared/model.ts';
import { fullModelName } from '../../lab/backends.ts';
import { isOnThisMachine } from '../dispatcher.ts';
import { asInstalled, openCatalogue } from './catalogue.ts';
import type { OllamaLibrary } from './client.ts';
import { freeForModels } from './diskFree.ts';
import { knownEnsembles, withInstalled } from './ensembles.ts';
import { type FitsAsked, fitsOf, freeAt, namedModels } from './fits.ts';
import type { MachineMemory } from './freeMemory.ts';
import { openPullDesk, type PullDesk, type PullDeskOptions } from './pullDesk.ts';

/** What of the models has changed. */
export type ModelChange = 'installed' | 'loaded' | 'pulls';

/** The models of the Ollama server, for screens and commands. Throws no-backend where the server does not answer. */
export interface ModelDesk {
  readonly pulls: PullDesk;
  read(signal: AbortSignal): Promise<Omit<ModelsView, 'problem'>>;
  loaded(signal: AbortSignal): Promise<LoadedModel[]>;
  /** What was seen in memory last while somebody watched; null before. */
  lastLoaded(): readonly LoadedModel[] | null;
  /** Throws bad input where it is being fetched or a run needs it, missing-model. */
  delete(model: string, signal: AbortSignal): Promise<void>;
  /** Throws missing-model. */
  unload(model: string, signal: AbortSignal): Promise<void>;
  /** Of the named models, or of all that may be asked. Throws missing-model for a name that is not there. */
  fits(asked: FitsAsked, signal: AbortSignal): Promise<Fit[]>;
  /** With nothing installed where the server does not answer. */
  ensembles(signal: AbortSignal): Promise<Ensemble[]>;
  /** Listens until what is returned is called; as long as anybody does, memory is looked at. */
  watch(listener: (change: ModelChange) => void): () => void;
  close(): Promise<void>;
}

export interface ModelDeskOptions {
  /** The server of now. */
  readonly library: () => Promise<OllamaLibrary>;
  /** Folder of what comes with the program. */
  readonly resources: string;
  /** Folder of the user's own ensembles, which need not be there. */
  readonly ownEnsembles: string;
  readonly memory: () => Promise<MachineMemory>;
  /** Name of an experiment under way that asks a model; null where none does. */
  readonly usedBy: (model: string) => Promise<string | null>;
  readonly pulling?: Pick<PullDeskOptions, 'tellable' | 'clock' | 'patience'>;
  /** Calls back again and again until what is returned is called. */
  readonly every?: (ms: number, action: () => void) => () => void;
  readonly diskFree?: () => Promise<number | null>;
  /** Where the address of the server was given, for what goes wrong with it. */
  readonly addressField?: string;
}

const lookEveryMs = 2000;

const repeat = (ms: number, action: () => void) => {
  const timer = setInterval(action, ms);
  return () => clearInterval(timer);
};

export function openModelDesk(options: ModelDeskOptions): ModelDesk {
  const { every = repeat, addressField = 'ollamaUrl' } = options;
  const catalogue = openCatalogue();
  const listeners = new Set<(change: ModelChange) => void>();
  const end = new AbortController();
  let latest: readonly LoadedModel[] | null = null;
  let stopLooking: (() => void) | null = null;
  let looking = false;

  const tell = (change: ModelChange) => {
    for (const listener of listeners) listener(change);
  };

  /** An outage is for runs to wait out; who asks here is told. */
  const answered = async <T>(action: () => Promise<T>): Promise<T> => {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof BackendOutage)) throw error;
      throw new AssizeError('no-backend', `${error.message}; start Ollama there, or check the address`, { field: addressField });
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
    standin || !isOnThisMachine(url) ? null : (options.diskFree ?? freeForModels)();

  const pulls = openPullDesk({
    ...options.pulling,
    library: options.library,
    async diskFree() {
      const library = await options.library();
      return diskFreeAt(library.url, (await library.version(end.signal)).standin);
    },
    onChange: () => tell('pulls'),
    onPulled: () => tell('installed'),
  });

  const look = async () => {
    // A server that takes longer than the interval is not asked twice at a time.
    if (looking) return;
    looking = true;
    try {
      const now = await (await options.library()).loaded(end.signal);
      if (listeners.size === 0) return;
      const changed = JSON.stringify(now) !== JSON.stringify(latest);
      latest = now;
      if (changed) tell('loaded');
    } catch {
      // Whether the server is there is told elsewhere; nothing of it is in memory as far as anybody knows.
      if (latest?.length === 0 || listeners.size === 0) return;
      latest = [];
      tell('loaded');
    } finally {
      looking = false;
    }
  };

  return {
    pulls,
    read: (signal) =>
      answered(async () => {
        const library = await options.library();
        const [{ standin }, models] = await Promise.all([library.version(signal), catalogue.read(library, signal)]);
        return {
          url: library.url,
          standin,
          installed: models.map(asInstalled),
          disk_free: await diskFreeAt(library.url, standin),
        };
      }),
    loaded: (signal) => answered(async () => (await options.library()).loaded(signal)),
    lastLoaded: () => latest,
    async delete(model, signal) {
      if (pulls.underWay(model)) throw badInput(`${model} is being fetched; cancel that first`, { field: 'model' });
      const experiment = await options.usedBy(model);
      if (experiment !== null) {
        throw badInput(`the run of ${JSON.stringify(experiment)} asks ${model}; stop it first, or let it end`, {
          field: 'model',
        });
      }
      await answered(async () => {
        const library = await options.library();
        await freeMemoryOf(library, model, signal);
        await library.delete(model, signal);
      });
      tell('installed');
    },
    async unload(model, signal) {
      await answered(async () => (await options.library()).unload(model, signal));
      void look();
    },
    fits: (asked, signal) =>
      answered(async () => {
        const library = await options.library();
        const all = await catalogue.read(library, signal);
        const free = await freeAt(library, options.memory, signal);
        const models =
          asked.models === undefined
            ? all.filter(({ listed }) => listed.refused === null)
            : namedModels(asked.models, all, ({ listed }) => listed);
        return fitsOf(models, asked, free);
      }),
    async ensembles(signal) {
      const files = knownEnsembles(options.resources, options.ownEnsembles);
      try {
        const installed = await answered(async () => (await options.library()).installed(signal));
        return withInstalled(
          files,
          installed.map(({ name }) => name),
        );
      } catch (error) {
        if (!(error instanceof AssizeError) || signal.aborted) throw error;
        return withInstalled(files, []);
      }
    },
    watch(listener) {
      // A listener of its own, should one be added twice.
      const mine = (change: ModelChange) => listener(change);
      listeners.add(mine);
      if (stopLooking === null) {
        stopLooking = every(lookEveryMs, () => void look());
        void look();
      }
      return () => {
        if (!listeners.delete(mine) || listeners.size > 0) return;
        stopLooking?.();
        stopLooking = null;
        latest = null;
      };
    },
    async close() {
      stopLooking?.();
      stopLooking = null;
      listeners.clear();
      end.abort();
      await pulls.close();
    },
  };
}
