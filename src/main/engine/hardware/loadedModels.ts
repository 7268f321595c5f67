import type { LoadedModel } from '../../../shared/api/models.ts';
import type { NetworkDispatcher } from '../models/dispatcher.ts';
import { ollamaLibrary } from '../models/library/client.ts';

const patienceMs = 5000;

/** Models in the memory of an Ollama server; null where it does not tell. */
export async function loadedModels(
  dispatcher: NetworkDispatcher,
  url: string,
  signal: AbortSignal,
): Promise<LoadedModel[] | null> {
  // It is asked again and again: a host that is not allowed would count as many refusals.
  if (!dispatcher.permits(url)) return null;
  try {
    return await ollamaLibrary(dispatcher, { url }).loaded(AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]));
  } catch {
    // A server that is away is told of elsewhere; here it only has nothing to say.
    return null;
  }
}
