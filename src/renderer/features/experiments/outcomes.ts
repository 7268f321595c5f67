import { plannedFor, type Run } from '../../../shared/api/engine.ts';
import type { ExperimentSummary } from '../../../shared/api/experiments.ts';
import type { Outcome } from '../../../shared/domain.ts';
import { andImported } from '../../../shared/imported.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import { partWords } from '../../../shared/part.ts';
import { timeOfDay } from '../../ui/PlanAt.tsx';
import { quantity, quantityOf } from '../../ui/quantity.ts';

/** What can be done so that a further attempt may end otherwise; null where the same answer would come again. */
const remedies: Readonly<Partial<Record<Outcome, string>>> = {
  timeout: 'Another attempt may be quicker on a machine with less to do.',
  backend_error: 'Open one of these trials: the call in red there says which server failed, and how.',
  truncated: 'Another attempt has a new seed; a larger limit of answer tokens needs a new experiment.',
  overflow: 'A larger context needs a new experiment.',
  malformed: 'Another attempt has a new seed.',
  invalid_label: 'Another attempt has a new seed.',
};

export const remedyFor = (outcome: string): string | null =>
  Object.hasOwn(remedies, outcome) ? (remedies[outcome as Outcome] ?? null) : null;

/** Why a run does nothing now. */
export const givesWayText =
  'A trial that was started by hand goes first at its server. Calls of this run wait there, and then continue by themselves.';

type Tally = Pick<ExperimentSummary, 'planned' | 'done' | 'running' | 'outcomes' | 'altered'>;

export interface Counts {
  readonly decided: number;
  readonly failed: number;
  /** Failure outcomes with their counts, the most frequent first. */
  readonly failures: readonly { outcome: string; trials: number }[];
  readonly queued: number;
}

/** A failure is counted as itself: finished is decided plus each kind of failure. */
export function countsOf({ planned, done, running, outcomes, altered = 0 }: Tally): Counts {
  const failures = Object.entries(outcomes)
    .filter(([outcome, trials]) => outcome !== 'decided' && trials > 0)
    .map(([outcome, trials]) => ({ outcome, trials }))
    .toSorted((one, other) => other.trials - one.trials || one.outcome.localeCompare(other.outcome));
  const failed = failures.reduce((sum, { trials }) => sum + trials, 0);
  return { decided: outcomes.decided ?? 0, failed, failures, queued: Math.max(0, planned - done - running - altered) };
}

type Summary = Tally & Pick<ExperimentSummary, 'imported' | 'imported_outcomes' | 'part'>;

/** How far an experiment, or the part of it that is run here, has come; imports were never planned and are counted apart, or are all. */
export function progressOf(summary: Summary) {
  const { part, imported, imported_outcomes: apart } = summary;
  const { planned, done, running, outcomes } = part ?? summary;
  if (imported) return { ...countsOf(summary), running, planned, done: quantity(done, 'imported trial'), imported: '' };
  const trials = Object.values(apart).reduce((sum, each) => sum + each, 0);
  const own = Object.entries(outcomes).map(([outcome, all]) => [outcome, all - (apart[outcome] ?? 0)] as const);
  const tally = { ...summary, running, planned: planned - trials, done: done - trials, outcomes: Object.fromEntries(own) };
  const words = `${part === undefined ? '' : `${partWords(part)}: `}${quantityOf(tally.done, tally.planned, 'trial')}`;
  return { ...countsOf(tally), running, planned: tally.planned, done: words, imported: andImported(trials) };
}

/** Arms with the counts of a part of their trials, as a report over it has them; arms that it leaves out are left out. */
export function armsOfPart<Arm extends Tally & { readonly name: string }>(
  arms: readonly Arm[],
  report: Pick<StatsReport, 'arms'>,
): Arm[] {
  const byName = new Map(report.arms.map((figures) => [figures.arm, figures]));
  return arms.flatMap((arm) => {
    const figures = byName.get(arm.name);
    if (figures === undefined) return [];
    const { planned, n, decided, failures } = figures;
    return [{ ...arm, planned, done: n, running: 0, outcomes: { decided, ...failures } }];
  });
}

const unfinished = 'not finished';
const states: Readonly<Record<Run['state'], string>> = {
  running: 'running',
  waiting: 'waiting for the server',
  paused: 'paused',
  stopping: 'stopping',
  finished: 'finished',
  stopped: 'stopped',
  failed: 'ended by an error',
  interrupted: 'interrupted',
};

/** Whether trials are still to come that can: results are so far. */
export const isOpen = ({
  planned,
  done,
  ...of
}: Pick<ExperimentSummary, 'planned' | 'done' | 'erased' | 'stopped_by_rule'>): boolean =>
  done < planned && of.erased === null && !of.stopped_by_rule;

/** What an experiment's pill says; of an earlier start's run only what it left. @param writtenElsewhere another program writes */
export function stateText(
  summary: Pick<
    ExperimentSummary,
    'run' | 'planned' | 'done' | 'part' | 'erased' | 'stopped_by_rule' | 'open_run' | 'server_away'
  >,
  writtenElsewhere = false,
): string | null {
  const { run, part } = summary;
  const { planned, done } = part ?? summary;
  if (writtenElsewhere && summary.open_run)
    return `another program is running this${summary.server_away ? '; a server does not answer' : ''}`;
  // A run of one trial alone finishes and leaves others open.
  const tally = run?.state === 'finished' ? run : { planned, done };
  const at = plannedFor(run);
  if (at !== null) return `planned for ${timeOfDay(at)}`;
  if (run !== null && run.state !== 'finished') return states[run.state];
  if (isOpen({ ...summary, ...tally })) return unfinished;
  if (run === null && done < planned) return null;
  return part === undefined ? states.finished : `${partWords(part)} finished`;
}

export const runText = (state: Run['state']): string => states[state];

const waiting: readonly (string | null)[] = [states.waiting, states.stopped, states.failed, states.interrupted, unfinished];

/** Why the run of an experiment waits to be continued or for a server, as its pill says it; null where it does not. */
export function waitingText(...of: Parameters<typeof stateText>): string | null {
  const text = stateText(...of);
  return waiting.includes(text) ? text : null;
}
