// What the cases of an experiment show before a trial: whether models have probably read them, and whether an arm can be right on them.
import { contaminationOf } from '../../../core/cases/knownDataSets.ts';
import { refOf } from '../../../core/record/hash.ts';
import type { Fact, Truth } from '../../../shared/domain.ts';
import type { DatasetDefinition } from '../../../shared/experiment.ts';
import type { Contamination } from '../../../shared/outputs.ts';
import type { Dataset } from '../datasets/dataset.ts';
import type { Store } from '../store/store.ts';
import type { FrozenExperiment } from './frozen.ts';
import type { PreparedExperiment } from './preparedArm.ts';

const columnsOf = ({ id, label, exclude, groups }: DatasetDefinition, facts: readonly Fact[]): string[] => [
  ...[id, label?.column].flatMap((column) => column ?? []),
  ...exclude,
  ...groups,
  ...facts.map(({ name }) => name),
];

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

type TruthCounts = ReadonlyMap<string, number>;

/** How many cases each label is the truth of; cases with several labels, or without a known truth, are in no count. */
export function countTruths(truths: readonly Truth[]): TruthCounts {
  const counts = new Map<string, number>();
  for (const truth of truths) if (typeof truth === 'string') counts.set(truth, (counts.get(truth) ?? 0) + 1);
  return counts;
}

export const casesOutside = (labels: readonly string[], counts: TruthCounts): number =>
  [...counts].reduce((sum, [label, cases]) => sum + (labels.includes(label) ? 0 : cases), 0);

// A view is read again with every trial that ends, and truths of a frozen sample never change.
const kept = new Map<string, TruthCounts>();
const mostKept = 50;

function truthsOnTrial(store: Store, frozen: FrozenExperiment): TruthCounts {
  const key = `${store.path} ${frozen.freeze}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const truthOf = (id: string): Truth => {
    const stored = store.datasets.caseOfId(frozen.dataset.id, id);
    return (stored === undefined ? undefined : store.datasets.outline(stored.ref))?.truth ?? null;
  };
  const counts = countTruths(frozen.sample().map(truthOf));
  const [oldest] = kept.keys();
  if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest);
  kept.set(key, counts);
  return counts;
}

/** Undefined where the arm can be right on every case. */
export function answerable(store: Store, frozen: FrozenExperiment, arm: FrozenExperiment['arms'][number]) {
  const all = frozen.definition.dataset.labels ?? [];
  const labels = frozen.protocol(arm)?.contested(all) ?? all;
  if (all.every((label) => labels.includes(label))) return undefined;
  const outside = casesOutside(labels, truthsOnTrial(store, frozen));
  const of = frozen.sampleSize();
  return outside === 0 ? undefined : { cases: of - outside, of };
}
