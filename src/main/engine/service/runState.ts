// What screens are told of a run.
import type { Run } from '../../../shared/api/engine.ts';
import type { RunProgress } from '../lab/progressMeter.ts';
import type { WantedRun } from '../queries/wantedRuns.ts';

const before: Pick<Run, 'planned' | 'done' | 'decided' | 'calls' | 'finished_now'> = {
  planned: 0,
  done: 0,
  decided: 0,
  calls: 0,
  finished_now: 0,
};

/** A run of which nothing is done yet. */
export function newRun(experiment: string, order: Pick<Run, 'backend' | 'concurrency' | 'resumed'>, state: Run['state']): Run {
  const { backend, concurrency, resumed } = order;
  return {
    experiment,
    state,
    backend,
    concurrency,
    ...before,
    per_minute: null,
    seconds_left: null,
    seconds_left_range: null,
    waiting_for: null,
    gives_way: false,
    paused_until: null,
    error: null,
    resumed,
  };
}

/** A run that the end of the program interrupted. */
export const interruptedRun = ({ recoveries, heldUntil, planned, done, decided, ...order }: WantedRun): Run => ({
  ...newRun(order.experiment, { ...order, resumed: recoveries }, 'interrupted'),
  ...{ planned, done, decided, paused_until: heldUntil },
});

export const progressOf = (progress: RunProgress) => ({
  planned: progress.planned,
  done: progress.done,
  decided: progress.decided,
  calls: progress.calls,
  finished_now: progress.finishedNow,
  per_minute: progress.perMinute,
  seconds_left: progress.secondsLeft,
  seconds_left_range: progress.secondsLeftRange,
  waiting_for: progress.paused,
});
