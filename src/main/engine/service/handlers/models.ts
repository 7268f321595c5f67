import type { ModelsFrame, ModelsView } from '../../../../shared/api/models.ts';
import { AssizeError } from '../../../../shared/errors.ts';
import { os } from '../os.ts';
import type { Service } from '../service.ts';
import { follow, newestOf, orNever } from '../streams.ts';

/** What a screen shows; that the server is away is no failure of the request. */
async function view({ models, network }: Service, signal: AbortSignal): Promise<ModelsView> {
  try {
    return { ...(await models.read(signal)), problem: null };
  } catch (error) {
    if (!(error instanceof AssizeError) || signal.aborted) throw error;
    const problem = `${error.screenAdvice}.`;
    return { url: await network.url('ollama'), problem, standin: false, installed: [], disk_free: null };
  }
}

export const models = {
  read: os.models.read.handler(({ context: service, signal }) => view(service, orNever(signal))),
  watch: os.models.watch.handler(({ context: { models: manager }, signal }) => {
    const source = newestOf<'installed' | 'loaded' | 'pulls', ModelsFrame>(
      manager.watch,
      {
        installed: () => ({ kind: 'installed' }),
        loaded() {
          const loaded = manager.lastLoaded();
          return loaded === null ? null : { kind: 'loaded', loaded: [...loaded] };
        },
        pulls: () => ({ kind: 'pulls', pulls: [...manager.pulls.list()] }),
      },
      ['pulls', 'loaded'],
    );
    return follow(source, signal);
  }),
  pull: os.models.pull.handler(({ context: service, input }) => {
    service.models.pulls.add(input.models);
    return {};
  }),
  cancel: os.models.cancel.handler(({ context: service, input }) => {
    service.models.pulls.cancel(input.model);
    return {};
  }),
  dismiss: os.models.dismiss.handler(({ context: service, input }) => {
    service.models.pulls.dismiss(input.model);
    return {};
  }),
  delete: os.models.delete.handler(async ({ context: service, input, signal }) => {
    await service.models.delete(input.model, orNever(signal));
    return {};
  }),
  unload: os.models.unload.handler(async ({ context: service, input, signal }) => {
    await service.models.unload(input.model, orNever(signal));
    return {};
  }),
  fits: os.models.fits.handler(({ context: service, input, signal }) => service.models.fits(input, orNever(signal))),
  ensembles: os.models.ensembles.handler(({ context: service, signal }) => service.models.ensembles(orNever(signal))),
};
