import type { BackendChoice } from '../../../shared/api/engine.ts';
import type { Query } from './query.ts';

/** A run that was under way when the program that made it ended. */
export interface WantedRun {
  readonly experiment: string;
  readonly backend: BackendChoice;
  readonly concurrency: number;
  /** Whether the user had paused it. */
  readonly held: boolean;
  /** How often it had gone on by itself. */
  readonly recoveries: number;
}

export const wantedRuns: Query<null, WantedRun[]> = {
  run: (store) =>
    store.runs.wanted().map(({ experiment, backend, concurrency }) => ({
      experiment,
      backend,
      concurrency,
      held: store.runLog.held(experiment),
      recoveries: store.runLog.recoveries(experiment),
    })),
  withoutStore: () => [],
};
