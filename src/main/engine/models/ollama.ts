import { type ChatRequest, type ChatResponse, Ollama } from 'ollama';
import type { Response } from 'undici';
import { z } from 'zod';
import { AssizeError } from '../../../shared/errors.ts';
import {
  BackendOutage,
  CallFailure,
  type CompletionRequest,
  type CompletionResult,
  type DoneReason,
} from '../../../shared/model.ts';
import { startDeadline } from './deadline.ts';
import { assizeCause, type NetworkDispatcher, reasonOf } from './dispatcher.ts';
import { checkedLines } from './ndjson.ts';
import type { LanguageModel } from './port.ts';

export interface OllamaOptions {
  readonly url: string;
  readonly timeoutMs: number;
  readonly idleMs: number;
}

/** An answer with an HTTP status that says failure. */
class HttpFailure extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'HttpFailure';
    this.status = status;
  }
}

/** A question about the server that was not answered. */
class ProbeOutage extends BackendOutage {
  /** HTTP status, where there was one. */
  readonly status: number | null;

  constructor(message: string, status: number | null) {
    super(message);
    this.status = status;
  }
}

const errorBody = z.object({ error: z.string() });
const versionBody = z.object({ version: z.string(), standin: z.boolean().optional(), any_model: z.boolean().optional() });
const tagsBody = z.object({
  models: z
    .array(
      z.object({
        name: z.string(),
        digest: z.string().nullish(),
        remote_host: z.unknown().optional(),
        remote_model: z.unknown().optional(),
      }),
    )
    .nullable(),
});
const doneReasons = z.enum(['stop', 'length', 'load', 'unload']);
// A figure that the record would refuse must not cost the answer.
const tokenCount = z.int().min(0).catch(0);
const nanoseconds = z.number().min(0).catch(0);

const nanosecondsPerMillisecond = 1e6;
const probeMs = 10_000;
/** Long enough that no pause inside a run unloads a model, short enough that a killed run does not keep it for ever. */
const keepAlive = '30m';
const mostErrorText = 300;

/** Ollama refuses these at top level where an older client does not know them. */
interface StrictChatRequest extends ChatRequest {
  truncate: false;
  shift: false;
  stream: true;
}

type StreamPart = Omit<ChatResponse, 'message'> & {
  message?: { content?: string | null; thinking?: string | null } | null;
  standin?: boolean;
};

async function errorText(response: Response): Promise<string> {
  const text = await response.text();
  try {
    const body = errorBody.safeParse(JSON.parse(text));
    if (body.success) return body.data.error;
  } catch {
    // Not every server in between speaks JSON; its plain text has to do.
  }
  return text.trim() || response.statusText;
}

function chatRequest({ model, messages, schema, options }: CompletionRequest): StrictChatRequest {
  const { temperature, seed, numCtx, numPredict, topP, topK, minP, repeatPenalty } = options;
  const sampling = { top_p: topP, top_k: topK, min_p: minP, repeat_penalty: repeatPenalty };
  const given = Object.fromEntries(Object.entries(sampling).filter(([, value]) => value !== undefined));
  return {
    model,
    messages: messages.map((message) => ({ ...message })),
    format: { ...schema },
    think: false,
    stream: true,
    keep_alive: keepAlive,
    // An over-long prompt must be refused, never cut in silence.
    truncate: false,
    shift: false,
    options: { temperature, seed, num_ctx: numCtx, num_predict: numPredict, ...given },
  };
}

const interrupted = () => new AssizeError('interrupted', 'interrupted; run again to go on');

function probeReason(error: unknown): string {
  if (error instanceof z.ZodError || error instanceof SyntaxError) return 'this is not an Ollama server';
  return reasonOf(error);
}

/** Failures that pass. Of an outage only these words are told: the server's own text can repeat a case. */
const passing: ReadonlyMap<number, string> = new Map([
  [429, 'too many requests'],
  [502, 'bad gateway'],
  [503, 'unavailable'],
  [504, 'gateway timeout'],
]);

const accessRefused = (base: string, status: number) =>
  status === 401 || status === 403
    ? new AssizeError('no-backend', `${base}: the server refuses access (HTTP ${status})`, { field: 'backends' })
    : null;

function classifyHttp(failure: HttpFailure, model: string, base: string): Error {
  const { status, message } = failure;
  const refused = accessRefused(base, status);
  if (refused !== null) return refused;
  const text = message.slice(0, mostErrorText);
  if (status === 400 && message.includes('exceed_context_size_error')) return new CallFailure('overflow', text, true);
  if (status === 404) {
    return new AssizeError('missing-model', `the server does not have model ${model}; get it with: ollama pull ${model}`, {
      field: 'cast',
    });
  }
  const word = passing.get(status);
  if (word !== undefined) return new BackendOutage(`HTTP ${status} (${word})`);
  return new CallFailure('backend_error', `HTTP ${status}: ${text}`, status < 500);
}

