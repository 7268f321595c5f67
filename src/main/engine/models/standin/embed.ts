import { z } from 'zod';
import { type EmbedBody, embedBodySchema, keepAliveMs } from './bodies.ts';
import type { Exchange } from './exchange.ts';
import { HttpError, type Machine, pause } from './machine.ts';
import type { StandinModel } from './models.ts';
import { hash32, signed } from './random.ts';
import { countTokens } from './tokens.ts';

/** A vector whose directions are words and word pairs, so that like texts lie close together. */
export function embedText(text: string, model: string, length: number): number[] {
  const vector = new Array<number>(length).fill(0);
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const add = (feature: string, weight: number): void => {
    const hash = hash32(`${model}\u0001${feature}`);
    const at = hash % length;
    vector[at] = (vector[at] ?? 0) + ((hash >>> 16) & 1 ? weight : -weight);
  };
  words.forEach((word, index) => {
    add(word, 1 + signed('rarity', word) * 0.5);
    if (index > 0) add(`${words[index - 1]} ${word}`, 0.6);
  });
  if (words.length === 0) add(text, 1);
  const norm = Math.hypot(...vector) || 1;
  return vector.map((value) => Number((value / norm).toFixed(7)));
}

/** A body of `/v1/embeddings` in Ollama's words. */
export const embeddingsBodySchema = z
  .object({ model: z.string().min(1).max(300), input: z.union([z.string(), z.array(z.string())]) })
  .transform(({ model, input }): EmbedBody => embedBodySchema.parse({ model, input, truncate: false }));

/** What an interface says of the vectors. */
interface EmbeddingWords {
  readonly model: string;
  readonly embeddings: readonly (readonly number[])[];
  readonly durationMs: number;
  readonly loadMs: number;
  readonly tokens: number;
}

/** Ollama's words, and OpenAI's. */
export const embeddingWords = {
  ollama: ({ model, embeddings, durationMs, loadMs, tokens }: EmbeddingWords) => ({
    model,
    embeddings,
    total_duration: Math.max(1, Math.round(durationMs * 1e6)),
    load_duration: Math.round(loadMs * 1e6),
    prompt_eval_count: tokens,
  }),
  openai: ({ model, embeddings, tokens }: EmbeddingWords) => ({
    object: 'list',
    model,
    data: embeddings.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  }),
} as const;

/** Answers a request for vectors. */
export async function answerEmbed(
  exchange: Exchange,
  body: EmbedBody,
  model: StandinModel,
  machine: Machine,
  words: (figures: EmbeddingWords) => object,
): Promise<void> {
  const inputs = typeof body.input === 'string' ? [body.input] : body.input;
  const limit = Math.min(body.options.num_ctx ?? 4096, model.contextLength);
  const counts = inputs.map(countTokens);
  if (!body.truncate && counts.some((count) => count > limit))
    throw new HttpError(400, 'the input length exceeds the context length');
  const tokens = counts.reduce((sum, count) => sum + Math.min(count, limit), 0);
  const started = performance.now();
  const lease = await machine.acquire(model, limit, '', exchange.signal);
  try {
    const workMs = tokens * lease.promptMs();
    if (machine.timed) await pause(workMs, exchange.signal);
    const length = Math.min(body.dimensions ?? model.embeddingLength, model.embeddingLength);
    const embeddings = inputs.map((input) => embedText(input, model.name, length));
    const durationMs = performance.now() - started;
    exchange.json(200, words({ model: body.model, embeddings, durationMs, loadMs: lease.loadMs, tokens }));
  } finally {
    lease.release('', keepAliveMs(body.keep_alive));
  }
}
