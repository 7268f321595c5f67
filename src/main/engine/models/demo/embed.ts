import { type EmbedBody, keepAliveMs } from './bodies.ts';
import { type Job, refuse } from './chat.ts';
import { Failure } from './exchange.ts';
import { pause } from './slots.ts';
import { countTokens, unit } from './tokens.ts';

/** A vector of length 1 whose directions are words and word pairs, so that like texts lie close together. */
export function embedText(text: string, model: string, length: number): number[] {
  const vector = new Array<number>(length).fill(0);
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [text];
  words.forEach((word, index) => {
    for (const feature of index === 0 ? [word] : [word, `${words[index - 1]} ${word}`]) {
      const at = Math.floor(unit(`${model} at ${feature}`) * length);
      vector[at] = (vector[at] ?? 0) + (unit(`${model} sign ${feature}`) < 0.5 ? -1 : 1);
    }
  });
  const norm = Math.hypot(...vector) || 1;
  return vector.map((value) => Number((value / norm).toFixed(7)));
}

/** Answers a request for vectors, in Ollama's words or in OpenAI's. Throws `Failure`. */
export async function answerEmbed(job: Job<EmbedBody>, face: 'ollama' | 'openai'): Promise<void> {
  const { exchange, body, model, slots, pace } = job;
  refuse(job);
  const inputs = typeof body.input === 'string' ? [body.input] : body.input;
  const limit = Math.min(body.options.num_ctx ?? 4096, model.contextLength);
  const counts = inputs.map(countTokens);
  if (!body.truncate && counts.some((count) => count > limit))
    throw new Failure(400, 'the input length exceeds the context length');
  const tokens = counts.reduce((sum, count) => sum + Math.min(count, limit), 0);
  const lease = await slots.acquire(model, limit, exchange.signal);
  try {
    const workMs = (tokens / pace.promptRate) * 1000;
    if (pace.timed) await pause(workMs, exchange.signal);
    const embeddings = inputs.map((input) => embedText(input, model.name, model.embeddingLength));
    const data = embeddings.map((embedding, index) => ({ object: 'embedding', index, embedding }));
    const figures = { total_duration: Math.ceil((lease.loadMs + workMs) * 1e6), load_duration: Math.round(lease.loadMs * 1e6) };
    if (face === 'ollama') exchange.json(200, { model: body.model, embeddings, ...figures, prompt_eval_count: tokens });
    else exchange.json(200, { object: 'list', model: body.model, data, usage: { prompt_tokens: tokens, total_tokens: tokens } });
  } finally {
    lease.release(keepAliveMs(body.keep_alive));
  }
}
