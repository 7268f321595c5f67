// The requests that the demo model accepts.
import { z } from 'zod';

const modelName = z.string().min(1).max(300);
const keepAlive = z.union([z.number(), z.string()]).nullish();
const input = z.union([z.string(), z.array(z.string())]);
const messages = z.array(z.object({ role: z.enum(['system', 'user', 'assistant', 'tool']), content: z.string().default('') }));
const options = z
  .object({ temperature: z.number().min(0), seed: z.int(), num_ctx: z.int(), num_predict: z.int() })
  .partial()
  .nullish()
  .transform((given) => given ?? {});
/** So many alternatives are reported with each token. */
const top = z.int().min(0).max(20);
const schema = z.record(z.string(), z.unknown());

export const chatBodySchema = z.object({
  model: modelName,
  messages: messages.nullish().transform((given) => given ?? []),
  stream: z.boolean().default(true),
  format: z.union([z.literal(['json', '']), schema]).nullish(),
  options,
  keep_alive: keepAlive,
  think: z.union([z.boolean(), z.enum(['low', 'medium', 'high'])]).nullish(),
  truncate: z.boolean().default(true),
  shift: z.boolean().default(true),
  logprobs: z.boolean().default(false),
  top_logprobs: top.default(0),
});
export type ChatBody = z.infer<typeof chatBodySchema>;

export const embedBodySchema = z.object({
  ...{ model: modelName, input },
  truncate: z.boolean().default(true),
  options,
  keep_alive: keepAlive,
});
export type EmbedBody = z.infer<typeof embedBodySchema>;

/** Older clients wrote `name` for `model`, and some still do. */
export const namedBodySchema = z
  .object({ model: modelName.optional(), name: modelName.optional(), stream: z.boolean().default(true) })
  .transform(({ model, name, stream }) => ({ model: model ?? name ?? '', stream }))
  .refine(({ model }) => model !== '', { path: ['model'] });

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `keep_alive` in milliseconds: seconds as a number, or text such as `5m`; negative is for ever. */
export function keepAliveMs(given: z.infer<typeof keepAlive>): number {
  const [, amount = '300', unit = 's'] = /^(-?\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(String(given ?? '')) ?? [];
  return Number(amount) * (unitMs[unit] ?? 0);
}

/** Tokens of context for every call under `/v1`, as a server of this kind is started with. */
export const servedContext = 16_384;

/** A body of `/v1/chat/completions` in Ollama's words. */
export const completionBodySchema = z
  .object({
    model: modelName,
    messages: messages.min(1, 'at least one is needed'),
    stream: z.boolean().default(false),
    response_format: z
      .object({ type: z.enum(['text', 'json_object', 'json_schema']), json_schema: z.object({ schema }).optional() })
      .nullish(),
    seed: z.int().nullish(),
    temperature: z.number().min(0).max(2).nullish(),
    max_tokens: z.int().min(1).nullish(),
    logprobs: z.boolean().nullish(),
    top_logprobs: top.nullish(),
    chat_template_kwargs: z.object({ enable_thinking: z.boolean().nullish() }).nullish(),
  })
  .transform(
    ({ response_format: format, chat_template_kwargs: template, logprobs, top_logprobs, ...body }): ChatBody => ({
      ...body,
      format: format?.type === 'json_object' ? 'json' : format?.json_schema?.schema,
      options: {
        temperature: body.temperature ?? 1,
        seed: body.seed ?? 0,
        num_ctx: servedContext,
        num_predict: body.max_tokens ?? -1,
      },
      think: template?.enable_thinking ?? null,
      truncate: false,
      shift: false,
      logprobs: logprobs ?? false,
      top_logprobs: top_logprobs ?? 0,
    }),
  );

/** A body of `/v1/embeddings` in Ollama's words. */
export const embeddingsBodySchema = z
  .object({ model: modelName, input })
  .transform((body): EmbedBody => ({ ...body, truncate: false, options: {} }));
