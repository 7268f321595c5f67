// The models of an Ollama server, as it lists and describes them.
import type { Ollama } from 'ollama';
import { z } from 'zod';
import { hasHiddenLists, modelShape } from '../../../../core/fit/modelShape.ts';
import { type InstalledModel, type LoadedModel, modelNameSchema } from '../../../../shared/api/models.ts';
import { AssizeError } from '../../../../shared/errors.ts';
import { BackendOutage, CallFailure } from '../../../../shared/model.ts';
import { fullModelName } from '../../lab/backends.ts';
import { parseAnswerLine, strayLine } from '../answerLines.ts';
import type { NetworkDispatcher } from '../dispatcher.ts';
import { modelServer, ProbeOutage } from '../modelServer.ts';
import { askOllama, checkedParts, ollamaClient, ollamaKind, ollamaModel, unloadBy } from '../ollama.ts';
import { CutPull, type PullLine, pullLineSchema } from './pullProgress.ts';

/** Longest time for an answer that is not streamed, in milliseconds. */
const patienceMs = 20_000;
/** Deleting a large model can take the disk a while. */
const deletePatienceMs = 120_000;
/** Bytes of a description; one with all its lists, a vocabulary among them, has tens of millions. */
const mostShown = 96 * 2 ** 20;
/** Bytes of the lines of one pull: about twenty a second, for days. */
const mostPulled = 4 * 2 ** 30;

export type OllamaLibrary = ReturnType<typeof ollamaLibrary>;

const encoder = new TextEncoder();

/** A line of a pull, as it came. Throws `CallFailure` where it belongs to no pull. */
function pullPart(line: string): { part: Uint8Array; isLast: boolean } {
  const parsed = pullLineSchema.safeParse(parseAnswerLine(line));
  if (!parsed.success) throw strayLine('part of a pull', line.slice(0, 300));
  return { part: encoder.encode(`${line}\n`), isLast: parsed.data.status === 'success' };
}

async function* inOne(parts: AsyncIterable<readonly Uint8Array[]>): AsyncGenerator<Uint8Array> {
  for await (const together of parts) yield Buffer.concat(together);
}

/** The models of one Ollama server. All but `pull` throw `BackendOutage`, no-backend, bad-input (address), interrupted. */
export function ollamaLibrary(dispatcher: NetworkDispatcher, { url }: { readonly url: string }) {
  const times = { url, timeoutMs: patienceMs, idleMs: patienceMs };
  const server = modelServer(dispatcher, times, ollamaKind);
  const { version } = ollamaModel(dispatcher, times);
  const { base } = server;

  /** A question about one model. Throws as `details` does. */
  const askAbout = async <T>(
    model: string,
    path: string,
    question: (client: Ollama) => Promise<unknown>,
    schema: z.ZodType<T>,
    signal: AbortSignal,
    limitMs = patienceMs,
  ): Promise<T> => {
    try {
      return await askOllama(server, path, question, schema, signal, { limitMs, most: mostShown });
    } catch (error) {
      if (!(error instanceof ProbeOutage) || error.answer === null) throw error;
      const { status, message } = error.answer;
      // `/api/show` says so with another status than the rest.
      if (status === 404 || (status === 400 && /not found/i.test(message))) {
        throw new AssizeError('missing-model', `the server does not have model ${model}; read the list again`, 'model');
      }
      throw new AssizeError('no-backend', `${base}: HTTP ${status}: ${message.slice(0, 300)}`, 'model');
    }
  };

  const show = (model: string, verbose: boolean, signal: AbortSignal) =>
    askAbout(model, '/api/show', (client) => client.show({ model, verbose } as { model: string }), showSchema, signal);

  return {
    url: base,
    version,
    installed: async (signal?: AbortSignal): Promise<ListedModel[]> =>
      listedModels(await askOllama(server, '/api/tags', (client) => client.list(), tagsSchema, signal)),
    /** Throws missing-model too. */
    async details(model: string, signal: AbortSignal): Promise<ModelDetails> {
      const short = await show(model, false, signal);
      return detailsIn(hasHiddenLists(short.model_info ?? {}) ? await show(model, true, signal) : short);
    },
    async loaded(signal?: AbortSignal): Promise<LoadedModel[]> {
      try {
        return loadedModels(await askOllama(server, '/api/ps', (client) => client.ps(), tagsSchema, signal), Date.now());
      } catch (error) {
        // Not every server that speaks the API says what it has in memory.
        if (error instanceof ProbeOutage && error.answer?.status === 404) return [];
        throw error;
      }
    },
    /**
     * Fetches a model; resolves when the server says `success`. Throws what went wrong as it came (`HttpFailure`,
     * `CallFailure`, errors of the connection), and `CutPull` where the stream ends early. To call it off closes the
     * connection, which stops the server.
     */
    async pull(model: string, onLine: (line: PullLine) => void, signal: AbortSignal): Promise<void> {
      const client = ollamaClient(server, signal, (answer) =>
        ReadableStream.from(inOne(checkedParts(answer, mostPulled, () => undefined, pullPart))),
      );
      const lines = await client.pull({ model, stream: true });
      try {
        for await (const line of lines) onLine(pullLineSchema.parse(line));
      } catch (error) {
        // A connection that breaks during an answer cuts it, on either side.
        throw error instanceof CallFailure ? error : new CutPull();
      }
    },
    /** Throws missing-model too. */
    async delete(model: string, signal: AbortSignal): Promise<void> {
      await askAbout(model, '/api/delete', (client) => client.delete({ model }), z.unknown(), signal, deletePatienceMs);
    },
    async unload(model: string, signal: AbortSignal): Promise<void> {
      await askAbout(model, '/api/chat', (client) => unloadBy(client, model), z.unknown(), signal);
    },
  };
}

