// Speaks Ollama's interface.
import { type ChatRequest, Ollama } from 'ollama';
import { z } from 'zod';
import { isRecord } from '../../../core/answers/fields.ts';
import { AssizeError } from '../../../shared/errors.ts';
import { BackendOutage, type CompletionRequest, type CompletionResult, type DoneReason } from '../../../shared/model.ts';
import { attempt } from '../attempt.ts';
import type { AnswerBody } from './answerBody.ts';
import { type AnswerSoFar, answerLines, answerSoFar, mostBytes, parseAnswerLine, strayLine } from './answerLines.ts';
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
const doneReasons = z.enum(['stop', 'length', 'load', 'unload']).catch('stop');
// A figure that the record would refuse must not cost the answer.
const tokenCount = z.int().min(0).catch(0);
const nanoseconds = z.number().min(0).catch(0);

const embedBody = z.object({
  embeddings: z.unknown().optional(),
  prompt_eval_count: tokenCount,
  total_duration: nanoseconds,
  load_duration: nanoseconds,
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

export const ollamaKind: ServerKind = {
  called: 'an Ollama server',
  headers: () => ({}),
  // Not every server in between speaks JSON; its plain text has to do.
  errorText: (body) => attempt(() => errorBody.parse(JSON.parse(body)).error, null),
  missing: (model) =>
    new AssizeError('missing-model', `the server does not have model ${model}; get it with: ollama pull ${model}`, 'cast'),
  accessAdvice:
    '; Assize sends no key to a server of kind "ollama": where one is needed, use kind "openai" and name its apiKeyVariable',
  withoutSecrets: (text) => text,
};

/** What the package's client uses, of which HEAD is not asked of it here. */
const methods = ['GET', 'POST', 'DELETE'] as const;

/** The package's client, through the dispatcher, ending with the signal. @param body the answer as the package reads it */
export const ollamaClient = (
  { base, send }: ModelServer,
  signal: AbortSignal,
  body: (answer: AnswerBody) => ReadableStream<Uint8Array> | Promise<string>,
): Ollama =>
  new Ollama({
    host: base,
    async fetch(input, init) {
      const target = input instanceof Request ? input.url : String(input);
      const method = methods.find((known) => known === init?.method) ?? 'GET';
      const sent = { method, ...(typeof init?.body === 'string' ? { body: init.body } : {}) };
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

/** A server speaking Ollama's native API. @param isStill false where another server has that address by now */
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
      if (!isStill()) body.destroy();
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
      // Not every server that speaks the API states its version.
      await list(signal);
      return { version: 'unknown', standin: false };
    }
  };

  const call = <T>(request: { readonly model: string }, signal: AbortSignal, answer: (asking: Asking) => Promise<T>) =>
    server.call(request, signal, answer, () => version(signal));

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
    // Without the package: what it does for each line is done here, where a line is looked at.
    complete: (request, signal, onText) =>
      call(request, signal, async (asking) => {
        const sent = { method: 'POST', body: JSON.stringify(chatRequest(request)) } as const;
        const body = await server.send(`${base}/api/chat`, sent, asking.signal);
        asking.begin();
        const parts = checkedParts(body, mostBytes(request.options.numPredict), asking.touch, chatPart);
        return collect(parts, answerSoFar(request, onText));
      }),
    embed: ({ model, texts, numCtx }, signal) =>
      call({ model }, signal, async (asking) => {
        const client = ollamaClient(server, asking.signal, (answer) => {
          asking.begin();
          return ReadableStream.from<Uint8Array>(answer);
        });
        const options = numCtx === undefined ? {} : { options: { num_ctx: numCtx } };
        // An over-long text must be refused, never cut in silence.
        const wanted = { model, input: [...texts], truncate: false, keep_alive: keepAlive, ...options };
        const { embeddings, prompt_eval_count, total_duration, load_duration, standin } = embedBody.parse(
          await client.embed(wanted),
        );
        return {
          vectors: checkedVectors(embeddings, texts.length),
          promptTokens: prompt_eval_count,
          modelMs: total_duration / nanosecondsPerMillisecond,
          loadMs: load_duration / nanosecondsPerMillisecond,
          standin,
        };
      }),
  };
}

/** A part of the time of a call, where the server reports it. */
function partOf<Name extends string>(name: Name, value: unknown): Partial<Record<Name, number>> {
  const time = nanoseconds.parse(value) / nanosecondsPerMillisecond;
  return time === 0 ? {} : ({ [name]: time } as Record<Name, number>);
}

async function collect(parts: AsyncIterable<readonly ChatPart[]>, answer: AnswerSoFar): Promise<CompletionResult> {
  let pieces = 0;
  const result = (doneReason: DoneReason, last: ChatPart, completionTokens: unknown): CompletionResult => ({
    ...answer.words(),
    doneReason,
    promptTokens: tokenCount.parse(last.prompt_eval_count),
    completionTokens: tokenCount.parse(completionTokens),
    modelMs: nanoseconds.parse(last.total_duration) / nanosecondsPerMillisecond,
    loadMs: nanoseconds.parse(last.load_duration) / nanosecondsPerMillisecond,
    ...partOf('promptMs', last.prompt_eval_duration),
    ...partOf('completionMs', last.eval_duration),
    standin: last.standin === true,
  });
  for await (const together of parts) {
    for (const part of together) {
      const loops = answer.add(part.message?.content ?? '', part.message?.thinking ?? '', part.logprobs);
      pieces += 1;
      if (part.done) return result(doneReasons.parse(part.done_reason), part, part.eval_count);
      // The end of the call closes the connection, and with it the server stops writing.
      if (loops) return result('loop', part, pieces);
    }
  }
  throw new CutStream();
}

/** What is used of a line of an answer. Figures are checked where they are used: an invalid one must not cost the answer. */
interface ChatPart {
  readonly done: boolean;
  readonly message?: { readonly content?: string | null; readonly thinking?: string | null } | null;
  readonly logprobs?: unknown;
  readonly standin?: unknown;
  readonly done_reason?: unknown;
  readonly prompt_eval_count?: unknown;
  readonly eval_count?: unknown;
  readonly total_duration?: unknown;
  readonly load_duration?: unknown;
  readonly prompt_eval_duration?: unknown;
  readonly eval_duration?: unknown;
}

const isTextOrNone = (value: unknown): boolean => value === undefined || value === null || typeof value === 'string';

/** Whether a line has what each must have. The last may come without text. Without zod: an answer has a line for each token. */
function isChatPart(value: unknown): value is ChatPart {
  if (!isRecord(value) || typeof value.done !== 'boolean') return false;
  const { done, message } = value;
  if (done && (message === undefined || message === null)) return true;
  if (!isRecord(message) || !isTextOrNone(message.thinking)) return false;
  return done ? isTextOrNone(message.content) : typeof message.content === 'string';
}

/** A line of an answer. Throws `CallFailure` where it is no part of one. */
function chatPart(line: string): { part: ChatPart; isLast: boolean } {
  const part = parseAnswerLine(line);
  if (!isChatPart(part)) throw strayLine('part of a chat', line);
  return { part, isLast: part.done };
}

/**
 * The parts of a streamed answer, those that come together at a time, as soon as their lines are whole and known to be good,
 * up to the one that says it is the last. Throws `CallFailure` at a line that is no part of an answer or that carries an error, which a server can send
 * only so once HTTP 200 is out.
 * @param most bytes that the answer may have
 * @param read throws `CallFailure` where a line is no part of the answer
 * @param touch called at the first line that is part of an answer, and from then on for every chunk; before it
 *   a server may be reading a long prompt, even if it has sent something
 */
export async function* checkedParts<Part>(
  source: AnswerBody,
  most: number,
  touch: () => void,
  read: (line: string) => { readonly part: Part; readonly isLast: boolean },
): AsyncGenerator<readonly Part[]> {
  let begun = false;
  const lines = answerLines(source, most, () => {
    if (begun) touch();
  });
  for await (const together of lines.read()) {
    const parts: Part[] = [];
    let ended = false;
    try {
      for (const line of together) {
        if (ended || line.trim() === '') continue;
        const { part, isLast } = read(line);
        if (!begun) touch();
        begun = true;
        parts.push(part);
        ended = isLast;
      }
    } catch (error) {
      // What came before it counts.
      yield parts;
      throw error;
    }
    if (ended) await lines.finish();
    yield parts;
    if (ended) return;
  }
}

export interface MovingServer {
  /** Where it was when it was first asked. */
  readonly url: string;
  /** Where it is now; null while it is nowhere. */
  readonly now: () => string | null;
}

/** As `ollamaModel`, for a server that moves: each model asks one address, which the record names; `present` gives the newest. */
export function movingOllama(
  dispatcher: NetworkDispatcher,
  limits: Omit<ServerOptions, 'url'>,
  { url, now }: MovingServer,
): LanguageModel {
  const present = (): LanguageModel => {
    const place = now();
    if (place === null) throw new BackendOutage('Ollama has ended and is not back yet');
    if (place !== current.url) current = at(place);
    return current;
  };
  const at = (place: string): LanguageModel => ({
    ...ollamaModel(dispatcher, { ...limits, url: place }, () => now() === place),
    present,
  });
  let current = at(url);
  return current;
}

/** The server of a model where it is now. Throws `BackendOutage` while it is nowhere. */
export const presentModel = (model: LanguageModel): LanguageModel => model.present?.() ?? model;
