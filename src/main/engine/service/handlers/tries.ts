import { AssizeError } from '../../../../shared/errors.ts';
import { connectBackends, neededModels, readyBackends } from '../../lab/backends.ts';
import { playedArms, refuseUnfitCases } from '../../lab/experimentFile.ts';
import { freezeExperiment } from '../../lab/freeze.ts';
import { loadFrozen } from '../../lab/frozen.ts';
import { prepareTry } from '../../lab/tryOut.ts';
import { os } from '../os.ts';

export const tries = {
  start: os.tries.start.handler(async ({ context: { service }, input: { backend, ...request } }) => {
    const url = await service.network.url(backend);
    const { prepared, data } = prepareTry({ ...request, url }, new Date());
    refuseUnfitCases(prepared, data.labels, data.multiLabel);
    const { name: experiment, backends, runtime } = prepared.experiment;
    // A try that cannot begin leaves nothing on the record.
    await readyBackends(connectBackends(service.network.dispatcher(), backends, runtime), neededModels(playedArms(prepared)));
    const trial = await service.store.write((store) => {
      freezeExperiment(store, prepared, data);
      store.write(() => store.runs.save({ experiment, backend, concurrency: 1, session: service.launch.session }));
      return loadFrozen(store, experiment).trials()[0]?.id;
    });
    if (trial === undefined) throw new AssizeError('internal', 'a tried case has no trial');
    service.runs.start(experiment, { backend, concurrency: 1, retry: [] });
    return { experiment, trial };
  }),
};
