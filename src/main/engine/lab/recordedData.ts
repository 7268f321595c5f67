// The data of an experiment as the record has them: every case of the data file, with its split.
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { note } from '../../../shared/checks.ts';
import type { Experiment } from '../../../shared/experiment.ts';
import { isMultiLabel } from '../datasets/cases.ts';
import { type Dataset, drawSample, groupNotes } from '../datasets/dataset.ts';
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

const nameIn = (path: string) => basename(path.replaceAll('\\', '/'));
const isFileGone = ({ data, dataPath }: PreparedExperiment) => data === undefined && !existsSync(dataPath);

/**
 * The experiment with its data from the record, if their file is gone and the record has the experiment.
 * @throws bad input as `recordedData`, and for a file of another name than the recorded one
 */
export function withRecordedData(store: Store, prepared: PreparedExperiment): PreparedExperiment {
  const { experiment } = prepared;
  const { name, dataset } = experiment;
  if (!isFileGone(prepared) || store.experiments.get(name) === undefined) return prepared;
  refuseErased(store, name);
  const frozen = loadFrozen(store, name);
  const from = frozen.definition.dataset.path;
  if (nameIn(from) !== nameIn(dataset.path)) {
    const message = `the data file ${JSON.stringify(dataset.path)} is not there, and the record has the cases of this experiment from ${JSON.stringify(nameIn(from))}; name that file`;
    throw prepared.file.error(message, ['dataset', 'path']);
  }
  const text = 'the data file is not there: all cases are taken from the record, as it has them from that file';
  const data = recordedData(store, frozen, experiment);
  return { ...prepared, data: { ...data, checks: [note(text), ...groupNotes(data.cases, data.sample, dataset)] } };
}

/** The data of an experiment: from its file, or as in `withRecordedData` from the store at `path`. Throws bad input. */
export async function dataWith(prepared: PreparedExperiment, path: string): Promise<Dataset> {
  if (!isFileGone(prepared) || !existsSync(path)) return readExperimentData(prepared);
  const recorded = await withStore(openStoreReadOnly(path), (store) => store.read(() => withRecordedData(store, prepared)));
  return readExperimentData(recorded);
}
