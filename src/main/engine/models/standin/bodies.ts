import { z } from 'zod';

const modelName = z.string().min(1).max(300);
const keepAlive = z.union([z.number(), z.string()]).nullish();

const optionsSchema = z.object({
  temperature: z.number().min(0).optional(),
  seed: z.number().int().optional(),
  num_ctx: z.number().int().optional(),
  num_predict: z.number().int().optional(),
});

export const chatBodySchema = z.object({
  model: modelName,
  messages: z
    .array(z.object({ role: z.enum(['system', 'user', 'assistant', 'tool']), content: z.string().default('') }))
    .nullish()
    .transform((messages) => messages ?? []),
  stream: z.boolean().default(true),
  format: z.union([z.literal(['json', '']), z.record(z.string(), z.unknown())]).nullish(),
  options: optionsSchema.nullish().transform((options) => options ?? {}),
  keep_alive: keepAlive,
  think: z.union([z.boolean(), z.enum(['low', 'medium', 'high'])]).nullish(),
  truncate: z.boolean().default(true),
  shift: z.boolean().default(true),
  logprobs: z.boolean().default(false),
  top_logprobs: z
    .number()
    .int()
    .min(0, 'top_logprobs must be between 0 and 20')
    .max(20, 'top_logprobs must be between 0 and 20')
    .default(0),
});
export type ChatBody = z.infer<typeof chatBodySchema>;

export const embedBodySchema = z.object({
  model: modelName,
  input: z.union([z.string(), z.array(z.string())]),
  truncate: z.boolean().default(true),
  dimensions: z.number().int().min(1).optional(),
  options: optionsSchema.nullish().transform((options) => options ?? {}),
  keep_alive: keepAlive,
});
export type EmbedBody = z.infer<typeof embedBodySchema>;

const named = z
  .object({
    model: modelName.optional(),
    name: modelName.optional(),
    stream: z.boolean().default(true),
    verbose: z.boolean().default(false),
  })
  .transform(({ model, name, ...rest }, context) => {
    const given = model ?? name;
    if (given !== undefined) return { model: given, ...rest };
    context.addIssue('model is required');
    return z.NEVER;
  });
export const namedBodySchema = named;

export const createBodySchema = z.object({
  model: modelName,
  from: modelName.optional(),
  files: z.record(z.string(), z.string()).optional(),
  stream: z.boolean().default(true),
});

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `keep_alive` in milliseconds: seconds as a number, or text such as `5m`; negative is for ever. */
export function keepAliveMs(given: z.infer<typeof keepAlive>): number {
  if (given === null || given === undefined || given === '') return 300_000;
  if (Number.isFinite(Number(given))) return Number(given) * 1000;
  const text = String(given);
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g))
    total += Number(amount) * (unitMs[unit ?? 's'] ?? 0);
  return text.startsWith('-') ? -1 : total;
}
