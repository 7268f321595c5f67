// Trains an assistant as a user asked for it.
import type { TrainReport } from '../../../../shared/assistants.ts';
import type { NetworkDispatcher } from '../../models/dispatcher.ts';
import type { Store } from '../../store/store.ts';
import { connectBackends, neededModels, overrideUrl, readyBackends } from '../backends.ts';
import { loadFrozen } from '../frozen.ts';
import { embedderOf, refuseForeignArms, type TrainingOptions, trainOnExperiment } from './train.ts';

export interface TrainRequest extends Omit<TrainingOptions, 'fitInWorker'> {
  readonly experiment: string;
  /** The embedding model; absent: the one that an arm of the experiment has cast. */
  readonly embedder: string | undefined;
  /** An Ollama server in place of the experiment's. */
  readonly url: string | undefined;
  readonly allowedHosts: readonly string[];
}

/** Trains on an experiment of the record, by the server that its vectors are to come from. */
export async function trainByRequest(
  store: Store,
  dispatcher: NetworkDispatcher,
  { experiment, embedder: named, url, signal, onProgress }: TrainRequest,
  fitInWorker: TrainingOptions['fitInWorker'],
): Promise<TrainReport> {
  const frozen = loadFrozen(store, experiment);
  refuseForeignArms(frozen);
  const embedder = embedderOf(frozen, named);
  const { runtime, backends } = frozen.definition;
  const models = connectBackends(dispatcher, overrideUrl(backends, url), runtime);
  const cast = { embedder };
  const needed = neededModels({ runtime, arms: [{ name: '', protocol: '', params: {}, belief: 'verbal', cast }] });
  return trainOnExperiment(store, frozen, await readyBackends(models, needed), embedder, { signal, onProgress, fitInWorker });
}
