import type { Fit } from '../../../shared/api/models.ts';
import { type Check, warning } from '../../../shared/checks.ts';
import { AssizeError } from '../../../shared/errors.ts';
import type { BackendDefinition, Experiment } from '../../../shared/experiment.ts';
import { BackendOutage } from '../../../shared/model.ts';
import type { NetworkDispatcher } from '../models/dispatcher.ts';
import { ollamaLibrary, openCatalogue } from '../models/library/client.ts';
import { type FitsAsked, fitsOf, freeAt, type MachineMemory, namedModels } from '../models/library/fits.ts';
import type { ListedModel } from '../models/library/listed.ts';
import { fullModelName, type NeededModels } from './backends.ts';
import { callsAtATime } from './lanes.ts';

/** An Ollama server that describes its models. */
export interface FitSource {
  read(signal: AbortSignal): Promise<{ readonly standin: boolean; readonly installed: readonly { readonly name: string }[] }>;
  fits(asked: FitsAsked, signal: AbortSignal): Promise<Fit[]>;
}

/** Slots that a server keeps of each model. */
export interface Slots {
  readonly count: number;
  /** Whether the server was started with them; else they are the calls that the run makes at a time. */
  readonly known: boolean;
}

/** What Ollama does not say of itself: how many slots it has. */
const assumed = (count: number): string =>
  ` Counted with a slot for each of the ${count} calls at a time; the server has as many as its OLLAMA_NUM_PARALLEL says.`;

/**
 * Warns of models that will not be wholly on the GPU, or nowhere, with the context of their calls and the slots of the
 * server. It is an estimate, and never in the way of a plan: where the server does not answer, or is a demo model without
 * weights, there is none.
 * @param needed tokens of context by model
 */
export async function fitChecks(source: FitSource, needed: NeededModels, slots: Slots, signal: AbortSignal): Promise<Check[]> {
  if (![...needed.values()].some((context) => context > 0)) return [];
  try {
    const { standin, installed } = await source.read(signal);
    if (standin) return [];
    const there = new Set(installed.map(({ name }) => fullModelName(name)));
    const asked = [...needed].filter(([name, context]) => context > 0 && there.has(fullModelName(name)));
    const contexts = [...new Set(asked.map(([, context]) => context))];
    const namesWith = (context: number) => asked.flatMap(([name, its]) => (its === context ? [name] : []));
    const lists = await Promise.all(
      contexts.map((context) => source.fits({ context, slots: slots.count, models: namesWith(context) }, signal)),
    );
    return asked.flatMap(([name, context]) => {
      const list = lists[contexts.indexOf(context)] ?? [];
      const fit = list.find(({ model }) => fullModelName(model) === fullModelName(name));
      if (fit?.verdict !== 'no' && fit?.verdict !== 'partly') return [];
      return [warning(`model ${name}: ${fit.reason}${slots.known || slots.count === 1 ? '' : assumed(slots.count)}`)];
    });
  } catch (error) {
    if (error instanceof AssizeError || error instanceof BackendOutage) return [];
    throw error;
  }
}

/** A server that is asked once, and only for what is named. */
function fitSource(dispatcher: NetworkDispatcher, url: string, memory: () => Promise<MachineMemory>): FitSource {
  const library = ollamaLibrary(dispatcher, { url });
  const catalogue = openCatalogue();
  let listed: Promise<ListedModel[]> | null = null;
  const installed = (signal: AbortSignal) => {
    listed ??= library.installed(signal);
    return listed;
  };
  return {
    async read(signal) {
      const [{ standin }, models] = await Promise.all([library.version(signal), installed(signal)]);
      return { standin, installed: models };
    },
    async fits({ models = [], ...asked }, signal) {
      const known = await catalogue(library, namedModels(models, await installed(signal)), signal);
      return fitsOf(known, asked, await freeAt(library, memory, signal));
    },
  };
}

/** The same of every Ollama server that an experiment asks. */
export async function fitChecksOf(
  dispatcher: NetworkDispatcher,
  { backends, runtime }: Pick<Experiment, 'runtime'> & { readonly backends: Readonly<Record<string, BackendDefinition>> },
  needed: ReadonlyMap<string, NeededModels>,
  options: { readonly concurrency: number | null; readonly memory: () => Promise<MachineMemory>; readonly signal: AbortSignal },
): Promise<Check[]> {
  const checks = await Promise.all(
    [...needed].map(([name, models]) => {
      const backend = backends[name];
      if (backend?.kind !== 'ollama') return [];
      const count = runtime.reproducible ? 1 : callsAtATime(backend, options.concurrency, null);
      const source = fitSource(dispatcher, backend.url, options.memory);
      return fitChecks(source, models, { count, known: false }, options.signal);
    }),
  );
  return checks.flat();
}
