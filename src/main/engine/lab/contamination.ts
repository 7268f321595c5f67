// Whether the data of an experiment look like a public data set that models have probably read.
import { contaminationOf } from '../../../core/cases/knownDataSets.ts';
import { refOf } from '../../../core/record/hash.ts';
import type { Fact } from '../../../shared/domain.ts';
import type { DatasetDefinition } from '../../../shared/experiment.ts';
import type { Contamination } from '../../../shared/outputs.ts';
import type { Dataset } from '../datasets/dataset.ts';
import type { Store } from '../store/store.ts';
import type { FrozenExperiment } from './frozen.ts';
import type { PreparedExperiment } from './preparedArm.ts';

/** Columns that the definition names, and those that are facts of a case. */
const columnsOf = ({ id, label, exclude, groups }: DatasetDefinition, facts: readonly Fact[]): string[] => [
  ...[id, label?.column].flatMap((column) => column ?? []),
  ...exclude,
  ...groups,
  ...facts.map(({ name }) => name),
];

/** What data that are about to be tried look like; null where they are not known. */
export function contaminationOfData({ experiment: { dataset } }: PreparedExperiment, data: Dataset): Contamination | null {
  return contaminationOf({
    file: dataset.path,
    columns: columnsOf(dataset, data.cases.find(({ facts }) => facts.length > 0)?.facts ?? []),
    hasHash: (hash) => hash === data.fileHash,
  });
}

/** What the data of a recorded experiment look like; null where they are not known. Erased cases have no columns left. */
export function contaminationOfRecord(store: Store, { name, definition, dataset }: FrozenExperiment): Contamination | null {
  const [first] = store.datasets.eachCase(dataset.id);
  const file = store.experiments.history(name).at(-1)?.payload.dataset.file;
  return contaminationOf({
    file: definition.dataset.path,
    columns: columnsOf(definition.dataset, first === undefined ? [] : store.datasets.outline(first.ref).facts),
    hasHash: (hash) => file === refOf(dataset.salt, hash),
  });
}
