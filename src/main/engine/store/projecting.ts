// Makes rows of projections from chains, many at a time: trajectories that a store lacks, or the rows of all its trials.
import { setImmediate } from 'node:timers/promises';
import { isTrialChain } from '../../../core/record/identity.ts';
import { AssizeError } from '../../../shared/errors.ts';
import { isDatabaseError } from './databaseError.ts';
import type { Store } from './store.ts';

export interface ProjectingWatch {
  readonly signal?: AbortSignal | undefined;
  /** Called with how many trials of all that need it are done. */
  readonly onProgress?: ((done: number, of: number) => void) | undefined;
}

/** Trials in each transaction: some ten milliseconds, after which the thread does what else there is. */
const trialsPerCommit = 10;

/** Every transaction has whole rows: what is there when it is cut short stays, and only the rest is left. */
async function project(
  store: Store,
  trials: readonly string[],
  one: (trial: string) => void,
  { signal, onProgress }: ProjectingWatch,
): Promise<void> {
  for (let start = 0; start < trials.length && signal?.aborted !== true; start += trialsPerCommit) {
    onProgress?.(start, trials.length);
    store.write(() => trials.slice(start, start + trialsPerCommit).forEach(one));
    await setImmediate();
  }
}

/** Makes the trajectories that a store of an older program lacks; other rows stay. @param experiment only its trials */
export async function addTrajectories(
  store: Store,
  watch: ProjectingWatch = {},
  experiment: string | null = null,
): Promise<void> {
  const add = (trial: string) => {
    try {
      store.trajectories.project(trial);
    } catch (error) {
      // A damaged chain is for `verify` to report, and no reason not to open the store.
      if (isDatabaseError(error)) throw error;
    }
  };
  await project(store, store.trajectories.missing(experiment), add, watch);
}

/** Remakes all rows of trials; returns their number. @throws store-unreadable for a chain without a row, interrupted */
export async function rebuildTrials(store: Store, watch: ProjectingWatch): Promise<number> {
  const trials = store.events.names('').filter(isTrialChain);
  const rebuild = (trial: string) => {
    try {
      store.trials.project(trial);
    } catch (error) {
      if (isDatabaseError(error)) throw error;
      const why = error instanceof Error ? error.message : String(error);
      throw new AssizeError('store-unreadable', `the row of trial ${trial} cannot be rebuilt: ${why}`, { file: store.path });
    }
  };
  await project(store, trials, rebuild, watch);
  if (watch.signal?.aborted === true) throw new AssizeError('interrupted', 'interrupted; run it again to rebuild the other rows');
  return trials.length;
}
