import { AssizeError, badInput } from '../../../shared/errors.ts';
import type { BackendDefinition, Experiment } from '../../../shared/experiment.ts';
import { BackendOutage, type ModelInfo } from '../../../shared/model.ts';
import type { NetworkDispatcher } from '../models/dispatcher.ts';
import { ollamaModel } from '../models/ollama.ts';
import type { LanguageModel } from '../models/port.ts';

/** A backend that has answered, with what its calls are recorded with. */
export interface ReadyBackend {
  readonly name: string;
  readonly model: LanguageModel;
  readonly version: string;
  readonly standin: boolean;
  /** Model name -> digest of its weights; null where the server has none. */
  readonly digests: ReadonlyMap<string, string | null>;
}

/** `llama3.1` and `Llama3.1:latest` are one model to the server. A colon before the last `/` is a registry's port. */
export function fullModelName(model: string): string {
  const name = model.toLowerCase();
  return name.slice(name.lastIndexOf('/') + 1).includes(':') ? name : `${name}:latest`;
}

/** Models that an experiment asks of each backend. */
export function neededModels({ arms }: Pick<Experiment, 'arms'>): Map<string, Set<string>> {
  const needed = new Map<string, Set<string>>();
  for (const { model, backend } of arms.flatMap(({ cast }) => Object.values(cast))) {
    needed.set(backend, (needed.get(backend) ?? new Set()).add(model));
  }
  return needed;
}

/** Applies `--ollama URL`: to the only backend, else to the one named `default`. */
export function overrideUrl(
  backends: Readonly<Record<string, BackendDefinition>>,
  url: string | undefined,
): Record<string, BackendDefinition> {
  const entries = Object.entries(backends);
  return Object.fromEntries(
    entries.map(([name, backend]) => [
      name,
      url !== undefined && (entries.length === 1 || name === 'default') ? { ...backend, url } : backend,
    ]),
  );
}

/** A backend as configured, before anybody has tried it. */
export function connectBackends(
  dispatcher: NetworkDispatcher,
  backends: Readonly<Record<string, BackendDefinition>>,
  limits: { timeoutSeconds: number; idleSeconds: number },
): Map<string, LanguageModel> {
  return new Map(
    Object.entries(backends).map(([name, { url }]) => [
      name,
      ollamaModel(dispatcher, { url, timeoutMs: limits.timeoutSeconds * 1000, idleMs: limits.idleSeconds * 1000 }),
    ]),
  );
}

/**
 * What the server has of the models that are wanted, by the wanted names. Throws `BackendOutage`, and
 * `bad-input` where one of them would send its cases to another machine.
 */
async function foundModels(
  model: LanguageModel,
  wanted: Iterable<string>,
  signal?: AbortSignal,
): Promise<Map<string, ModelInfo>> {
  const there = new Map((await model.models(signal)).map((info) => [fullModelName(info.name), info]));
  const found = new Map<string, ModelInfo>();
  for (const name of wanted) {
    const info = there.get(fullModelName(name));
    if (info?.remote === true) {
      throw badInput(`model ${name} runs on somebody else's machine; name a local model`, { field: 'cast' });
    }
    if (info !== undefined) found.set(name, info);
  }
  return found;
}

const digestsIn = (found: ReadonlyMap<string, ModelInfo>, wanted: Iterable<string>): Map<string, string | null> =>
  new Map([...wanted].map((name) => [name, found.get(name)?.digest ?? null]));

/**
 * A backend as it is after an outage: what came back can be of another version, or hold other weights.
 * Throws `BackendOutage`, and `bad-input` as `probeBackends` does.
 */
export async function refreshBackend(backend: ReadyBackend, signal: AbortSignal): Promise<ReadyBackend> {
  const { version, standin } = await backend.model.version(signal);
  const wanted = [...backend.digests.keys()];
  const digests = digestsIn(await foundModels(backend.model, wanted, signal), wanted);
  return { ...backend, version, standin, digests };
}

/**
 * Models that are needed and not there, by backend name.
 * @throws no-backend where a server does not answer or refuses access
 * @throws bad-input where a model runs on another machine than its server
 */
export async function probeBackends(
  models: ReadonlyMap<string, LanguageModel>,
  needed: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<{ ready: Map<string, ReadyBackend>; missing: { backend: string; model: string }[] }> {
  const ready = new Map<string, ReadyBackend>();
  const missing: { backend: string; model: string }[] = [];
  for (const [name, wanted] of needed) {
    const model = models.get(name);
    if (model === undefined) throw new Error(`backend ${name} is not configured`);
    try {
      const { version, standin, anyModel = false } = await model.version();
      const found = await foundModels(model, wanted);
      missing.push(
        ...[...wanted].filter((each) => !found.has(each) && !anyModel).map((each) => ({ backend: name, model: each })),
      );
      ready.set(name, { name, model, version, standin, digests: digestsIn(found, wanted) });
    } catch (error) {
      if (!(error instanceof BackendOutage)) throw error;
      throw new AssizeError(
        'no-backend',
        `backend ${JSON.stringify(name)} does not answer (${error.message}); start Ollama, or try the stand-in: assize standin`,
        { field: `backends.${name}` },
      );
    }
  }
  return { ready, missing };
}

/** As `probeBackends`, and throws `missing-model` with the commands that get what is missing. */
export async function readyBackends(
  models: ReadonlyMap<string, LanguageModel>,
  needed: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<Map<string, ReadyBackend>> {
  const { ready, missing } = await probeBackends(models, needed);
  if (missing.length > 0) {
    const commands = missing.map(({ model }) => `ollama pull ${model}`).join('; ');
    throw new AssizeError('missing-model', `${missing.length} model(s) are not on the server; get them with: ${commands}`, {
      field: 'cast',
    });
  }
  return ready;
}
