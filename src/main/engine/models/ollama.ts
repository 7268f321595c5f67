// Speaks Ollama's interface.
import { type ChatRequest, type ChatResponse, Ollama } from 'ollama';
import { z } from 'zod';
import { AssizeError } from '../../../shared/errors.ts';
import { BackendOutage, type CompletionRequest, type CompletionResult, type DoneReason } from '../../../shared/model.ts';
import { answerLines, mostBytes, parseAnswerLine, strayLine } from './answerLines.ts';
import { type AnswerSoFar, answerSoFar } from './answerSoFar.ts';
import { attempt } from './attempt.ts';
import type { NetworkDispatcher } from './dispatcher.ts';
import {
  type Asking,
  CutStream,
  checkedVectors,
  type ModelServer,
  modelServer,
  ProbeOutage,
  type ServerKind,
  type ServerOptions,
  wholeText,
} from './modelServer.ts';
import type { LanguageModel } from './port.ts';

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
  embeddings: z.unknown().optional(),
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
  // Not every server in between speaks JSON; its plain text has to do.
  errorText: (body) => attempt(() => errorBody.parse(JSON.parse(body)).error, null),
  missing: (model) =>
    new AssizeError('missing-model', `the server does not have model ${model}; get it with: ollama pull ${model}`, {
      field: 'cast',
    }),
  accessAdvice: '',
  withoutSecrets: (text) => text,
};

/**
 * The package's client for a server, whose requests go out through the dispatcher and end with the signal.
 * @param body the answer as the package reads it
 */
export const ollamaClient = (
  { base, send }: ModelServer,
  signal: AbortSignal,
  body: (answer: ReadableStream<Uint8Array>) => ReadableStream<Uint8Array> | Promise<string>,
): Ollama =>
  new Ollama({
    host: base,
    async fetch(input, init) {
      const target = input instanceof Request ? input.url : String(input);
      const sent = { method: init?.method ?? 'GET', ...(typeof init?.body === 'string' ? { body: init.body } : {}) };
      return new Response(await body(await send(target, sent, signal)));
    },
  });

/** One question by the package, its answer parsed. Throws as `ModelServer.probe`. @param most bytes of the answer */
export const askOllama = <T>(
  server: ModelServer,
  path: string,
  ask: (client: Ollama) => Promise<unknown>,
  schema: z.ZodType<T>,
  signal: AbortSignal | undefined,
  { limitMs, most }: { readonly limitMs?: number; readonly most?: number } = {},
): Promise<T> =>
  server.probe(
    `${server.base}${path}`,
    async (limit) => schema.parse(await ask(ollamaClient(server, limit, (answer) => wholeText(answer, most)))),
    signal,
    limitMs,
  );

/** Frees the model's memory: Ollama's word for it is a chat without a message. */
export const unloadBy = (client: Ollama, model: string): Promise<unknown> =>
  client.chat({ model, messages: [], keep_alive: 0, stream: false });

/**
 * A server speaking Ollama's native API.
 * @param isStill false where the server has left that address since: whoever answers there now is another one
 */
export function ollamaModel(dispatcher: NetworkDispatcher, options: ServerOptions, isStill = () => true): LanguageModel {
  const reached = modelServer(dispatcher, options, ollamaKind);
  const { base } = reached;
  const checkPlace = () => {
    if (!isStill()) throw new BackendOutage(`${base} is no longer the server that was asked`);
  };
  const server: ModelServer = {
    ...reached,
    async send(...request) {
      checkPlace();
      const body = await reached.send(...request);
      if (!isStill()) await body.cancel();
      checkPlace();
      return body;
    },
  };

  const list = (signal?: AbortSignal) => askOllama(server, '/api/tags', (client) => client.list(), tagsBody, signal);

  const version: LanguageModel['version'] = async (signal) => {
    try {
      const body = await askOllama(server, '/api/version', (client) => client.version(), versionBody, signal);
      return { version: body.version, standin: body.standin ?? false, ...(body.any_model === true ? { anyModel: true } : {}) };
    } catch (error) {
      if (!(error instanceof ProbeOutage) || error.answer?.status !== 404) throw error;
      // Not every server that speaks the API tells its version.
      await list(signal);
      return { version: 'unknown', standin: false };
    }
  };

  /** One call, by a client whose requests end with it. @param body the answer as the package reads it */
  const call = <T>(
    request: { readonly model: string },
    signal: AbortSignal,
    ask: (client: Ollama) => Promise<T>,
    body: (answer: ReadableStream<Uint8Array>, touch: () => void) => ReadableStream<Uint8Array> = (answer) => answer,
  ): Promise<T> => {
    const answer = (asking: Asking) =>
      ask(
        ollamaClient(server, asking.signal, (bytes) => {
          asking.begin();
          return body(bytes, asking.touch);
        }),
      );
    return server.call(request, signal, answer, () => version(signal));
  };

  return {
    kind: 'ollama',
    url: base,
    version,
    async models(signal) {
      const { models } = await list(signal);
      return (models ?? []).map(({ name, digest, remote_host, remote_model }) => ({
        name,
        digest: digest ?? null,
        remote: Boolean(remote_host) || Boolean(remote_model),
      }));
    },
    async unload(model, signal) {
      try {
        await askOllama(server, '/api/chat', (client) => unloadBy(client, model), z.unknown(), signal);
      } catch (error) {
        // What the server does not have is not in its memory either.
        if (!(error instanceof ProbeOutage)) throw error;
        if (error.answer === null) throw new BackendOutage(`${model} cannot be unloaded: ${error.message}`);
      }
    },
    complete: (request, signal, onText) =>
      call(
        request,
        signal,
        async (client) => collect(await client.chat(chatRequest(request)), answerSoFar(request, onText)),
        // Failures are typed before the package sees them.
        (answer, touch) => ReadableStream.from(checkedLines(answer, mostBytes(request.options.numPredict), touch)),
      ),
    embed: ({ model, texts, numCtx }, signal) =>
      call({ model }, signal, async (client) => {
        const options = numCtx === undefined ? {} : { options: { num_ctx: numCtx } };
        // An over-long text must be refused, never cut in silence.
        const wanted = { model, input: [...texts], truncate: false, keep_alive: keepAlive, ...options };
        const { embeddings, prompt_eval_count, total_duration, standin } = embedBody.parse(await client.embed(wanted));
        return {
          vectors: checkedVectors(embeddings, texts.length),
          promptTokens: prompt_eval_count,
          modelMs: total_duration / nanosecondsPerMillisecond,
          standin,
        };
      }),
  };
}

