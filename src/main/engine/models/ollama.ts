import { type ChatRequest, type ChatResponse, Ollama } from 'ollama';
import { z } from 'zod';
import { AssizeError } from '../../../shared/errors.ts';
import {
  BackendOutage,
  type CompletionRequest,
  type CompletionResult,
  type DoneReason,
  type TokenReport,
} from '../../../shared/model.ts';
import { mostBytes } from './answerLines.ts';
import type { NetworkDispatcher } from './dispatcher.ts';
import { type Asking, CutStream, modelServer, ProbeOutage, type ServerKind, type ServerOptions } from './modelServer.ts';
import { checkedLines } from './ndjson.ts';
import type { LanguageModel } from './port.ts';
import { tokenReportsIn } from './tokenReports.ts';
import { checkedVectors } from './vectors.ts';

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

const embedBody = z.object({
  embeddings: z.unknown(),
  prompt_eval_count: tokenCount,
  total_duration: nanoseconds,
  standin: z.boolean().default(false),
});

const nanosecondsPerMillisecond = 1e6;
/** Long enough that no pause inside a run unloads a model, short enough that a killed run does not keep it for ever. */
const keepAlive = '30m';

/** Ollama refuses these at top level where an older client does not know them. */
interface StrictChatRequest extends ChatRequest {
  truncate: false;
  shift: false;
  stream: true;
}

type StreamPart = Omit<ChatResponse, 'message'> & {
  message?: { content?: string | null; thinking?: string | null } | null;
  standin?: boolean;
  logprobs?: unknown;
};

function chatRequest({ model, messages, schema, options }: CompletionRequest): StrictChatRequest {
  const { temperature, seed, numCtx, numPredict, topP, topK, minP, repeatPenalty, topLogprobs } = options;
  const sampling = { top_p: topP, top_k: topK, min_p: minP, repeat_penalty: repeatPenalty };
  const given = Object.fromEntries(Object.entries(sampling).filter(([, value]) => value !== undefined));
  return {
    model,
    messages: messages.map((message) => ({ ...message })),
    format: { ...schema },
    think: false,
    stream: true,
    keep_alive: keepAlive,
    ...(topLogprobs === undefined ? {} : { logprobs: true, top_logprobs: topLogprobs }),
    // An over-long prompt must be refused, never cut in silence.
    truncate: false,
    shift: false,
    options: { temperature, seed, num_ctx: numCtx, num_predict: numPredict, ...given },
  };
}

/** What Ollama has of its own. */
export const ollamaKind: ServerKind = {
  called: 'an Ollama server',
  headers: () => ({}),
  errorText(body) {
    try {
      return errorBody.parse(JSON.parse(body)).error;
    } catch {
      // Not every server in between speaks JSON; its plain text has to do.
      return null;
    }
  },
  missing: (model) =>
    new AssizeError('missing-model', `the server does not have model ${model}; get it with: ollama pull ${model}`, {
      field: 'cast',
    }),
  accessAdvice: '',
  withoutSecrets: (text) => text,
};

/**
 * A server speaking Ollama's native API.
 * @param isStill false where the server has left that address since: whoever answers there now is another one
 */
export function ollamaModel(dispatcher: NetworkDispatcher, options: ServerOptions, isStill = () => true): LanguageModel {
  const server = modelServer(dispatcher, options, ollamaKind);
  const { base } = server;

  const version: LanguageModel['version'] = async (signal) => {
    try {
      const body = await server.get(`${base}/api/version`, versionBody, signal);
      return { version: body.version, standin: body.standin ?? false, ...(body.any_model === true ? { anyModel: true } : {}) };
    } catch (error) {
      if (!(error instanceof ProbeOutage) || error.status !== 404) throw error;
      // Not every server that speaks the API tells its version.
      await server.get(`${base}/api/tags`, tagsBody, signal);
      return { version: 'unknown', standin: false };
    }
  };

  const alive = async (signal: AbortSignal): Promise<void> => {
    await version(signal);
    if (!isStill()) throw new BackendOutage(`${base} is no longer the server that was asked`);
  };

  /** A client whose requests end with the call and whose failures are typed before the package sees them. */
  const clientFor = ({ signal, begin, touch }: Asking, numPredict: number) =>
    new Ollama({
      host: base,
      fetch: async (input, init) => {
        const target = input instanceof Request ? input.url : String(input);
        const answer = await server.post(target, typeof init?.body === 'string' ? init.body : '', signal);
        begin();
        return new Response(ReadableStream.from(checkedLines(answer, mostBytes(numPredict), touch)));
      },
    });

  /** A client for an answer that comes in one piece. */
  const plainClient = ({ signal, begin }: Asking) =>
    new Ollama({
      host: base,
      fetch: async (input, init) => {
        const target = input instanceof Request ? input.url : String(input);
        const answer = await server.post(target, typeof init?.body === 'string' ? init.body : '', signal);
        begin();
        return new Response(answer);
      },
    });

  return {
    kind: 'ollama',
    url: base,
    version,
    async models(signal) {
      const { models } = await server.get(`${base}/api/tags`, tagsBody, signal);
      return (models ?? []).map(({ name, digest, remote_host, remote_model }) => ({
        name,
        digest: digest ?? null,
        remote: Boolean(remote_host) || Boolean(remote_model),
      }));
    },
    unload: (model, signal) =>
      server.tell(
        `${base}/api/chat`,
        JSON.stringify({ model, messages: [], keep_alive: 0, stream: false }),
        signal,
        `${model} cannot be unloaded`,
      ),
    complete: (request, signal, onText) =>
      server.call(
        request,
        signal,
        async (asking) => collect(await clientFor(asking, request.options.numPredict).chat(chatRequest(request)), onText),
        () => alive(signal),
      ),
    embed: ({ model, texts, numCtx }, signal) =>
      server.call(
        { model },
        signal,
        async (asking) => {
          const options = numCtx === undefined ? {} : { options: { num_ctx: numCtx } };
          // An over-long text must be refused, never cut in silence.
          const wanted = { model, input: [...texts], truncate: false, keep_alive: keepAlive, ...options };
          const { embeddings, prompt_eval_count, total_duration, standin } = embedBody.parse(
            await plainClient(asking).embed(wanted),
          );
          return {
            vectors: checkedVectors(embeddings, texts.length),
            promptTokens: prompt_eval_count,
            modelMs: total_duration / nanosecondsPerMillisecond,
            standin,
          };
        },
        () => alive(signal),
      ),
  };
}

async function collect(stream: AsyncIterable<StreamPart>, onText?: (soFar: string) => void): Promise<CompletionResult> {
  let text = '';
  let thinking = '';
  const logprobs: TokenReport[] = [];
  try {
    for await (const part of stream) {
      text += part.message?.content ?? '';
      thinking += part.message?.thinking ?? '';
      logprobs.push(...tokenReportsIn(part.logprobs));
      if (part.message?.content) onText?.(text);
      if (!part.done) continue;
      const doneReason: DoneReason = doneReasons.catch('stop').parse(part.done_reason);
      return {
        text,
        ...(logprobs.length === 0 ? {} : { logprobs }),
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
