import { type Check, sentenceOf } from '../../../shared/checks.ts';
import type { RunReportJson } from '../../../shared/outputs.ts';
import type { RunReport } from './runner.ts';

/** What a run came to, as `assize run --json` prints it. */
export function runReport(report: RunReport, experiment: string, store: string, checks: Check[]): RunReportJson {
  const { planned, done, finishedNow, outcomes, looped, waiting, complete, standin } = report;
  const decided = outcomes.decided ?? 0;
  return {
    experiment,
    store,
    planned,
    done,
    finished_now: finishedNow,
    decided,
    outcomes: { ...outcomes },
    looped,
    complete,
    waiting,
    standin,
    checks,
    notes: checks.map(sentenceOf),
  };
}
