import { z } from 'zod';
import type { ChatBody } from './bodies.ts';
import { chatBodySchema } from './bodies.ts';
import type { Framing } from './framing.ts';
import type { StandinModel } from './models.ts';

/** Tokens of context for every call, as a server of this kind is started with. */
const servedContext = 16_384;

export const servedContextOf = ({ contextLength }: StandinModel): number => Math.min(contextLength, servedContext);

const bodySchema = z.object({
  model: z.string().min(1).max(300),
  messages: z
    .array(z.object({ role: z.enum(['system', 'user', 'assistant', 'tool']), content: z.string().default('') }))
    .min(1, 'messages: at least one is needed'),
  stream: z.boolean().default(false),
  response_format: z
    .discriminatedUnion('type', [
      z.object({ type: z.literal('text') }),
      z.object({ type: z.literal('json_object') }),
      z.object({ type: z.literal('json_schema'), json_schema: z.object({ schema: z.record(z.string(), z.unknown()) }) }),
    ])
    .nullish(),
  seed: z.int().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  max_tokens: z.int().min(1).nullish(),
  logprobs: z.boolean().nullish(),
  top_logprobs: z.int().min(0).max(20).nullish(),
  chat_template_kwargs: z.object({ enable_thinking: z.boolean().nullish() }).nullish(),
});

/** A body of `/v1/chat/completions` in Ollama's words. */
export const chatCompletionBodySchema = bodySchema.transform((body): ChatBody => {
  const format = body.response_format;
  return chatBodySchema.parse({
    model: body.model,
    messages: body.messages,
    stream: body.stream,
    format: format?.type === 'json_schema' ? format.json_schema.schema : format?.type === 'json_object' ? 'json' : null,
    options: {
      temperature: body.temperature ?? 1,
      seed: body.seed ?? 0,
      num_ctx: servedContext,
      num_predict: body.max_tokens ?? -1,
    },
    think: body.chat_template_kwargs?.enable_thinking ?? null,
    truncate: false,
    shift: false,
    logprobs: body.logprobs ?? false,
    top_logprobs: body.top_logprobs ?? 0,
  });
});

const nanosecondsPerMillisecond = 1e6;

/** What the stand-in says of a chat in Ollama's words. */
const wordsSchema = z.object({
  model: z.string(),
  message: z.object({ content: z.string(), thinking: z.string().optional() }),
  done_reason: z.string().optional(),
  logprobs: z.array(z.unknown()).optional(),
  prompt_eval_count: z.number().default(0),
  prompt_eval_duration: z.number().default(0),
  eval_count: z.number().default(0),
  eval_duration: z.number().default(0),
  standin: z.literal(true),
});
type Words = z.infer<typeof wordsSchema>;

const event = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;

const headOf = ({ model }: Words, object: string) => ({ id: 'chatcmpl-standin', object, created: 0, model, standin: true });

const chunk = (words: Words, finish: string | null): string => {
  const { content, thinking } = words.message;
  const delta = { role: 'assistant', content, ...(thinking === undefined ? {} : { reasoning_content: thinking }) };
  const logprobs = words.logprobs === undefined ? null : { content: words.logprobs };
  return event({ ...headOf(words, 'chat.completion.chunk'), choices: [{ index: 0, delta, logprobs, finish_reason: finish }] });
};

const usageOf = (words: Words) => ({
  prompt_tokens: words.prompt_eval_count,
  completion_tokens: words.eval_count,
  total_tokens: words.prompt_eval_count + words.eval_count,
});

const timingsOf = (words: Words) => ({
  prompt_ms: words.prompt_eval_duration / nanosecondsPerMillisecond,
  predicted_ms: words.eval_duration / nanosecondsPerMillisecond,
});

const errorSchema = z.object({ error: z.string() });

/** An error as llama.cpp's server writes it; one that Ollama passes on from there is unwrapped. */
function errorOf(status: number, message: string): object {
  const standin = true;
  if (message.startsWith('{"error":')) return { ...z.record(z.string(), z.unknown()).parse(JSON.parse(message)), standin };
  return { error: { code: status, message, type: status < 500 ? 'invalid_request_error' : 'server_error' }, standin };
}

/** OpenAI's: server-sent events, and errors as objects. */
export const openaiFraming: Framing = {
  streamType: 'text/event-stream',
  part: (value) => chunk(wordsSchema.parse(value), null),
  last(value) {
    const failed = errorSchema.safeParse(value);
    if (failed.success) return event(errorOf(500, failed.data.error));
    const words = wordsSchema.parse(value);
    const figures = { choices: [], usage: usageOf(words), timings: timingsOf(words) };
    return `${chunk(words, words.done_reason ?? 'stop')}${event({ ...headOf(words, 'chat.completion.chunk'), ...figures })}data: [DONE]\n\n`;
  },
  garbage: (text) => `data: ${text}\n\n`,
  whole(status, value) {
    const failed = errorSchema.safeParse(value);
    if (failed.success) return errorOf(status, failed.data.error);
    const words = wordsSchema.safeParse(value);
    if (!words.success) return value;
    const { content, thinking } = words.data.message;
    const message = { role: 'assistant', content, ...(thinking === undefined ? {} : { reasoning_content: thinking }) };
    const logprobs = words.data.logprobs === undefined ? null : { content: words.data.logprobs };
    return {
      ...headOf(words.data, 'chat.completion'),
      choices: [{ index: 0, message, logprobs, finish_reason: words.data.done_reason ?? 'stop' }],
      usage: usageOf(words.data),
      timings: timingsOf(words.data),
    };
  },
};
