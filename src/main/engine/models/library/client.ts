import type { z } from 'zod';
import { hasHiddenLists } from '../../../../core/fit/modelShape.ts';
import type { LoadedModel } from '../../../../shared/api/models.ts';
import { AssizeError } from '../../../../shared/errors.ts';
import { BackendOutage, CallFailure } from '../../../../shared/model.ts';
import { answerLines, parseAnswerLine, strayLine } from '../answerLines.ts';
import { boundedText } from '../boundedText.ts';
import { assizeCause, type NetworkDispatcher, reasonOf } from '../dispatcher.ts';
import { HttpFailure, modelServer, ProbeOutage } from '../modelServer.ts';
import { ollamaKind, ollamaModel } from '../ollama.ts';
import { detailsIn, type ModelDetails, showSchema } from './details.ts';
import { type ListedModel, listedModels, loadedModels, tagsSchema } from './listed.ts';
import { CutPull, type PullLine, pullLineSchema } from './pullLines.ts';

/** Longest time for an answer that is not streamed, in milliseconds. */
const patienceMs = 20_000;
/** Deleting a large model can take the disk a while. */
const deletePatienceMs = 120_000;
/** Bytes of a description; one with all its lists, a vocabulary among them, has tens of millions. */
const mostShown = 96 * 2 ** 20;
/** Bytes of the lines of one pull: about twenty a second, for days. */
const mostPulled = 4 * 2 ** 30;

/** The models of one Ollama server: what there is, what is in memory, fetching and deleting. */
export interface OllamaLibrary {
  readonly url: string;
  /** Throws `BackendOutage`, no-backend, bad-input where the address is not allowed, interrupted; so do all others. */
  version(signal?: AbortSignal): Promise<{ standin: boolean }>;
  installed(signal?: AbortSignal): Promise<ListedModel[]>;
  /** Throws missing-model too. */
  details(model: string, signal: AbortSignal): Promise<ModelDetails>;
  loaded(signal?: AbortSignal): Promise<LoadedModel[]>;
  /**
   * Fetches a model; resolves when the server says `success`. Throws what went wrong as it came (`HttpFailure`,
   * `CallFailure`, errors of the connection), and `CutPull` where the stream ends early. To call it off closes the
   * connection, which stops the server.
   */
  pull(model: string, onLine: (line: PullLine) => void, signal: AbortSignal): Promise<void>;
  /** Throws missing-model too. */
  delete(model: string, signal: AbortSignal): Promise<void>;
  /** Frees the memory that a model takes. */
  unload(model: string, signal: AbortSignal): Promise<void>;
}

const notThere = (model: string) =>
  new AssizeError('missing-model', `the server does not have model ${model}; read the list again`, { field: 'model' });

/** Null where the text is no JSON of that shape. */
function jsonOf<T>(text: string, schema: z.ZodType<T>): T | null {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

export function ollamaLibrary(dispatcher: NetworkDispatcher, { url }: { readonly url: string }): OllamaLibrary {
  const times = { url, timeoutMs: patienceMs, idleMs: patienceMs };
  const server = modelServer(dispatcher, times, ollamaKind);
  const model = ollamaModel(dispatcher, times);
  const { base } = server;

  /** Throws as `details` does. */
  const ask = async <T>(
    model: string,
    signal: AbortSignal,
    limitMs: number,
    action: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    const limit = AbortSignal.timeout(limitMs);
    try {
      return await action(AbortSignal.any([signal, limit]));
    } catch (error) {
      if (signal.aborted) throw new AssizeError('interrupted', 'interrupted');
      const own = assizeCause(error);
      if (own !== undefined) throw own;
      if (!(error instanceof HttpFailure)) {
        const reason = limit.aborted ? `none within ${limitMs / 1000} s` : reasonOf(error);
        throw new BackendOutage(`no answer from ${base}: ${reason}`);
      }
      // `/api/show` says so with another status than the rest.
      if (error.status === 404 || (error.status === 400 && /not found/i.test(error.message))) throw notThere(model);
      throw new AssizeError('no-backend', `${base}: HTTP ${error.status}: ${error.message.slice(0, 300)}`, { field: 'model' });
    }
  };

  const show = async (name: string, verbose: boolean, signal: AbortSignal): Promise<z.infer<typeof showSchema>> => {
    const { text, whole } = await ask(name, signal, patienceMs, async (limited) =>
      boundedText(await server.post(`${base}/api/show`, JSON.stringify({ model: name, verbose }), limited), mostShown),
    );
    const described = whole ? jsonOf(text, showSchema) : null;
    if (described !== null) return described;
    throw new AssizeError('no-backend', `${base}: what the server tells of ${name} cannot be read`, { field: 'model' });
  };

  return {
    url: base,
    version: (signal) => model.version(signal),
    installed: async (signal) => listedModels(await server.get(`${base}/api/tags`, tagsSchema, signal)),
    async details(name, signal) {
      const short = await show(name, false, signal);
      const whole = hasHiddenLists(short.model_info ?? {}) ? await show(name, true, signal) : short;
      return detailsIn(whole);
    },
    async loaded(signal) {
      try {
        return loadedModels(await server.get(`${base}/api/ps`, tagsSchema, signal), Date.now());
      } catch (error) {
        // Not every server that speaks the API tells what it has in memory.
        if (error instanceof ProbeOutage && error.status === 404) return [];
        throw error;
      }
    },
    async pull(name, onLine, signal) {
      const body = await server.post(`${base}/api/pull`, JSON.stringify({ model: name, stream: true }), signal);
      const lines = answerLines(body, mostPulled);
      try {
        for await (const line of lines.read()) {
          if (line.trim() === '') continue;
          const parsed = pullLineSchema.safeParse(parseAnswerLine(line));
          if (!parsed.success) throw strayLine('part of a pull', line.slice(0, 300));
          onLine(parsed.data);
          if (parsed.data.status === 'success') return await lines.finish();
        }
      } catch (error) {
        // A connection that breaks under an answer cuts it, whoever did it.
        throw error instanceof CallFailure ? error : new CutPull();
      }
      throw new CutPull();
    },
    delete: (name, signal) =>
      ask(name, signal, deletePatienceMs, async (limited) => {
        const body = await server.post(`${base}/api/delete`, JSON.stringify({ model: name }), limited, 'DELETE');
        await body.cancel();
      }),
    unload: (name, signal) =>
      ask(name, signal, patienceMs, async (limited) => {
        const asked = JSON.stringify({ model: name, messages: [], keep_alive: 0, stream: false });
        const body = await server.post(`${base}/api/chat`, asked, limited);
        await body.cancel();
      }),
  };
}
