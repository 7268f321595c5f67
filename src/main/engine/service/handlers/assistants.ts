import { basename } from 'node:path';
import type { TrainFrame } from '../../../../shared/api/assistants.ts';
import { embedderOf, refuseForeignArms, type TrainingProgress, trainOnExperiment } from '../../lab/assistant/train.ts';
import { connectBackends, neededModels, readyBackends } from '../../lab/backends.ts';
import { loadFrozen } from '../../lab/frozen.ts';
import { answeredBy, os } from '../os.ts';
import { runBackends } from '../servers.ts';
import type { Service } from '../service.ts';
import { latestFrames } from '../streams.ts';

/** Trains by the server that the experiment's runs ask. */
async function train(
  service: Service,
  experiment: string,
  signal: AbortSignal,
  onProgress: (progress: TrainingProgress) => void,
) {
  const { queries, network, settings } = service;
  const order = await queries.run('runOrder', { experiment }, signal);
  const choice = order?.backend ?? 'ollama';
  const url = await network.url(choice);
  return service.store.write(async (store) => {
    const frozen = loadFrozen(store, experiment);
    refuseForeignArms(frozen);
    const embedder = embedderOf(frozen, undefined);
    const { runtime } = frozen.definition;
    const backends = runBackends(frozen.definition.backends, choice, url, settings.read());
    const models = connectBackends(network.dispatcher(), backends, runtime);
    const needed = neededModels({
      runtime,
      backends,
      arms: [{ name: '', protocol: '', params: {}, belief: 'verbal', cast: { embedder } }],
    });
    const report = await trainOnExperiment(store, frozen, await readyBackends(models, needed), embedder, {
      signal,
      onProgress(progress) {
        service.store.checkPlace();
        onProgress(progress);
      },
      fitInWorker: (input) => queries.run('assistantFit', input, signal),
    });
    return { ...report, store: basename(report.store) };
  });
}

/** Where it ends before its end, its vectors are kept. */
const trained = (service: Service, experiment: string, outer: AbortSignal | undefined): AsyncGenerator<TrainFrame, void> =>
  latestFrames<TrainFrame>(outer, async (signal, show) => ({
    kind: 'done',
    report: await train(service, experiment, signal, (progress) => show({ kind: 'progress', ...progress })),
  }));

export const assistants = {
  look: os.assistants.look.handler(answeredBy('assistants')),
  train: os.assistants.train.handler(({ context: service, input: { experiment }, signal }) =>
    trained(service, experiment, signal),
  ),
};
