import type { BackendChoice } from '../../../shared/api/engine.ts';
import { loadFrozen } from '../lab/frozen.ts';
import type { Query } from './query.ts';

/** How an experiment was run last; null where it never was from a screen. Throws not-found for an unknown one. */
export const runOrder: Query<{ experiment: string }, { backend: BackendChoice; concurrency: number } | null> = {
  run(store, { experiment }) {
    loadFrozen(store, experiment);
    const row = store.runs.of(experiment);
    return row === undefined ? null : { backend: row.backend, concurrency: row.concurrency };
  },
};
