// The data of an experiment as the record has them: every case of the data file, with its split.
import { existsSync } from 'node:fs';
import { note } from '../../../shared/checks.ts';
import type { Experiment } from '../../../shared/experiment.ts';
import { isMultiLabel } from '../datasets/cases.ts';
import { type Dataset, drawSample } from '../datasets/dataset.ts';
import { openStoreReadOnly, type Store } from '../store/store.ts';
import { withStore } from '../store/withStore.ts';
import { refuseErased } from './erasedData.ts';
import { readExperimentData } from './experimentFile.ts';
import { type FrozenExperiment, loadFrozen } from './frozen.ts';
import type { PreparedExperiment } from './preparedArm.ts';

/**
 * The data set of a recorded experiment.
 * @param wanted says how the sample is drawn, and labels where it names them
 * @throws bad input for a sample that the cases do not have, `ErasedText` where a case was erased
 */
export function recordedData(
  store: Store,
  { name, dataset, definition }: FrozenExperiment,
  { dataset: wanted, seed }: Pick<Experiment, 'dataset' | 'seed'> = definition,
): Dataset {
  const stored = store.datasets.cases(dataset.id);
  const cases = stored.map(({ ref }) => store.datasets.read(ref));
  const splits = new Map(stored.map(({ id, split }) => [id, split]));
  return {
    ...{ cases, splits, sample: drawSample(cases, splits, wanted, seed) },
    labels: [...(wanted.labels ?? definition.dataset.labels ?? [])],
    positive: wanted.positive ?? definition.dataset.positive ?? null,
    multiLabel: isMultiLabel(wanted),
    fileHash: '',
    fileRef: store.experiments.history(name).at(-1)?.payload.dataset.file ?? '',
    checks: [],
  };
}

const isFileGone = ({ data, dataPath }: PreparedExperiment) => data === undefined && !existsSync(dataPath);

/** The experiment with its data from the record, if their file is gone and the record has the experiment. Throws bad input as `recordedData`. */
export function withRecordedData(store: Store, prepared: PreparedExperiment): PreparedExperiment {
  const { experiment } = prepared;
  const { name, dataset } = experiment;
  if (!isFileGone(prepared) || store.experiments.get(name) === undefined) return prepared;
  refuseErased(store, name);
  const text = `the data file ${JSON.stringify(dataset.path)} is not there: all cases are taken from the record, as it has them from that file`;
  return { ...prepared, data: { ...recordedData(store, loadFrozen(store, name), experiment), checks: [note(text)] } };
}

/** The data of an experiment: from its file, or as in `withRecordedData` from the store at `path`. Throws bad input. */
export async function dataWith(prepared: PreparedExperiment, path: string): Promise<Dataset> {
  if (!isFileGone(prepared) || !existsSync(path)) return readExperimentData(prepared);
  const recorded = await withStore(openStoreReadOnly(path), (store) => store.read(() => withRecordedData(store, prepared)));
  return readExperimentData(recorded);
}
