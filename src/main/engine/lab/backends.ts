// The servers of an experiment: how they are reached, what they have, and whether they make vectors.
import { setTimeout as sleep } from 'node:timers/promises';
import { isEmbeddingRole } from '../../../core/protocols/cast.ts';
import { unitVectors } from '../../../core/retrieval/vectors.ts';
import { ollamaBackend } from '../../../shared/api/engine.ts';
import { AssizeError, badInput, type Remedy } from '../../../shared/errors.ts';
import type { BackendDefinition, CastMember, Experiment } from '../../../shared/experiment.ts';
import { BackendOutage, CallFailure, type ModelInfo } from '../../../shared/model.ts';
import { quantity } from '../../../shared/sizes.ts';
import { ownCall } from '../commandText.ts';
import { isOnThisMachine, type NetworkDispatcher } from '../models/dispatcher.ts';
import { ProbeOutage } from '../models/modelServer.ts';
import { type MovingServer, movingOllama, ollamaModel } from '../models/ollama.ts';
import { openaiModel } from '../models/openai.ts';
import type { LanguageModel } from '../models/port.ts';
import { keyedServers, readKey } from './apiKeys.ts';
import { poolOf, wholePools } from './lanes.ts';

export const unknownVersion = 'unknown';

/** A backend that has answered, with what its calls are recorded with. */
export interface ReadyBackend {
  readonly name: string;
  readonly model: LanguageModel;
  readonly version: string;
  readonly standin: boolean;
  /** Model name -> digest of its weights; null where the server has none. */
  readonly digests: ReadonlyMap<string, string | null>;
  readonly needed: NeededModels;
  /** Calls that the server says it serves at once; absent where it does not say. */
  readonly slots?: number;
  /** What its models make of the probe text, where they make vectors. */
  readonly probes?: Probes;
  /** Why it has not answered yet; absent where it has. */
  readonly away?: string;
}

/** Name of a backend -> the servers that its calls can go to, itself first. */
export type Pools = ReadonlyMap<string, readonly string[]>;

/** Model name -> tokens of context that its calls are to have. */
export type NeededModels = ReadonlyMap<string, number>;

/** `llama3.1` and `Llama3.1:latest` are one model to the server. A colon before the last `/` is a registry's port. */
export function fullModelName(model: string): string {
  const name = model.toLowerCase();
  return name.slice(name.lastIndexOf('/') + 1).includes(':') ? name : `${name}:latest`;
}

/** Models that an experiment asks of each backend, and of those that share its calls: all but what makes vectors. */
export function neededModels({
  arms,
  runtime,
  backends,
}: Pick<Experiment, 'arms' | 'runtime' | 'backends'>): Map<string, Map<string, number>> {
  const needed = new Map<string, Map<string, number>>();
  for (const [role, { model, backend, options }] of arms.flatMap(({ cast }) => Object.entries(cast))) {
    // Vectors are made in the context that their model has, unless the cast says otherwise.
    const numCtx = options.numCtx ?? (isEmbeddingRole(role) ? 0 : runtime.numCtx);
    for (const server of isEmbeddingRole(role) ? [backend] : poolOf(backends, backend)) {
      const models = needed.get(server) ?? new Map<string, number>();
      needed.set(server, models.set(model, Math.max(numCtx, models.get(model) ?? 0)));
    }
  }
  return needed;
}

/** The backend that words about "the server" mean: the only one, else the one named `default`; null where there is neither. */
export function meantBackend(backends: Readonly<Record<string, BackendDefinition>>): string | null {
  const names = Object.keys(backends);
  const [only = null] = names;
  return names.length === 1 ? only : names.includes('default') ? 'default' : null;
}

/** Applies `--ollama URL` to the only backend, else to `default`, as an Ollama. @param otherKinds also to other kinds */
export function overrideUrl(
  backends: Readonly<Record<string, BackendDefinition>>,
  url: string | undefined,
  { otherKinds = true }: { otherKinds?: boolean } = {},
): Record<string, BackendDefinition> {
  const meant = meantBackend(backends);
  const overridden = Object.fromEntries(
    Object.entries(backends).map(([name, backend]): [string, BackendDefinition] => {
      if (url === undefined || name !== meant || (backend.kind !== 'ollama' && !otherKinds)) return [name, backend];
      return [name, { kind: 'ollama', url, concurrency: backend.concurrency }];
    }),
  );
  return wholePools(overridden);
}

