import type { InstalledModel } from '../../../../shared/api/models.ts';
import { AssizeError } from '../../../../shared/errors.ts';
import { BackendOutage } from '../../../../shared/model.ts';
import type { OllamaLibrary } from './client.ts';
import { type ModelDetails, noDetails } from './details.ts';
import type { ListedModel } from './listed.ts';

/** Details that are kept: far more than anybody has models. */
const mostKept = 2000;
/** Descriptions that are asked for at a time. */
const atOnce = 4;

export interface KnownModel {
  readonly listed: ListedModel;
  readonly details: ModelDetails;
}

/** The models of a server with their details, which are asked for once for each digest. */
export interface Catalogue {
  /** Throws as `OllamaLibrary.installed`. */
  read(library: OllamaLibrary, signal: AbortSignal): Promise<KnownModel[]>;
  /** Some of its models alone. Throws as `OllamaLibrary.installed`. */
  describe(library: OllamaLibrary, models: readonly ListedModel[], signal: AbortSignal): Promise<KnownModel[]>;
}

export function openCatalogue(): Catalogue {
  const kept = new Map<string, ModelDetails>();

  const detailsOf = async (library: OllamaLibrary, model: ListedModel, signal: AbortSignal): Promise<ModelDetails> => {
    const known = model.digest === null ? undefined : kept.get(model.digest);
    if (known !== undefined) return known;
    // Of a model that runs elsewhere the server would ask that other machine.
    if (model.refused !== null) return noDetails;
    try {
      const details = await library.details(model.name, signal);
      if (model.digest !== null && kept.size < mostKept) kept.set(model.digest, details);
      return details;
    } catch (error) {
      if (signal.aborted || !(error instanceof AssizeError || error instanceof BackendOutage)) throw error;
      // A model that the server cannot describe, or falls silent over, is still there; unless the server itself is gone.
      if (error instanceof BackendOutage) await library.version(signal);
      return noDetails;
    }
  };

  const describe: Catalogue['describe'] = async (library, models, signal) => {
    const found: KnownModel[] = [];
    for (let at = 0; at < models.length; at += atOnce) {
      const some = models.slice(at, at + atOnce);
      const details = await Promise.all(some.map((model) => detailsOf(library, model, signal)));
      found.push(...some.map((listed, index) => ({ listed, details: details[index] ?? noDetails })));
    }
    return found;
  };

  return { read: async (library, signal) => describe(library, await library.installed(signal), signal), describe };
}

export const asInstalled = ({ listed, details }: KnownModel): InstalledModel => ({
  name: listed.name,
  digest: listed.digest,
  size: listed.size,
  family: listed.family,
  parameters: listed.parameters,
  quantization: listed.quantization,
  context: details.context,
  capabilities: [...details.capabilities],
  modified_at: listed.modifiedAt,
  refused: listed.refused,
});
