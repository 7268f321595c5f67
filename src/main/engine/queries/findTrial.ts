// Finds a trial by its id, also one that is only planned.
import { AssizeError } from '../../../shared/errors.ts';
import { loadFrozen } from '../lab/frozen.ts';
import { plannedAs } from '../report/trialLines.ts';
import type { Store } from '../store/store.ts';

/** A trial by its id, also one that is only planned: then it has no row. Throws not-found. */
export function findTrial(store: Store, id: string) {
  const row = store.trials.get(id);
  if (row !== undefined) return { frozen: loadFrozen(store, row.experiment), trial: plannedAs(row), row };
  for (const name of store.experiments.names()) {
    const frozen = loadFrozen(store, name);
    const trial = frozen.trials().find((each) => each.id === id);
    if (trial !== undefined) return { frozen, trial, row };
  }
  throw new AssizeError('not-found', `there is no trial ${id} on the record`, { field: 'trial' });
}