/** A backend as configured; its key is read when it is asked. @param moving the server that is followed to other addresses */
export function connectBackends(
  dispatcher: NetworkDispatcher,
  backends: Readonly<Record<string, BackendDefinition>>,
  limits: { timeoutSeconds: number; idleSeconds: number },
  environment: NodeJS.ProcessEnv = process.env,
  moving: MovingServer | null = null,
): Map<string, LanguageModel> {
  const times = { timeoutMs: limits.timeoutSeconds * 1000, idleMs: limits.idleSeconds * 1000 };
  return new Map(
    Object.entries(backends).map(([name, backend]) => {
      const options = { url: backend.url, ...times };
      if (backend.kind === 'ollama') {
        const moves = moving !== null && backend.url === moving.url;
        return [name, moves ? movingOllama(dispatcher, times, moving) : ollamaModel(dispatcher, options)];
      }
      const [keyed] = keyedServers({ [name]: backend });
      return [
        name,
        openaiModel(dispatcher, {
          ...options,
          apiKey: () => (keyed === undefined ? null : readKey(keyed, environment, dispatcher)),
          keySource:
            keyed === undefined
              ? `where it wants a key, name the environment variable that holds it: backends.${name}.apiKeyVariable`
              : `the key is the one in the environment variable ${keyed.variable}`,
        }),
      ];
    }),
  );
}

/** Whether two names are of one model: Ollama's have a tag and no case, those of other servers are as listed. */
export const nameFor = (model: Pick<LanguageModel, 'kind'>) => (model.kind === 'ollama' ? fullModelName : (name: string) => name);

interface Found {
  readonly models: ReadonlyMap<string, ModelInfo>;
  readonly listed: readonly string[];
}

/** What the server has of the wanted models. Throws `BackendOutage`; bad-input for one elsewhere or with too little context. */
async function foundModels(model: LanguageModel, needed: NeededModels, signal?: AbortSignal): Promise<Found> {
  const nameOf = nameFor(model);
  const all = await model.models(signal);
  const there = new Map(all.map((info) => [nameOf(info.name), info]));
  const found = new Map<string, ModelInfo>();
  for (const [name, numCtx] of needed) {
    const info = there.get(nameOf(name));
    if (info === undefined) continue;
    if (info.remote) {
      throw badInput(`model ${name} runs on somebody else's machine; name a local model`, 'cast');
    }
    const { contextLength = numCtx } = info;
    if (contextLength < numCtx) {
      throw badInput(
        `the server at ${model.url} gives model ${name} a context of ${contextLength} tokens, and numCtx is ${numCtx}; ` +
          `start the server with more, or set numCtx to ${contextLength}`,
        'runtime.numCtx',
      );
    }
    found.set(name, info);
  }
  return { models: found, listed: all.map(({ name }) => name) };
}

/** Of the models that are there; a server that answers to every name has all. */
const digestsIn = ({ models }: Found, needed: NeededModels, anyModel: boolean): Map<string, string | null> =>
  new Map(
    [...needed.keys()].filter((name) => anyModel || models.has(name)).map((name) => [name, models.get(name)?.digest ?? null]),
  );

/** A backend after an outage, perhaps of another version or with other weights. Throws `BackendOutage`, bad-input. */
export async function refreshBackend(backend: ReadyBackend, signal: AbortSignal): Promise<ReadyBackend> {
  const { version, standin, anyModel = false } = await backend.model.version(signal);
  const digests = digestsIn(await foundModels(backend.model, backend.needed, signal), backend.needed, anyModel);
  return { ...backend, version, standin, digests };
}

export interface MissingModel {
  readonly backend: string;
  readonly model: string;
  readonly remedy: string;
}

const remedyOf = (server: LanguageModel, model: string, listed: readonly string[]): string =>
  server.kind === 'ollama'
    ? `ollama pull ${model}${isOnThisMachine(server.url) ? '' : ` (on ${new URL(server.url).hostname})`}`
    : `start the server at ${server.url} with ${model}, or name what it has: ${listed.slice(0, 5).join(', ') || 'nothing'}`;

const startThere = 'start the server there, or check the address';
const startAdvice: Readonly<Record<BackendDefinition['kind'], Remedy>> = {
  ollama: {
    command: `start Ollama, or try the demo model: ${ownCall} standin`,
    screen: 'start Ollama, or choose the demo model',
  },
  openai: { command: startThere, screen: startThere },
};

