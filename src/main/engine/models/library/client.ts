import type { Ollama } from 'ollama';
import { z } from 'zod';
import { hasHiddenLists } from '../../../../core/fit/modelShape.ts';
import type { InstalledModel, LoadedModel } from '../../../../shared/api/models.ts';
import { AssizeError } from '../../../../shared/errors.ts';
import { BackendOutage, CallFailure } from '../../../../shared/model.ts';
import { parseAnswerLine, strayLine } from '../answerLines.ts';
import type { NetworkDispatcher } from '../dispatcher.ts';
import { modelServer, ProbeOutage } from '../modelServer.ts';
import { askOllama, checkedParts, ollamaClient, ollamaKind, ollamaModel, unloadBy } from '../ollama.ts';
import {
  detailsIn,
  type ListedModel,
  listedModels,
  loadedModels,
  type ModelDetails,
  noDetails,
  showSchema,
  tagsSchema,
} from './listed.ts';
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
