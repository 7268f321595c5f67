// Finds a trial by its id, also one that is only planned.
import { AssizeError } from '../../../shared/errors.ts';
import { type FrozenExperiment, loadFrozen, type PlannedTrial } from '../lab/frozen.ts';
import { plannedAs } from '../report/trialLines.ts';
import type { Store } from '../store/store.ts';
import type { TrialRow } from '../store/trials.ts';

interface FoundTrial {
  readonly frozen: FrozenExperiment;
  readonly trial: PlannedTrial;
  /** Undefined while the trial has not begun. */
  readonly row: TrialRow | undefined;
}

/** A trial by its id, also one that is only planned. Throws not-found. */
export function findTrial(store: Store, id: string): FoundTrial {
  const row = store.trials.get(id);
  if (row !== undefined) return { frozen: loadFrozen(store, row.experiment), trial: plannedAs(row), row };
  for (const name of store.experiments.names()) {
    const frozen = loadFrozen(store, name);
    const trial = frozen.trials().find((each) => each.id === id);
    if (trial !== undefined) return { frozen, trial, row };
  }
  throw new AssizeError('not-found', `there is no trial ${id} on the record`, { field: 'trial' });
}
