// How much of an experiment the record has, what became of it, and how long the rest will take.
import { z } from 'zod';
import { lastAttempt } from '../../../core/record/fold.ts';
import { preparationChain, trialId } from '../../../core/record/identity.ts';
import { enough } from '../../../core/schedule/timeLeft.ts';
import type { RunLogReport, RunReportJson } from '../../../shared/commandOutputs.ts';
import type { Outcome } from '../../../shared/domain.ts';
import type { RecordEvent } from '../../../shared/events.ts';
import { isImported } from '../../../shared/imported.ts';
import { isInPart, type Part, partSchema } from '../../../shared/part.ts';
import type { Rest } from '../../../shared/rest.ts';
import { attempt } from '../attempt.ts';
import type { Dataset } from '../datasets/dataset.ts';
import { hasOtherWriter } from '../store/connection.ts';
import { parseChain } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';
import type { TrialRow } from '../store/trials.ts';
import { vectorMaker } from './backends.ts';
import { type FrozenExperiment, loadFrozen } from './frozen.ts';
import { recordedSpace } from './preparation/vectorSpace.ts';
import type { PreparedExperiment } from './preparedArm.ts';

export type RecordedProgress = Readonly<ReturnType<typeof recordedProgress>>;

/** @param part the only trials that count */
export function recordedProgress(store: Store, experiment: string, part?: Part) {
  const isCounted = ({ trial }: TrialRow) => part === undefined || isInPart(part, trial);
  const rows = store.trials.ofExperiment(experiment).filter((row) => !isImported(row) && isCounted(row));
  const done = rows.filter(({ status }) => status === 'done');
  const questions = new Set<string>();
  const vectors = new Map<string, Set<string>>();
  for (const { kind, payload } of parseChain(store.events.chain(preparationChain(experiment)))) {
    if (kind === 'call-answer') questions.add(payload.key.replace(/\/attempt-\d+$/, ''));
    if (kind !== 'embedding-make' || payload.vectors === null) continue;
    const space = recordedSpace(store.blobs.need(payload.setup))?.space;
    // Vectors of an earlier program that are in no space are remade.
    if (space === undefined) continue;
    const { backend, model, numCtx } = space;
    const name = vectorMaker({ backend, model, options: { numCtx } });
    vectors.set(name, new Set([...(vectors.get(name) ?? []), ...payload.cases]));
  }
  return {
    done: new Map([...Map.groupBy(done, ({ arm }) => arm)].map(([arm, rows]) => [arm, rows.length])),
    begun: rows.length - done.length,
    made: {
      questions: questions.size,
      vectors: new Map([...vectors].map(([name, cases]) => [name, cases.size])),
      allDecided: done.every(({ outcome }) => outcome === 'decided'),
    },
  };
}

/** Whether a run still has to do a trial: not begun, not finished, or finished with an outcome that gets a further attempt. */
export const isOpen = (row: Pick<TrialRow, 'status' | 'outcome'> | undefined, retry: readonly Outcome[]): boolean =>
  row === undefined || row.status === 'running' || retry.some((outcome) => outcome === row.outcome);

export function countCalls(store: Store, trial: string): number {
  const events = parseChain(store.events.ofKinds(trial, ['trial-open', 'call-answer']));
  return lastAttempt(events).filter(({ kind }) => kind === 'call-answer').length;
}

/** The trials that a run of an arm makes, also of one that the record does not have yet. */
export const plannedIds = (
  { experiment: { name, replicates } }: PreparedExperiment,
  { sample }: Dataset,
  arm: string,
): string[] =>
  sample.flatMap((id) =>
    Array.from({ length: replicates }, (_none, replicate) => trialId({ experiment: name, arm, case: id, replicate })),
  );

/** Names of the arms that have trials left. */
export function openArms(store: Store, prepared: PreparedExperiment, data: Dataset, retry: readonly Outcome[]): Set<string> {
  const rows = new Map(store.trials.ofExperiment(prepared.experiment.name).map((row) => [row.trial, row]));
  const names = prepared.arms.map(({ definition: { name } }) => name);
  return new Set(names.filter((arm) => plannedIds(prepared, data, arm).some((id) => isOpen(rows.get(id), retry))));
}

/** Whether the answer that a truncated trial ended with repeated itself: the last one that was refused as too long. */
function endedInLoop(events: readonly RecordEvent[]): boolean {
  const cut = lastAttempt(events).flatMap(({ kind, payload }) =>
    (kind === 'call-answer' || kind === 'answer-share') && payload.rejected === 'truncated' ? [payload.done] : [],
  );
  return cut.at(-1) === 'loop';
}

/** How many of these trials ended as truncated because answers repeated themselves until they were cut. */
export const countLooped = (store: Store, rows: readonly Pick<TrialRow, 'trial' | 'outcome'>[]): number =>
  rows.filter(({ trial, outcome }) => outcome === 'truncated' && endedInLoop(parseChain(store.events.chain(trial)))).length;

export type RunReport = Omit<RunReportJson, 'experiment' | 'store' | 'checks' | 'notes'>;

