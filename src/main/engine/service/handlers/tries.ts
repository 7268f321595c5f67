import type { TryDraft } from '../../../../shared/api/trials.ts';
import { readExperimentData } from '../../lab/experimentFile.ts';
import { prepareTry, type TryRequest } from '../../lab/tryOut.ts';
import { os } from '../os.ts';
import { knownServer } from '../servers.ts';
import type { Service } from '../service.ts';
import { startExperiment } from '../startExperiment.ts';

/** A try with its server found. Throws bad input where the settings do not have it. */
async function requested(service: Service, { backend, server, ...request }: TryDraft): Promise<TryRequest> {
  const url = await service.network.url(backend);
  // The demo model answers instead of any server.
  if (server === undefined || backend === 'standin') return { ...request, url };
  return { ...request, url, server: knownServer(service.settings.read(), server, 'server') };
}

export const tries = {
  look: os.tries.look.handler(async ({ context: service, input, signal }) =>
    service.queries.run('tryNeed', await requested(service, input), signal),
  ),
  start: os.tries.start.handler(async ({ context: service, input }) => {
    const { backend } = input;
    if (backend === 'ollama') await service.daemon.ensure();
    const prepared = prepareTry(await requested(service, input), new Date());
    const { name } = prepared.experiment;
    const data = await readExperimentData(prepared);
    return startExperiment(service, prepared, data, { backend, concurrency: 0, first: true }, () => name);
  }),
};
