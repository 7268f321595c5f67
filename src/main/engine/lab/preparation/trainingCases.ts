import { narrate } from '../../../../core/cases/narrative.ts';
import type { Candidate } from '../../../../core/retrieval/nearest.ts';
import { tellingOf } from '../../../../core/retrieval/sameText.ts';
import type { DatasetCase } from '../../../../shared/domain.ts';
import type { Store } from '../../store/store.ts';
import type { FrozenExperiment } from '../frozen.ts';

/** A case as precedents are found by. */
export interface KnownCase {
  readonly id: string;
  /** Of the stored text. */
  readonly ref: string;
  /** The facts in the form that is compared. */
  readonly narrative: string;
}

export interface TrainingCase extends KnownCase, Candidate {
  /** Its facts: cases with the same are duplicates. */
  readonly telling: string;
}

export const narrativeOf = ({ definition }: FrozenExperiment, { facts }: DatasetCase): string =>
  narrate(facts, definition.dataset.kind);

/** Every case of the training split with one known label, in the order of the source. No other split is looked at. */
export function readTrainingCases(store: Store, frozen: FrozenExperiment): TrainingCase[] {
  return store.datasets.cases(frozen.dataset.id).flatMap(({ id, ref, split }) => {
    if (split !== 'train') return [];
    const kase = store.datasets.read(ref);
    if (typeof kase.truth !== 'string') return [];
    const narrative = narrativeOf(frozen, kase);
    return [{ id, ref, label: kase.truth, narrative, telling: tellingOf(narrative) }];
  });
}