/** How many of its planned trials an experiment has held; undefined where it plans none or its definition was erased. */
function heldOf(store: Store, experiment: string) {
  const trials = attempt(() => loadFrozen(store, experiment).runTrials(), []);
  if (trials.length === 0) return undefined;
  const rows = store.trials.ofExperiment(experiment).filter(({ status }) => status === 'done');
  const ended = new Set(rows.map(({ trial }) => trial));
  const held = trials.filter(({ id }) => ended.has(id)).length;
  const imported = rows.filter(isImported).length;
  return { experiment, held, planned: trials.length, ...(imported === 0 ? {} : { imported }) };
}

/** `heldOf` each experiment that has it. */
export const heldIn = (store: Store) => store.experiments.names().flatMap((experiment) => heldOf(store, experiment) ?? []);

/** What the last run of an experiment does; undefined where the log has none. @param path of the store */
export function runNow(store: Store, experiment: string, path: string): RunLogReport['now'] {
  const words = ['run-start', 'run-hold', 'run-continue'];
  const last = store.runLog.of(experiment).findLast(({ event }) => words.includes(event))?.event;
  const counts = last === undefined ? undefined : heldOf(store, experiment);
  if (counts === undefined) return undefined;
  const isOpen = store.runLog.isOpen(experiment);
  const state = !isOpen ? 'ended' : last === 'run-hold' ? 'paused' : hasOtherWriter(path) ? 'running' : 'interrupted';
  return { done: counts.held, planned: counts.planned, state };
}

export function countOutcomes(
  store: Store,
  frozen: FrozenExperiment,
): Pick<RunReport, 'done' | 'decided' | 'outcomes' | 'standin' | 'looped'> {
  const planned = new Set(frozen.runTrials().map(({ id }) => id));
  const finished = store.trials.ofExperiment(frozen.name).filter(({ trial, status }) => status === 'done' && planned.has(trial));
  const outcomes: Record<string, number> = {};
  for (const { outcome } of finished) if (outcome !== null) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  return {
    done: finished.length,
    decided: outcomes.decided ?? 0,
    outcomes,
    looped: countLooped(store, finished),
    standin: finished.some(({ standin }) => standin === 1),
  };
}

const startSchema = z
  .object({
    /** Trials at a time; 1 where the log does not have it. */
    concurrency: z.int().min(1).catch(1),
    /** Absent where it was of all trials. */
    part: partSchema.optional().catch(undefined),
  })
  .catch({ concurrency: 1 });

/** What the log has of the newest start. */
export const lastStart = (store: Store, experiment: string): z.infer<typeof startSchema> =>
  startSchema.parse(attempt(() => JSON.parse(store.runLog.lastStart(experiment) ?? '{}'), null));

/** Calls that the plan gives a trial of an arm, between the fewest and the most; null where its cases cannot be read. */
function plannedCalls(store: Store, frozen: FrozenExperiment, arm: FrozenExperiment['arms'][number]): number | null {
  const [first] = frozen.sample();
  const stored = first === undefined ? undefined : store.datasets.caseOfId(frozen.dataset.id, first);
  if (stored === undefined) return null;
  const calls = frozen.protocol(arm)?.plannedCalls(frozen.case(store.datasets.read(stored.ref)), frozen.terms(arm).belief);
  return calls === undefined ? null : (calls.min + calls.max) / 2;
}

type Spent = ReadonlyMap<string, ReturnType<Store['trials']['spent']>[number]>;

/** Trials that have not ended, by arm: those of a part one by one, those of all by their number, which is quicker. */
function leftIn(store: Store, frozen: FrozenExperiment, spent: Spent): (arm: string) => number {
  if (frozen.part === undefined) {
    const planned = frozen.sampleSize() * frozen.definition.replicates;
    return (arm) => planned - (spent.get(arm)?.trials ?? 0);
  }
  const ended = new Set(store.trials.ofExperiment(frozen.name).flatMap(({ trial, status }) => (status === 'done' ? trial : [])));
  const left = Map.groupBy(
    frozen.runTrials().filter(({ id }) => !ended.has(id)),
    ({ arm }) => arm,
  );
  return (arm) => left.get(arm)?.length ?? 0;
}

/** Null where no trial shows how long a call takes; undefined where nothing is left to run. */
export function restOf(store: Store, frozen: FrozenExperiment): Rest | null | undefined {
  const spent: Spent = new Map(store.trials.spent(frozen.name).map((each) => [each.arm, each]));
  const leftOf = leftIn(store, frozen, spent);
  const open = frozen.arms.filter((arm) => !isImported(arm) && leftOf(arm.name) > 0);
  if (open.length === 0) return undefined;
  const all = [...spent.values()];
  const callsOfAll = all.reduce((sum, { calls }) => sum + calls, 0);
  if (callsOfAll === 0) return null;
  const msOfCall = all.reduce((sum, { wallMs }) => sum + wallMs, 0) / callsOfAll;
  const rest = { calls: 0, seconds: 0, at_a_time: lastStart(store, frozen.name).concurrency, first_guess: false };
  for (const arm of open) {
    const known = spent.get(arm.name);
    const left = leftOf(arm.name);
    const calls = known === undefined ? plannedCalls(store, frozen, arm) : known.calls / known.trials;
    if (calls === null) return null;
    rest.calls += left * calls;
    rest.seconds += (left * (known === undefined ? calls * msOfCall : known.wallMs / known.trials)) / 1000;
    if ((known?.trials ?? 0) < enough) rest.first_guess = true;
  }
  return rest;
}
