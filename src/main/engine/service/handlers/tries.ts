import type { TryDraft } from '../../../../shared/api/trials.ts';
import { AssizeError } from '../../../../shared/errors.ts';
import { connectBackends, neededModels, readyBackends } from '../../lab/backends.ts';
import { playedArms, refuseUnfitCases } from '../../lab/experimentFile.ts';
import { freezeExperiment } from '../../lab/freeze.ts';
import { loadFrozen } from '../../lab/frozen.ts';
import { prepareTry, type TryRequest } from '../../lab/tryOut.ts';
import { os } from '../os.ts';
import { knownServer } from '../servers.ts';
import type { Service } from '../service.ts';

/** A try with its server found. Throws bad input where the settings do not have it. */
async function requested(service: Service, { backend, server, ...request }: TryDraft): Promise<TryRequest> {
  const url = await service.network.url(backend);
  // The stand-in answers in the place of any server.
  if (server === undefined || backend === 'standin') return { ...request, url };
  return { ...request, url, server: knownServer(service.settings.read(), server, 'server') };
}

export const tries = {
  look: os.tries.look.handler(async ({ context: { service }, input, signal }) =>
    service.queries.run('tryNeed', await requested(service, input), signal),
  ),
  start: os.tries.start.handler(async ({ context: { service }, input }) => {
    const { backend } = input;
    if (backend === 'ollama') await service.daemon.ensure();
    const { prepared, data } = prepareTry(await requested(service, input), new Date());
    refuseUnfitCases(prepared, data.labels, data.multiLabel);
    const { name: experiment, backends, runtime } = prepared.experiment;
    // A try that cannot begin leaves nothing on the record.
    await readyBackends(connectBackends(service.network.dispatcher(), backends, runtime), neededModels(playedArms(prepared)));
    const trial = await service.store.write((store) => {
      freezeExperiment(store, prepared, data);
      store.write(() => store.runs.save({ experiment, backend, concurrency: 0, session: service.launch.session }));
      return loadFrozen(store, experiment).trials()[0]?.id;
    });
    if (trial === undefined) throw new AssizeError('internal', 'a tried case has no trial');
    service.runs.start(experiment, { backend, concurrency: 0, retry: [] });
    return { experiment, trial };
  }),
};