/** A part of the time of a call, where the server tells it. */
function partOf<Name extends string>(name: Name, value: unknown): Partial<Record<Name, number>> {
  const time = nanoseconds.parse(value) / nanosecondsPerMillisecond;
  return time === 0 ? {} : ({ [name]: time } as Record<Name, number>);
}

async function collect(stream: AsyncIterable<StreamPart>, answer: AnswerSoFar): Promise<CompletionResult> {
  let pieces = 0;
  const result = (doneReason: DoneReason, last: Partial<StreamPart>): CompletionResult => ({
    ...answer.words(),
    doneReason,
    promptTokens: tokenCount.parse(last.prompt_eval_count),
    completionTokens: tokenCount.parse(last.eval_count),
    modelMs: nanoseconds.parse(last.total_duration) / nanosecondsPerMillisecond,
    loadMs: nanoseconds.parse(last.load_duration) / nanosecondsPerMillisecond,
    ...partOf('promptMs', last.prompt_eval_duration),
    ...partOf('completionMs', last.eval_duration),
    standin: last.standin === true,
  });
  try {
    for await (const part of stream) {
      const loops = answer.add(part.message?.content ?? '', part.message?.thinking ?? '', part.logprobs);
      pieces += 1;
      if (part.done) return result(doneReasons.catch('stop').parse(part.done_reason), part);
      // The end of the call closes the connection, and with it the server stops writing.
      if (loops) return result('loop', { ...part, eval_count: pieces });
    }
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('Did not receive done')) throw new CutStream();
    throw error;
  }
  throw new CutStream();
}

const thinking = z.string().nullish();
/** What every line of an answer must have; the rest is looked at where it is used. The last may come without text. */
const partSchema = z.discriminatedUnion('done', [
  z.object({ done: z.literal(false), message: z.object({ content: z.string(), thinking }) }),
  z.object({ done: z.literal(true), message: z.object({ content: z.string().nullish(), thinking }).nullish() }),
]);

/** Whether the line is the last one. Throws `CallFailure` where it is no part of an answer. */
function endsChat(line: string): boolean {
  const part = partSchema.safeParse(parseAnswerLine(line));
  if (!part.success) throw strayLine('part of a chat', line);
  return part.data.done;
}

/**
 * Passes the lines of a streamed answer on, each as soon as it is whole and known to be good, up to the one
 * that says it is the last. Throws `CallFailure` at a line that is no part of an answer or that carries an
 * error, which a server can send only so once HTTP 200 is out.
 * @param most bytes that the answer may have
 * @param isLast throws `CallFailure` where a line is no part of the answer
 * @param touch called at the first line that is part of an answer, and from then on for every chunk; before it
 *   a server may be reading a long prompt, whatever it has sent
 */
export async function* checkedLines(
  source: ReadableStream<Uint8Array>,
  most: number,
  touch: () => void,
  isLast: (line: string) => boolean = endsChat,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let begun = false;
  const lines = answerLines(source, most, () => {
    if (begun) touch();
  });
  for await (const line of lines.read()) {
    if (line.trim() === '') continue;
    const last = isLast(line);
    if (!begun) touch();
    begun = true;
    if (last) await lines.finish();
    yield encoder.encode(`${line}\n`);
    if (last) return;
  }
}
