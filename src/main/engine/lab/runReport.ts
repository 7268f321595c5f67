// The result of a run.
import { type Check, sentenceOf } from '../../../shared/checks.ts';
import type { RunReportJson } from '../../../shared/commandOutputs.ts';
import type { Store } from '../store/store.ts';
import type { FrozenExperiment } from './frozen.ts';
import { countLooped } from './recordedProgress.ts';
import type { Stopped } from './stopping.ts';

export interface RunReport
  extends Pick<RunReportJson, 'planned' | 'done' | 'outcomes' | 'looped' | 'waiting' | 'complete' | 'standin'> {
  readonly finishedNow: number;
  /** Where the experiment's stopping rule ended the run; null where it has not. */
  readonly stopped: Stopped | null;
}

export function countOutcomes(
  store: Store,
  frozen: FrozenExperiment,
): Pick<RunReport, 'done' | 'outcomes' | 'standin' | 'looped'> {
  const planned = new Set(frozen.runTrials().map(({ id }) => id));
  const finished = store.trials.ofExperiment(frozen.name).filter(({ trial, status }) => status === 'done' && planned.has(trial));
  const outcomes: Record<string, number> = {};
  for (const { outcome } of finished) if (outcome !== null) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  return {
    done: finished.length,
    outcomes,
    looped: countLooped(store, finished),
    standin: finished.some(({ standin }) => standin === 1),
  };
}

/** The result of a run, as `assize run --json` prints it. */
export function runReport(report: RunReport, experiment: string, store: string, checks: Check[]): RunReportJson {
  const { planned, done, finishedNow, outcomes, looped, waiting, complete, standin, stopped } = report;
  const decided = outcomes.decided ?? 0;
  return {
    experiment,
    store,
    planned,
    done,
    finished_now: finishedNow,
    decided,
    outcomes,
    looped,
    complete,
    ...(stopped === null ? {} : { stopped }),
    waiting,
    standin,
    checks,
    notes: checks.map(sentenceOf),
  };
}