/** A server speaking Ollama's native API. */
export function ollamaModel(dispatcher: NetworkDispatcher, { url, timeoutMs, idleMs }: OllamaOptions): LanguageModel {
  const base = url.replace(/\/+$/, '');

  const get = async <T>(path: string, schema: z.ZodType<T>, signal: AbortSignal | undefined): Promise<T> => {
    const limit = AbortSignal.timeout(probeMs);
    try {
      const response = await dispatcher.fetch(base + path, {
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      });
      if (!response.ok) {
        await response.body?.cancel();
        throw accessRefused(base, response.status) ?? new HttpFailure(response.status, `HTTP ${response.status}`);
      }
      return schema.parse(await response.json());
    } catch (error) {
      if (signal?.aborted === true) throw interrupted();
      const own = assizeCause(error);
      if (own !== undefined) throw own;
      throw new ProbeOutage(
        `no answer from ${base}${path}: ${limit.aborted ? `none within ${probeMs / 1000} s` : probeReason(error)}`,
        error instanceof HttpFailure ? error.status : null,
      );
    }
  };

  const version: LanguageModel['version'] = async (signal) => {
    try {
      const body = await get('/api/version', versionBody, signal);
      return { version: body.version, standin: body.standin ?? false, ...(body.any_model === true ? { anyModel: true } : {}) };
    } catch (error) {
      if (!(error instanceof ProbeOutage) || error.status !== 404) throw error;
      // Not every server that speaks the API tells its version.
      await get('/api/tags', tagsBody, signal);
      return { version: 'unknown', standin: false };
    }
  };

  /** A client whose requests end with the signal and whose failures are typed before the package sees them. */
  const clientFor = (signal: AbortSignal, begin: () => void, touch: () => void) =>
    new Ollama({
      host: base,
      fetch: async (input, init) => {
        const target = input instanceof Request ? input.url : String(input);
        const body = typeof init?.body === 'string' ? init.body : null;
        const response = await dispatcher.fetch(target, {
          method: init?.method ?? 'GET',
          body,
          signal,
          headers: { 'content-type': 'application/json' },
        });
        if (!response.ok) throw new HttpFailure(response.status, await errorText(response));
        if (response.body === null) throw new HttpFailure(response.status, 'the answer has no body');
        begin();
        return new globalThis.Response(ReadableStream.from(checkedLines(response.body, touch)), { status: response.status });
      },
    });

  const classify = async (
    error: unknown,
    request: CompletionRequest,
    signal: AbortSignal,
    expired: 'total' | 'idle' | null,
  ): Promise<Error> => {
    if (expired === 'total') return new CallFailure('timeout', `no complete answer within ${timeoutMs / 1000} s`, false);
    if (expired === 'idle') return new CallFailure('timeout', `the answer stood still for ${idleMs / 1000} s`, false);
    if (signal.aborted) return interrupted();
    if (error instanceof CallFailure) return error;
    const own = assizeCause(error);
    if (own !== undefined) return own;
    if (error instanceof HttpFailure) return classifyHttp(error, request.model, base);
    return new BackendOutage(`no connection to ${base}: ${reasonOf(error)}`);
  };

  return {
    url: base,
    version,
    async models(signal) {
      const { models } = await get('/api/tags', tagsBody, signal);
      return (models ?? []).map(({ name, digest, remote_host, remote_model }) => ({
        name,
        digest: digest ?? null,
        remote: Boolean(remote_host) || Boolean(remote_model),
      }));
    },
    async unload(model, signal) {
      const body = JSON.stringify({ model, messages: [], keep_alive: 0, stream: false });
      try {
        const response = await dispatcher.fetch(`${base}/api/chat`, {
          method: 'POST',
          body,
          signal: AbortSignal.any([signal, AbortSignal.timeout(probeMs)]),
          headers: { 'content-type': 'application/json' },
        });
        await response.body?.cancel();
      } catch (error) {
        if (signal.aborted) throw interrupted();
        throw new BackendOutage(`${model} cannot be unloaded: ${reasonOf(error)}`);
      }
    },
    async complete(request, signal, onText) {
      const deadline = startDeadline(signal, timeoutMs, idleMs);
      let begun = false;
      try {
        const begin = () => {
          begun = true;
        };
        const client = clientFor(deadline.signal, begin, deadline.touch);
        return await collect(await client.chat(chatRequest(request)), onText);
      } catch (error) {
        const failure = await classify(error, request, signal, deadline.expired());
        // A stream that was cut: by a server that has gone away it is an outage, by a living one a failed answer.
        if (begun && !(error instanceof HttpFailure) && (failure instanceof BackendOutage || failure instanceof CutStream)) {
          await version(signal);
          throw new CallFailure('backend_error', 'the answer ended before it was done', false);
        }
        throw failure;
      } finally {
        deadline.clear();
      }
    },
  };
}

/** The stream ended, without an error, before the server said that it was done. */
class CutStream extends CallFailure {
  constructor() {
    super('backend_error', 'the answer ended before it was done', false);
  }
}

async function collect(stream: AsyncIterable<StreamPart>, onText?: (soFar: string) => void): Promise<CompletionResult> {
  let text = '';
  let thinking = '';
  try {
    for await (const part of stream) {
      text += part.message?.content ?? '';
      thinking += part.message?.thinking ?? '';
      if (part.message?.content) onText?.(text);
      if (!part.done) continue;
      const doneReason: DoneReason = doneReasons.catch('stop').parse(part.done_reason);
      return {
        text,
        thinking: thinking === '' ? null : thinking,
        doneReason,
        promptTokens: tokenCount.parse(part.prompt_eval_count),
        completionTokens: tokenCount.parse(part.eval_count),
        modelMs: nanoseconds.parse(part.total_duration) / nanosecondsPerMillisecond,
        loadMs: nanoseconds.parse(part.load_duration) / nanosecondsPerMillisecond,
        standin: part.standin === true,
      };
    }
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('Did not receive done')) throw new CutStream();
    throw error;
  }
  throw new CutStream();
}