const watchPatienceMs = 5000;

/** Models in the memory of an Ollama server; null where it does not say. */
export async function loadedAt(dispatcher: NetworkDispatcher, url: string, signal: AbortSignal): Promise<LoadedModel[] | null> {
  // It is asked again and again: a host that is not allowed would count as many refusals.
  if (!dispatcher.permits(url)) return null;
  const patience = AbortSignal.any([signal, AbortSignal.timeout(watchPatienceMs)]);
  // Other parts report a server that is away; here it only has nothing to say.
  const { loaded } = ollamaLibrary(dispatcher, { url });
  return loaded(patience).catch(() => null);
}

/** Details that are kept: far more than anybody has models. */
const mostCached = 2000;
const atOnce = 4;

export interface KnownModel {
  readonly listed: ListedModel;
  readonly details: ModelDetails;
}

/** Models of a server with their details, which are asked for once for each digest. Throws as `OllamaLibrary.installed`. */
export function openCatalogue() {
  const kept = new Map<string, ModelDetails>();

  const detailsOf = async (library: OllamaLibrary, model: ListedModel, signal: AbortSignal): Promise<ModelDetails> => {
    const known = model.digest === null ? undefined : kept.get(model.digest);
    if (known !== undefined) return known;
    // Of a model that runs elsewhere the server would ask that other machine.
    if (model.refused !== null) return noDetails;
    try {
      const details = await library.details(model.name, signal);
      if (model.digest !== null && kept.size < mostCached) kept.set(model.digest, details);
      return details;
    } catch (error) {
      if (signal.aborted || !(error instanceof AssizeError || error instanceof BackendOutage)) throw error;
      // A model that the server cannot describe, or falls silent over, is still there; unless the server itself is gone.
      if (error instanceof BackendOutage) await library.version(signal);
      return noDetails;
    }
  };

  return async (library: OllamaLibrary, models: readonly ListedModel[], signal: AbortSignal): Promise<KnownModel[]> => {
    const found: KnownModel[] = [];
    for (let at = 0; at < models.length; at += atOnce) {
      const some = models.slice(at, at + atOnce);
      found.push(
        ...(await Promise.all(some.map(async (listed) => ({ listed, details: await detailsOf(library, listed, signal) })))),
      );
    }
    return found;
  };
}

export const asInstalled = ({ listed, details: { context, capabilities } }: KnownModel): InstalledModel => ({
  ...listed,
  context,
  capabilities: [...capabilities],
});

/** Texts of a server are cut at a length that no real one comes near. */
const bounded = (most: number) => z.string().transform((text) => text.slice(0, most));
/** A text that the server may leave out, or leave empty. */
const optional = (most: number) =>
  bounded(most)
    .nullable()
    .catch(null)
    .transform((text) => text || null);