const checkKind = 'check the address, and the kind of the server that is set for it';
const otherAdvice: Remedy = { command: checkKind, screen: checkKind };

function noAnswer(name: string, { kind }: LanguageModel, outage: BackendOutage): AssizeError {
  const server = kind === 'ollama' && name === ollamaBackend ? 'Ollama' : `the server ${JSON.stringify(name)}`;
  const isOther = outage instanceof ProbeOutage && outage.isOtherKind;
  return new AssizeError('no-backend', `${server} ${isOther ? 'is not there' : 'does not answer'} (${outage.message})`, {
    field: `backends.${name}`,
    remedy: isOther ? otherAdvice : startAdvice[kind],
  });
}

export interface ProbedBackend {
  /** Says in `away` why calls cannot go there, if so. */
  readonly backend: ReadyBackend;
  readonly missing: readonly MissingModel[];
  /** Absent where it answers. */
  readonly error?: AssizeError;
}

/** What a server has of the models that are needed. @throws bad-input where one runs elsewhere, or has too little context */
export async function probeBackend(name: string, model: LanguageModel, needed: NeededModels): Promise<ProbedBackend> {
  try {
    const { version, standin, anyModel = false, ...stated } = await model.version();
    const found = await foundModels(model, needed);
    const gone = anyModel ? [] : [...needed.keys()].filter((each) => !found.models.has(each));
    const away = gone.length > 0 ? { away: `${model.url} does not have ${gone.join(', ')}` } : {};
    return {
      backend: { name, model, version, standin, digests: digestsIn(found, needed, anyModel), needed, ...stated, ...away },
      missing: gone.map((each) => ({ backend: name, model: each, remedy: remedyOf(model, each, found.listed) })),
    };
  } catch (error) {
    if (!(error instanceof BackendOutage)) throw error;
    const unseen = { version: unknownVersion, standin: false, digests: new Map() };
    return {
      backend: { name, model, ...unseen, needed, away: error.message },
      missing: [],
      error: noAnswer(name, model, error),
    };
  }
}

/** Whether a run can do without a server: of each pool that it is in, another one is there. */
export const isSpared = (name: string, pools: Pools, isThere: (server: string) => boolean): boolean => {
  const own = [...pools.values()].filter((servers) => servers.includes(name));
  return own.length > 0 && own.every((servers) => servers.some((other) => other !== name && isThere(other)));
};

/**
 * The servers, and models that are needed and not there. Of servers that share calls some may be away or lack a model:
 * those are among the ready ones, and say so.
 * @throws no-backend where a server does not answer or refuses access, and no other takes its calls
 * @throws bad-input where a model runs on another machine than its server, or has too little context
 */
export async function probeBackends(
  models: ReadonlyMap<string, LanguageModel>,
  needed: ReadonlyMap<string, NeededModels>,
  pools: Pools = new Map(),
): Promise<{ ready: Map<string, ReadyBackend>; missing: MissingModel[] }> {
  const probing = [...needed].map(async ([name, wanted]) => {
    const model = models.get(name);
    if (model === undefined) throw new Error(`backend ${name} is not configured`);
    return [name, await probeBackend(name, model, wanted)] as const;
  });
  const probed = new Map(await Promise.all(probing));
  const isThere = (name: string) => probed.get(name)?.backend.away === undefined;
  const lacking = [...probed].flatMap(([name, each]) => (isSpared(name, pools, isThere) ? [] : each));
  for (const { error } of lacking) if (error !== undefined) throw error;
  return {
    ready: new Map([...probed].map(([name, { backend }]) => [name, backend])),
    missing: lacking.flatMap(({ missing }) => missing),
  };
}

/**
 * As `probeBackends`, and throws `missing-model` with what gets what is missing.
 * @param retrievers who is to make vectors: each is tried with one text, and `missing-model` thrown where it makes none
 */
