// Requests about trials, and the stream of one that is running.
import { isUnderWay } from '../../../../shared/api/engine.ts';
import { dataFileEntries, refuseChangedFile } from '../../dataFiles/entries.ts';
import { prepareDrafted } from '../../lab/experimentFile.ts';
import { answerModeration } from '../../lab/moderation.ts';
import { answeredBy, os } from '../os.ts';
import { runBackends } from '../servers.ts';
import { startExperiment } from '../startExperiment.ts';
import { follow } from '../streams.ts';
import { trialSource } from '../trialSource.ts';
import { startAgain } from './runs.ts';

export const trials = {
  read: os.trials.read.handler(answeredBy('trial')),
  call: os.trials.call.handler(answeredBy('call')),
  check: os.trials.check.handler(answeredBy('trialCheck')),
  moderate: os.trials.moderate.handler(async ({ context: service, input: { trial, moderation } }) => {
    const { experiment } = await service.queries.run('trialLine', { trial });
    await service.store.write((store) => answerModeration(store, experiment, trial, moderation));
    service.changes.trial(experiment, trial, 'events');
    // A run under way takes the trial up when it gets to it.
    if (!isUnderWay(service.runs.of(experiment))) await startAgain(service, experiment, []);
    return {};
  }),
  vary: os.trials.vary.handler(async ({ context: service, input, signal }) => {
    const { experiment } = await service.queries.run('trialLine', { trial: input.trial }, signal);
    const known = (await dataFileEntries(service, signal)).find(({ entry }) => entry.experiments.includes(experiment));
    const order = await service.queries.run('runOrder', { experiment }, signal);
    const backend = order?.backend ?? 'ollama';
    if (backend === 'ollama') await service.daemon.ensure();
    const { experiment: made, data } = await service.queries.run(
      'retrialDraft',
      { ...input, dataPath: known?.path ?? null },
      signal,
    );
    if (known !== undefined) refuseChangedFile(known, data);
    const settings = service.settings.read();
    const backends = runBackends(made.backends, backend, await service.network.url(backend), settings);
    const run = { backend, concurrency: settings.concurrency, ...(known === undefined ? {} : { entry: known.entry.id }) };
    return startExperiment(service, prepareDrafted({ ...made, backends }, known?.path ?? ''), data, run, () => made.name);
  }),
  watch: os.trials.watch.handler(async ({ context: service, input: { trial, after }, signal }) => {
    // Throws not-found.
    await service.queries.run('trialLine', { trial }, signal);
    return follow(trialSource(service, trial, after), signal);
  }),
};
