// Speaks OpenAI's interface, as llama.cpp, vLLM and LM Studio have it.
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import { AssizeError } from '../../../shared/errors.ts';
import { CallFailure, type CompletionRequest, type CompletionResult } from '../../../shared/model.ts';
import { attempt } from '../attempt.ts';
import type { AnswerBody } from './answerBody.ts';
import {
  type AnswerSoFar,
  answerLines,
  answerSoFar,
  ErrorInAnswer,
  mostBytes,
  parseAnswerLine,
  strayLine,
} from './answerLines.ts';
import type { NetworkDispatcher } from './dispatcher.ts';
import {
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

export interface OpenaiOptions extends ServerOptions {
  /** The key that the server wants; null where it wants none. Asked for with every request. Throws bad input. */
  readonly apiKey: () => string | null;
  /** Where the key comes from, in words for somebody whom the server refused. */
  readonly keySource: string;
}

/** `{"error": {message, type}}`, of vLLM also without the outer object. */
const plainError = z.object({ message: z.string(), type: z.string().nullish() });
const errorBody = z.union([
  z.object({ error: plainError }).transform(({ error }) => error),
  z.object({ error: z.string() }).transform(({ error }) => ({ message: error, type: null })),
  plainError,
]);

const modelsBody = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      owned_by: z.string().nullish().catch(null),
      /** vLLM's limit of prompt and answer together. */
      max_model_len: z.int().positive().nullish().catch(null),
    }),
  ),
  standin: z.boolean().optional(),
  any_model: z.boolean().optional(),
});
/** llama.cpp's word about itself; `n_ctx` is that of one slot, which is what a call gets. */
const propsBody = z.object({
  build_info: z.string(),
  total_slots: z.int().positive().optional().catch(undefined),
  default_generation_settings: z.object({ n_ctx: z.int().positive() }).nullish().catch(null),
});
const versionBody = z.object({ version: z.string() });

/** Characters from which on a key can be a secret; shorter ones are put where a program wants some key, and are words. */
const leastSecret = 12;
// A figure that the record would refuse must not cost the answer.
const tokenCount = z.int().min(0).catch(0);
const tokenCountOrNone = z.int().min(0).nullish().catch(null);
const milliseconds = z.number().min(0).catch(0);
const text = z.string().nullish();
const chunkSchema = z.object({
  choices: z.array(
    z.object({
      delta: z.object({ content: text, reasoning_content: text, reasoning: text }).nullish(),
      finish_reason: text,
      logprobs: z.object({ content: z.unknown() }).nullish().catch(null),
    }),
  ),
  usage: z
    .object({
      prompt_tokens: tokenCount,
      completion_tokens: tokenCount,
      /** vLLM has it with `--enable-prompt-tokens-details`. */
      prompt_tokens_details: z.object({ cached_tokens: tokenCountOrNone }).nullish().catch(null),
    })
    .nullish()
    .catch(null),
  /** llama.cpp's own figures; `cache_n`: tokens of the prompt that were not computed again. */
  timings: z.object({ prompt_ms: milliseconds, predicted_ms: milliseconds, cache_n: tokenCountOrNone }).nullish().catch(null),
  standin: z.boolean().optional(),
});

const embeddingsBody = z.object({
  data: z.array(z.object({ embedding: z.unknown(), index: z.int().min(0) })),
  usage: z.object({ prompt_tokens: tokenCount }).nullish().catch(null),
  standin: z.boolean().default(false),
});

function chatRequest({ model, messages, schema, options }: CompletionRequest): string {
  const { temperature, seed, numPredict, topP, topK, minP, repeatPenalty, topLogprobs } = options;
  return JSON.stringify({
    model,
    messages,
    stream: true,
    stream_options: { include_usage: true },
    response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } },
    seed,
    temperature,
    max_tokens: numPredict,
    top_p: topP,
    top_k: topK,
    min_p: minP,
    // The first is llama.cpp's and LM Studio's word, the second vLLM's; each skips the other's.
    repeat_penalty: repeatPenalty,
    repetition_penalty: repeatPenalty,
    ...(topLogprobs === undefined ? {} : { logprobs: true, top_logprobs: topLogprobs }),
    // What `think: false` is to Ollama: an answer bound by a schema has no room for thoughts.
    chat_template_kwargs: { enable_thinking: false },
  });
}