const listedSchema = z.object({
  name: bounded(300),
  digest: optional(100),
  size: z.number().min(0).nullable().catch(null),
  modified_at: optional(60),
  remote_host: z.unknown().optional(),
  remote_model: z.unknown().optional(),
  details: z
    .object({ family: optional(60), parameter_size: optional(30), quantization_level: optional(30) })
    .nullable()
    .catch(null)
    .optional(),
});

export type ListedModel = Omit<InstalledModel, 'context' | 'capabilities'>;

/** Invalid entries are skipped: one must not cost the list. Beyond ten thousand a list is no list of models. */
const tagsSchema = z.object({ models: z.array(z.unknown()).nullable() });
const entriesOf = <T>(schema: z.ZodType<T>, { models }: z.infer<typeof tagsSchema>): T[] =>
  (models ?? []).slice(0, 10_000).flatMap((entry) => schema.safeParse(entry).data ?? []);

/** Whether a time is one; Go writes one that was never set as the first of January of the year 1. */
const isSet = (text: string | null): boolean => text !== null && Date.parse(text) > 0;

/** Why cases of a trial must not go to a model; null where they may. */
function refusalOf({ name, remote_host, remote_model }: z.infer<typeof listedSchema>): string | null {
  if (remote_host || remote_model) return 'It runs on another machine than the server: cases would leave this one.';
  const cloud = cloudRefusal(name);
  if (cloud !== null) return cloud;
  return modelNameSchema.safeParse(name).success ? null : 'This name cannot be sent in a request.';
}

/** Why a name is not asked for: Ollama's cloud models are known by their names. */
export function cloudRefusal(name: string): string | null {
  return /cloud$/i.test(fullModelName(name))
    ? 'It is a cloud model, which runs on somebody else’s machine: cases would leave this one.'
    : null;
}

const listedModels = (list: z.infer<typeof tagsSchema>): ListedModel[] =>
  entriesOf(listedSchema, list)
    .filter(({ name }) => name !== '')
    .map((entry) => ({
      name: entry.name,
      digest: entry.digest?.replace(/^sha256:/, '') || null,
      size: entry.size,
      family: entry.details?.family ?? null,
      parameters: entry.details?.parameter_size ?? null,
      quantization: entry.details?.quantization_level ?? null,
      modified_at: isSet(entry.modified_at) ? entry.modified_at : null,
      refused: refusalOf(entry),
    }));

const runningSchema = z.object({
  name: bounded(300),
  size: z.number().min(0),
  size_vram: z.number().min(0).catch(0),
  context_length: z.int().min(1).nullable().catch(null),
  expires_at: z.string().max(60).nullable().catch(null),
});

/** A model that is kept for longer than this stays until it is unloaded. */
const foreverMs = 10 * 365 * 86_400_000;

/** Null for a time that is invalid, that was never set, as it is while a model is being loaded, or that never comes. */
function expiry(text: string | null, now: number): string | null {
  if (text === null || !isSet(text)) return null;
  const at = Date.parse(text);
  return at - now <= foreverMs ? new Date(at).toISOString() : null;
}

/** @param now milliseconds of the clock by which the server says when a model is unloaded */
export const loadedModels = (list: z.infer<typeof tagsSchema>, now: number): LoadedModel[] =>
  entriesOf(runningSchema, list).map(({ name, size, context_length, expires_at, ...entry }) => {
    // Newer servers leave it out where nothing is on the GPU.
    const size_vram = Math.min(size, entry.size_vram);
    const gpu_share = size === 0 ? 0 : size_vram / size;
    return { name, size, size_vram, gpu_share, context: context_length, expires_at: expiry(expires_at, now) };
  });

const showSchema = z.object({
  model_info: z.record(z.string(), z.unknown()).nullable().catch(null),
  capabilities: z.array(z.string()).nullable().catch(null).optional(),
});

const noDetails: ModelDetails = {
  context: null,
  capabilities: [],
  shape: { missing: 'the server does not report its layers' },
};

/** What `/api/show` says about a model and the list does not. */
type ModelDetails = Readonly<ReturnType<typeof detailsIn>>;

function detailsIn({ model_info, capabilities }: z.infer<typeof showSchema>) {
  const info = model_info ?? {};
  const context = z.int().min(1).safeParse(info[`${info['general.architecture']}.context_length`]);
  return {
    /** Longest context in tokens. */
    context: context.data ?? null,
    capabilities: (capabilities ?? []).slice(0, 20).map((name) => name.slice(0, 30)),
    shape: modelShape(info),
  };
}
