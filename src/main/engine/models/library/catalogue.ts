import type { InstalledModel } from '../../../../shared/api/models.ts';
import { AssizeError } from '../../../../shared/errors.ts';
import { BackendOutage } from '../../../../shared/model.ts';
import type { OllamaLibrary } from './client.ts';
import { type ListedModel, type ModelDetails, noDetails } from './listed.ts';

/** Details that are kept: far more than anybody has models. */
const mostCached = 2000;
/** Descriptions that are asked for at a time. */
const atOnce = 4;

export interface KnownModel {
  readonly listed: ListedModel;
  readonly details: ModelDetails;
}

/** Models of a server with their details, which are asked for once for each digest. Throws as `OllamaLibrary.installed`. */
export function openCatalogue() {
  const kept = new Map<string, ModelDetails>();

  const detailsOf = async (library: OllamaLibrary, model: ListedModel, signal: AbortSignal): Promise<ModelDetails> => {
    const known = model.digest === null ? undefined : kept.get(model.digest);
    if (known !== undefined) return known;
    // Of a model that runs elsewhere the server would ask that other machine.
    if (model.refused !== null) return noDetails;
    try {
      const details = await library.details(model.name, signal);
      if (model.digest !== null && kept.size < mostCached) kept.set(model.digest, details);
      return details;
    } catch (error) {
      if (signal.aborted || !(error instanceof AssizeError || error instanceof BackendOutage)) throw error;
      // A model that the server cannot describe, or falls silent over, is still there; unless the server itself is gone.
      if (error instanceof BackendOutage) await library.version(signal);
      return noDetails;
    }
  };

  return async (library: OllamaLibrary, models: readonly ListedModel[], signal: AbortSignal): Promise<KnownModel[]> => {
    const found: KnownModel[] = [];
    for (let at = 0; at < models.length; at += atOnce) {
      const some = models.slice(at, at + atOnce);
      found.push(
        ...(await Promise.all(some.map(async (listed) => ({ listed, details: await detailsOf(library, listed, signal) })))),
      );
    }
    return found;
  };
}

export const asInstalled = ({ listed, details: { context, capabilities } }: KnownModel): InstalledModel => ({
  ...listed,
  context,
  capabilities: [...capabilities],
});