async function collect(body: AnswerBody, most: number, touch: () => void, answer: AnswerSoFar): Promise<CompletionResult> {
  const result = { promptTokens: 0, completionTokens: 0, modelMs: 0, standin: false };
  let finished: string | null = null;
  let pieces = 0;
  let looped = false;
  let cachedTokens: number | undefined;
  const lines = answerLines(body, most);
  let begun = false;
  for await (const data of eventData(lines.read())) {
    if (data === '[DONE]') {
      await lines.finish();
      break;
    }
    const chunk = chunkSchema.safeParse(parseAnswerLine(data));
    if (!chunk.success) throw strayLine('part of a chat', data);
    const { choices, usage, timings, standin } = chunk.data;
    const [choice] = choices;
    const content = choice?.delta?.content ?? '';
    const thought = choice?.delta?.reasoning_content ?? choice?.delta?.reasoning ?? '';
    const loops = answer.add(content, thought, choice?.logprobs?.content);
    // Some servers name the speaker before they have read the prompt: the answer begins with its first text.
    begun ||= content !== '' || thought !== '';
    if (begun) touch();
    finished = choice?.finish_reason ?? finished;
    if (usage) Object.assign(result, { promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens });
    if (timings) {
      const { prompt_ms: promptMs, predicted_ms: completionMs } = timings;
      Object.assign(result, { modelMs: promptMs + completionMs, promptMs, completionMs });
    }
    cachedTokens = timings?.cache_n ?? usage?.prompt_tokens_details?.cached_tokens ?? cachedTokens;
    result.standin ||= standin === true;
    if (content !== '' || thought !== '') pieces += 1;
    looped = finished === null && loops;
    // The end of the call closes the connection, and with it the server stops writing.
    if (looped) break;
  }
  if (looped) result.completionTokens ||= pieces;
  else if (finished === null) throw new CutStream();
  else if (finished !== 'stop' && finished !== 'length') {
    throw new CallFailure('backend_error', `the server ended the answer with ${JSON.stringify(finished)}`, false);
  }
  return {
    ...result,
    // More than the whole prompt cannot have been kept: such a server counts something else.
    ...(cachedTokens === undefined || cachedTokens > result.promptTokens ? {} : { cachedTokens }),
    ...answer.words(),
    doneReason: looped ? 'loop' : finished === 'length' ? 'length' : 'stop',
    loadMs: 0,
  };
}

const serverKind = ({ apiKey, keySource }: OpenaiOptions): ServerKind => ({
  called: 'an OpenAI-compatible server, whose address ends in /v1 as a rule',
  headers(): Record<string, string> {
    const key = apiKey();
    return key === null ? {} : { authorization: `Bearer ${key}` };
  },
  // Not every server in between speaks JSON; its plain text has to do.
  errorText: (body) =>
    attempt(() => {
      const { message, type } = errorBody.parse(JSON.parse(body));
      return type ? `${message} (${type})` : message;
    }, null),
  missing: (model) =>
    new AssizeError('missing-model', `the server does not have model ${model}; name one that its list of models has`, 'cast'),
  accessAdvice: `; ${keySource}`,
  withoutSecrets(words) {
    const key = apiKey();
    return key === null ? words : withoutSecret(words, key);
  },
});

/** What the server says about itself. Throws as `ModelServer.probe`. */
const get = <T>(server: ModelServer, url: string, schema: z.ZodType<T>, signal: AbortSignal | undefined): Promise<T> =>
  server.probe(url, async (limit) => schema.parse(JSON.parse(await wholeText(await server.send(url, {}, limit)))), signal);

/** What a server may say beyond the interface, or null: no such question may stop a run. */
async function extra<T>(server: ModelServer, url: string, schema: z.ZodType<T>, signal: AbortSignal | undefined) {
  try {
    return await get(server, url, schema, signal);
  } catch (error) {
    if (error instanceof ProbeOutage || (error instanceof AssizeError && error.code === 'no-backend')) return null;
    throw error;
  }
}

