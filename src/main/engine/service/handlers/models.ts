import type { LoadedModel, ModelsView, Pull } from '../../../../shared/api/models.ts';
import { AssizeError } from '../../../../shared/errors.ts';
import type { ModelManager } from '../../models/library/modelManager.ts';
import { os } from '../os.ts';
import type { Service } from '../service.ts';
import type { StreamSource } from '../streams.ts';

/** The signal of a request; a transport without one never calls off. */
const orNever = (signal: AbortSignal | undefined): AbortSignal => signal ?? new AbortController().signal;

/** What a screen shows; that the server is away is no failure of the request. */
async function view({ models, network }: Service, signal: AbortSignal): Promise<ModelsView> {
  try {
    return { ...(await models.read(signal)), problem: null };
  } catch (error) {
    if (!(error instanceof AssizeError) || signal.aborted) throw error;
    const problem = `${error.message}.`;
    return { url: await network.url('ollama'), problem, standin: false, installed: [], disk_free: null };
  }
}

type ModelsBody =
  | { kind: 'installed' }
  | { kind: 'loaded'; loaded: LoadedModel[] }
  | { kind: 'pulls'; pulls: Pull[] }
  | { kind: 'gap' };

/** What is in memory and what is being fetched come first, as they are; then all that changes. */
function modelsSource(models: ModelManager): StreamSource<ModelsBody> {
  const changed = new Set<'installed' | 'loaded' | 'pulls'>(['pulls', 'loaded']);
  return {
    listen: (tell) =>
      models.watch((change) => {
        changed.add(change);
        tell();
      }),
    take(replaceable) {
      const bodies: ModelsBody[] = [];
      if (changed.delete('installed')) bodies.push({ kind: 'installed' });
      if (!replaceable) return bodies;
      const loaded = models.lastLoaded();
      if (changed.delete('loaded') && loaded !== null) bodies.push({ kind: 'loaded', loaded: [...loaded] });
      if (changed.delete('pulls')) bodies.push({ kind: 'pulls', pulls: [...models.pulls.list()] });
      return bodies;
    },
    gap() {
      for (const each of ['installed', 'loaded', 'pulls'] as const) changed.add(each);
      return { kind: 'gap' };
    },
  };
}

export const models = {
  read: os.models.read.handler(({ context: { service }, signal }) => view(service, orNever(signal))),
  watch: os.models.watch.handler(({ context: { service, streams }, signal }) =>
    streams.open(modelsSource(service.models), signal),
  ),
  pull: os.models.pull.handler(({ context: { service }, input }) => {
    service.models.pulls.add(input.models);
    return {};
  }),
  cancel: os.models.cancel.handler(({ context: { service }, input }) => {
    service.models.pulls.cancel(input.model);
    return {};
  }),
  dismiss: os.models.dismiss.handler(({ context: { service }, input }) => {
    service.models.pulls.dismiss(input.model);
    return {};
  }),
  delete: os.models.delete.handler(async ({ context: { service }, input, signal }) => {
    await service.models.delete(input.model, orNever(signal));
    return {};
  }),
  unload: os.models.unload.handler(async ({ context: { service }, input, signal }) => {
    await service.models.unload(input.model, orNever(signal));
    return {};
  }),
  fits: os.models.fits.handler(({ context: { service }, input, signal }) => service.models.fits(input, orNever(signal))),
  ensembles: os.models.ensembles.handler(({ context: { service }, signal }) => service.models.ensembles(orNever(signal))),
};
