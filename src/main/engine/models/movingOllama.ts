import { BackendOutage } from '../../../shared/model.ts';
import type { NetworkDispatcher } from './dispatcher.ts';
import type { ServerOptions } from './modelServer.ts';
import { ollamaModel } from './ollama.ts';
import type { LanguageModel } from './port.ts';

/** An Ollama whose address can change while it is asked. */
export interface MovingServer {
  /** Where it was when it was first asked. */
  readonly url: string;
  /** Where it is now; null while it is nowhere. */
  readonly now: () => string | null;
}

/**
 * As `ollamaModel`, for a server that moves. Each model asks only one address, so that what is recorded of a call is
 * where it went; `present` gives the one for the address of now.
 */
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
