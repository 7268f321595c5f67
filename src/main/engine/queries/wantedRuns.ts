import { AssizeError } from '../../../shared/errors.ts';
import { isImported } from '../../../shared/imported.ts';
import { loadFrozen } from '../lab/frozen.ts';
import { pendingTrials } from '../lab/runner.ts';
import { isAboutPart, isDatabaseError } from '../store/databaseError.ts';
import type { RunRow } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import type { Query } from './query.ts';
import { tallyArms } from './tally.ts';

/** A run that has not ended on the record: it is under way, or the program that made it ended before. */
export type WantedRun = Readonly<ReturnType<typeof wantedOf>>;

function wantedOf(store: Store, { experiment, backend, concurrency, retry }: RunRow) {
  const frozen = loadFrozen(store, experiment);
  const imported = new Set(frozen.arms.filter(isImported).map(({ name }) => name));
  const own = tallyArms(store, frozen).arms.filter(({ name }) => !imported.has(name));
  const sum = (count: (arm: (typeof own)[number]) => number) => own.reduce((total, arm) => total + count(arm), 0);
  return {
    experiment,
    backend,
    concurrency,
    held: store.runLog.held(experiment),
    /** When a paused run is to continue by itself; null where the user decides. */
    heldUntil: store.runLog.heldUntil(experiment),
    /** How often it had continued by itself. */
    recoveries: store.runLog.recoveries(experiment),
    /** Whether the program was closed; otherwise it ended in another way, or runs. */
    closed: store.runLog.closed(experiment),
    planned: sum(({ planned }) => planned),
    done: sum(({ done }) => done),
    decided: sum(({ outcomes }) => outcomes.decided ?? 0),
    /** Trials that it has still to do. */
    open: pendingTrials(store, frozen, { retry, retried: store.runs.retried(experiment) }).length,
  };
}

export interface WantedRuns {
  readonly runs: readonly WantedRun[];
  /** Runs of which nothing can be said, for an unexpected reason. */
  readonly failures: readonly { readonly experiment: string; readonly error: unknown }[];
}

/** `ours`: those that this start of the program made; otherwise those of all others. */
export const wantedRuns: Query<{ session: string; ours: boolean }, WantedRuns> = {
  run(store, { session, ours }) {
    const runs: WantedRun[] = [];
    const failures: { experiment: string; error: unknown }[] = [];
    for (const run of store.runs.unended()) {
      if ((run.session === session) !== ours) continue;
      try {
        runs.push(wantedOf(store, run));
      } catch (error) {
        if (isDatabaseError(error) && !isAboutPart(error)) throw error;
        // A run that another version began cannot continue: its screens say why. No run may hide the others.
        if (!(error instanceof AssizeError)) failures.push({ experiment: run.experiment, error });
      }
    }
    return { runs, failures };
  },
  withoutStore: () => ({ runs: [], failures: [] }),
};