export async function readyBackends(
  models: ReadonlyMap<string, LanguageModel>,
  needed: ReadonlyMap<string, NeededModels>,
  retrievers: readonly CastMember[] = [],
  pools: Pools = new Map(),
): Promise<Map<string, ReadyBackend>> {
  const { ready, missing } = await probeBackends(models, needed, pools);
  if (missing.length > 0) {
    const remedies = missing.map(({ remedy }) => remedy).join('; ');
    throw new AssizeError(
      'missing-model',
      `${quantity(missing.length, 'model is', 'models are')} not on the server; get ${missing.length === 1 ? 'it' : 'them'} with: ${remedies}`,
      'cast',
    );
  }
  for (const retriever of retrievers) {
    const backend = ready.get(retriever.backend);
    const name = probeName(retriever);
    if (backend === undefined || backend.probes?.has(name) === true) continue;
    try {
      const probe = await probeEmbedding(backend.model, retriever);
      ready.set(backend.name, { ...backend, probes: new Map([...(backend.probes ?? []), [name, probe]]) });
    } catch (error) {
      throw error instanceof BackendOutage ? noAnswer(backend.name, backend.model, error) : error;
    }
  }
  return ready;
}

/** A text that every run sends first to each model that makes vectors. It is part of the record: never changed. */
export const probeText = 'The court has heard both sides, and weighs what was said against what is known.';

/** Names of `probeName` -> unit vector of the probe text, rounded. */
export type Probes = ReadonlyMap<string, readonly number[]>;

/** What a vector depends on apart from model weights and server. */
export const probeName = ({ model, options: { numCtx } }: Pick<CastMember, 'model' | 'options'>): string =>
  JSON.stringify(numCtx === undefined ? { model } : { model, numCtx });

/** Vectors made under one name can be compared, and have one probe. */
export const vectorMaker = (retriever: Pick<CastMember, 'backend' | 'model' | 'options'>): string =>
  JSON.stringify([retriever.backend, probeName(retriever)]);

/** Who makes vectors in some arm. @param arms with entries that play @param open names of arms with trials left; absent: all */
export const retrieversOf = ({ arms }: Pick<Experiment, 'arms'>, open?: ReadonlySet<string>): CastMember[] =>
  arms.flatMap(({ name, cast }) => (open === undefined || open.has(name) ? (cast.retriever ?? []) : []));

/** How often a server is asked that answers with an error which may pass. */
const mostTries = 3;
const pauseMs = 250;
/** Decimals that are kept: enough to distinguish models, few enough that the same model gives the same text. */
const scale = 1e4;

async function vectorOfProbe(server: LanguageModel, { model, options }: CastMember): Promise<readonly number[]> {
  const request = { model, texts: [probeText], ...(options.numCtx === undefined ? {} : { numCtx: options.numCtx }) };
  for (let number = 1; ; number++) {
    try {
      const { vectors } = await server.embed(request, new AbortController().signal);
      return vectors[0] ?? [];
    } catch (error) {
      if (!(error instanceof CallFailure) || error.permanent || number === mostTries) throw error;
      await sleep(pauseMs);
    }
  }
}

/** Why a server that has the model gave no vector; null where the error is another one. */
function reasonOf(error: unknown): string | null {
  if (error instanceof CallFailure) return error.message;
  // The server has the model: what it lacks is the way to vectors.
  return error instanceof AssizeError && error.code === 'missing-model' ? 'HTTP 404' : null;
}

/** The unit vector of the probe text. @throws missing-model where none is made @throws BackendOutage */
export async function probeEmbedding(server: LanguageModel, retriever: CastMember): Promise<readonly number[]> {
  const refused = (reason: string) =>
    new AssizeError(
      'missing-model',
      `model ${retriever.model} of backend ${JSON.stringify(retriever.backend)} gives no vectors (${reason}), so it cannot play the role retriever; ` +
        'name an embedding model of a server that has one, or leave the role out: precedents are then found by TF-IDF',
      'cast.retriever',
    );
  let vector: readonly number[];
  try {
    vector = await vectorOfProbe(server, retriever);
  } catch (error) {
    if (error instanceof BackendOutage) throw error;
    const reason = reasonOf(error);
    throw reason === null ? error : refused(reason);
  }
  const { values } = unitVectors(Float32Array.from(vector), vector.length);
  if (values.every((value) => value === 0)) throw refused('its vectors are all zeros');
  return [...values].map((value) => Math.round(value * scale) / scale);
}

/** Least cosine of two vectors of the probe text by one model: other machines and other batches change the last digits. */
const leastLikeness = 0.999;

export function sameProbe(one: readonly number[], other: readonly number[]): boolean {
  if (one.length !== other.length) return false;
  const length = (of: readonly number[]) => Math.hypot(...of);
  const product = one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
  return product >= leastLikeness * length(one) * length(other);
}