/** A server speaking OpenAI's chat completions; `url` is the address before `/chat/completions`. */
export function openaiModel(dispatcher: NetworkDispatcher, options: OpenaiOptions): LanguageModel {
  const kind = serverKind(options);
  const server = modelServer(dispatcher, options, kind);
  /** What the record keeps of the server's own words. They are not searched for `EMPTY` or `test`, which is no secret. */
  const kept = (words: string): string => ((options.apiKey()?.length ?? 0) < leastSecret ? words : kind.withoutSecrets(words));
  const { base } = server;
  const root = base.replace(/\/v1$/, '');

  const version: LanguageModel['version'] = async (signal) => {
    const { data, standin = false, any_model } = await get(server, `${base}/models`, modelsBody, signal);
    const anyModel = any_model === true ? { anyModel: true } : {};
    const props = await extra(server, `${root}/props`, propsBody, signal);
    if (props !== null) {
      const slots = props.total_slots === undefined ? {} : { slots: props.total_slots };
      return { version: `llama.cpp ${kept(props.build_info)}`, standin, ...anyModel, ...slots };
    }
    const words = await extra(server, `${root}/version`, versionBody, signal);
    const name = data.some(({ owned_by }) => owned_by === 'vllm') ? 'vLLM ' : '';
    return { version: words === null ? 'unknown' : `${name}${kept(words.version)}`, standin, ...anyModel };
  };

  return {
    kind: 'openai',
    url: base,
    version,
    async models(signal) {
      const { data } = await get(server, `${base}/models`, modelsBody, signal);
      const props = await extra(server, `${root}/props`, propsBody, signal);
      return data.map(({ id, max_model_len }) => ({
        name: kept(id),
        digest: null,
        remote: false,
        contextLength: max_model_len ?? props?.default_generation_settings?.n_ctx,
      }));
    },
    embed: ({ model, texts }, signal) =>
      server.call(
        { model },
        signal,
        async ({ signal: limit, begin }) => {
          const wanted = { model, input: texts, encoding_format: 'float' };
          const body = await server.send(`${base}/embeddings`, { method: 'POST', body: JSON.stringify(wanted) }, limit);
          begin();
          const { data, usage, standin } = embeddingsBody.parse(await json(body));
          const inOrder = data.toSorted((a, b) => a.index - b.index).map(({ embedding }) => embedding);
          const vectors = checkedVectors(inOrder, texts.length);
          return { vectors, promptTokens: usage?.prompt_tokens ?? 0, modelMs: 0, standin };
        },
        () => version(signal),
      ),
    complete: (request, signal, onText) =>
      server.call(
        request,
        signal,
        async ({ signal: limit, begin, touch }) => {
          const body = await server.send(`${base}/chat/completions`, { method: 'POST', body: chatRequest(request) }, limit);
          begin();
          const result = await collect(body, mostBytes(request.options.numPredict), touch, answerSoFar(request, onText));
          return { ...result, text: kept(result.text), thinking: result.thinking === null ? null : kept(result.thinking) };
        },
        () => get(server, `${base}/models`, modelsBody, signal),
      ),
  };
}

/** Fields of the standard. A server that sends another one has not understood it, or is another kind of server. */
const idle: ReadonlySet<string> = new Set(['event', 'id', 'retry']);

/**
 * The data of each server-sent event, after the HTML standard, section 9.2.6, with these deviations: lines end
 * with LF or CRLF, never with CR only; an unknown field is refused, where the standard would skip it, since
 * a page that was sent in place of an answer would else look like an empty one; a field `error`, with which some
 * versions of llama.cpp break an answer off, is the error that it says. As in the standard, an event that the
 * stream's end cuts short is none. Throws `CallFailure`.
 */
export async function* eventData(lines: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  let data: string[] = [];
  for await (const together of lines) {
    for (const line of together) {
      if (line === '') {
        if (data.length > 0) yield data.join('\n');
        data = [];
        continue;
      }
      const colon = line.indexOf(':');
      if (colon === 0) continue;
      const field = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
      if (field === 'data') data.push(value);
      else if (field === 'error') throw new ErrorInAnswer(value);
      else if (!idle.has(field)) throw strayLine('a server-sent event', line);
    }
  }
}

/** Deeper than any JSON text inside a JSON text of a server; the bound keeps the search linear. */
const mostBackslashes = 64;

/** How a piece of a secret can stand in a text: as it is, or escaped as JSON does it, once or more. */
function spellings(piece: string): string {
  if (piece.startsWith('\\')) return `\\\\{${piece.length},${mostBackslashes}}`;
  if (/[A-Za-z0-9]/.test(piece)) return piece;
  const code = piece.charCodeAt(0).toString(16).padStart(4, '0');
  const digits = [...code].map((digit) => `[${digit}${digit.toUpperCase()}]`).join('');
  return `(?:\\\\{0,${mostBackslashes}}\\x${code.slice(2)}|\\\\{1,${mostBackslashes}}u${digits})`;
}

/**
 * A server's text with an ellipsis for a secret that it echoes, also where the secret is
 * part of a JSON text in it. Call it before the text is shortened: half a secret is not found.
 * @param secret printable ASCII without spaces
 */
export function withoutSecret(text: string, secret: string): string {
  const pieces = secret.match(/\\+|[^\\]/g) ?? [];
  return text.replace(new RegExp(pieces.map(spellings).join(''), 'g'), '…');
}
