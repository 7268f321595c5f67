import { z } from 'zod';
import type { LoadedModel } from '../../../shared/api/models.ts';
import { boundedText } from '../models/boundedText.ts';
import type { NetworkDispatcher } from '../models/dispatcher.ts';

const count = z.number().min(0).catch(0);
const body = z.object({
  models: z
    .array(
      z.object({
        name: z.string(),
        size: count,
        size_vram: count,
        context_length: z.int().min(1).nullish().catch(null),
        expires_at: z.string().nullish().catch(null),
      }),
    )
    .nullable(),
});

const mostBytes = 1024 * 1024;
const patienceMs = 5000;
/** Ollama's word for "until it is unloaded" is a time beyond any person's life. */
const foreverMs = 50 * 365 * 86_400_000;

/** Models in the memory of an Ollama server; null where it does not tell. */
export async function loadedModels(
  dispatcher: Pick<NetworkDispatcher, 'fetch'>,
  url: string,
  signal: AbortSignal,
): Promise<LoadedModel[] | null> {
  try {
    const response = await dispatcher.fetch(`${url.replace(/\/+$/, '')}/api/ps`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
    });
    const { text, whole } = await boundedText(response.body as ReadableStream<Uint8Array> | null, mostBytes);
    if (!response.ok || !whole) return null;
    return (body.parse(JSON.parse(text)).models ?? []).map(({ name, size, size_vram, context_length, expires_at }) => ({
      name,
      size,
      size_vram,
      gpu_share: size === 0 ? 0 : Math.min(1, size_vram / size),
      context: context_length ?? null,
      expires_at: expires_at && Date.parse(expires_at) - Date.now() < foreverMs ? expires_at : null,
    }));
  } catch {
    // A server that is away is told of elsewhere; here it only has nothing to say.
    return null;
  }
}
