// The data set of an experiment as the record has it, for what is tried again without its file.

import { isMultiLabel } from '../datasets/cases.ts';
import type { Dataset } from '../datasets/dataset.ts';
import type { Store } from '../store/store.ts';
import type { FrozenExperiment } from './frozen.ts';

/** Throws `ErasedText` where a case of it was erased. */
export function recordedData(store: Store, { name, dataset, definition, sample }: FrozenExperiment): Dataset {
  const stored = store.datasets.cases(dataset.id);
  const { labels = [], positive = null } = definition.dataset;
  return {
    cases: stored.map(({ ref }) => store.datasets.read(ref)),
    splits: new Map(stored.map(({ id, split }) => [id, split])),
    sample: sample(),
    labels: [...labels],
    positive,
    multiLabel: isMultiLabel(definition.dataset),
    fileHash: '',
    fileRef: store.experiments.history(name).at(-1)?.payload.dataset.file ?? '',
    rowCount: stored.length,
    checks: [],
  };
}
