// Which trials a run still has to do, in which order, and with how many calls.
import { orderTrials, type Schedulable } from '../../../core/schedule/order.ts';
import type { CallsLeft } from '../../../core/schedule/pools.ts';
import type { Outcome } from '../../../shared/domain.ts';
import type { CastMember } from '../../../shared/experiment.ts';
import type { Store } from '../store/store.ts';
import { type FrozenExperiment, type PlannedTrial, refuseOtherVersions } from './frozen.ts';
import { countCalls, isOpen } from './recordedProgress.ts';
import { stoppingRule } from './stopping.ts';

export interface WantedTrials {
  readonly retry: readonly Outcome[];
  /** Trials that have had their further attempt already; none where absent. */
  readonly retried?: ReadonlySet<string>;
  /** The only trial of the run; all that are open where absent. */
  readonly only?: string | undefined;
}

export function playersOf(frozen: FrozenExperiment, armName: string): CastMember[] {
  const arm = frozen.arms.find(({ name }) => name === armName);
  return arm === undefined ? [] : Object.values(frozen.terms(arm).cast);
}

export type PendingTrial = PlannedTrial & Schedulable;

/** Trials still to do, in order, those that wait for a moderator too. Throws bad input where another version began some. */
export function pendingTrials(store: Store, frozen: FrozenExperiment, { retry, retried, only }: WantedTrials): PendingTrial[] {
  const rows = new Map(store.trials.ofExperiment(frozen.name).map((row) => [row.trial, row]));
  const position = new Map(frozen.sample().map((id, index) => [id, index]));
  const rule = stoppingRule(store, frozen);
  const pending = frozen.runTrials().flatMap((trial) => {
    const row = rows.get(trial.id);
    if (row === undefined && rule?.wants(trial) === false) return [];
    if (only !== undefined && trial.id !== only) return [];
    return isOpen(row, retried?.has(trial.id) === true ? [] : retry)
      ? [{ ...trial, position: position.get(trial.caseId) ?? 0, running: row?.status === 'running' }]
      : [];
  });
  if (pending.length > 0) refuseOtherVersions(store, frozen);
  if (frozen.definition.runtime.order === 'as-written') return pending;
  const modelsOf = (arm: string) => playersOf(frozen, arm).map(({ backend, model }) => `${backend} ${model}`);
  return orderTrials(pending, modelsOf, rule !== null);
}

/** Divides trials by whether they wait for their moderator: those cannot continue, and hold nothing up. */
export function divideWaiting<T extends PlannedTrial>(store: Store, experiment: string, trials: readonly T[]) {
  const unanswered = new Set(store.trials.waiting(experiment));
  return { open: trials.filter(({ id }) => !unanswered.has(id)), waiting: trials.filter(({ id }) => unanswered.has(id)) };
}

/** Calls that each trial may still take: those that an earlier run made are repeated from the record, and take no time. */
export function callsOfTrials(store: Store, frozen: FrozenExperiment, trials: readonly PendingTrial[]): Map<string, number> {
  const byArm = new Map<string, number>();
  for (const { arm: name, caseId } of trials) {
    const arm = frozen.arms.find((each) => each.name === name);
    const stored = store.datasets.caseOfId(frozen.dataset.id, caseId);
    if (byArm.has(name) || arm === undefined || stored === undefined) continue;
    const kase = frozen.case(store.datasets.read(stored.ref));
    byArm.set(name, frozen.protocol(arm)?.plannedCalls(kase, frozen.terms(arm).belief).max ?? 1);
  }
  const made = ({ id, running }: PendingTrial) => (running ? countCalls(store, id) : 0);
  return new Map(trials.map((trial) => [trial.id, Math.max(0, (byArm.get(trial.arm) ?? 1) - made(trial))]));
}

/** Counts down the calls that are still to come. @param backendsOf names the servers of an arm, each once */
export function callsToCome(
  trials: readonly PendingTrial[],
  callsOf: ReadonlyMap<string, number>,
  backendsOf: (arm: string) => Iterable<string>,
) {
  const all = new Map<string, number>();
  const left = new Map(callsOf);
  const add = (arm: string, calls: number) => {
    for (const backend of backendsOf(arm)) all.set(backend, (all.get(backend) ?? 0) + calls);
  };
  for (const { id, arm } of trials) add(arm, left.get(id) ?? 0);
  const take = ({ id, arm }: PlannedTrial, most: number) => {
    const taken = Math.min(most, left.get(id) ?? 0);
    left.set(id, (left.get(id) ?? 0) - taken);
    add(arm, -taken);
  };
  return {
    made: (trial: PlannedTrial) => take(trial, 1),
    /** No further call of the trial comes. */
    ended: (trial: PlannedTrial) => take(trial, Number.POSITIVE_INFINITY),
    of: (backend: string, { id }: PlannedTrial): CallsLeft => ({
      all: all.get(backend) ?? 0,
      ofTrial: Math.max(1, left.get(id) ?? 1),
    }),
  };
}
