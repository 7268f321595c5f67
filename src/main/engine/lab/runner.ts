// Runs the open trials of an experiment, several at a time.
import type { CallReport, Effects, PreparedCall } from '../../../core/record/effects.ts';
import { openTrials } from '../../../core/schedule/waves.ts';
import { AssizeError } from '../../../shared/errors.ts';
import { BackendOutage } from '../../../shared/model.ts';
import type { Part } from '../../../shared/part.ts';
import { readOnce } from '../../../shared/remembered.ts';
import type { Rest } from '../../../shared/rest.ts';
import { presentModel } from '../models/ollama.ts';
import type { RunEnding } from '../store/runLog.ts';
import type { Store } from '../store/store.ts';
import type { TrialRow } from '../store/trials.ts';
import { statementRater } from './assistant/statements.ts';
import type { ReadyBackend } from './backends.ts';
import { type CallListener, countedCalls } from './countedCalls.ts';
import type { FrozenExperiment, PlannedTrial } from './frozen.ts';
import { callsAtATime, type Lane, lanesOf, poolsIn, trialsAtATime } from './lanes.ts';
import { type OpenLane, openLanes } from './openLanes.ts';
import {
  callsOfTrials,
  callsToCome,
  divideWaiting,
  type PendingTrial,
  pendingTrials,
  playersOf,
  type WantedTrials,
} from './pendingTrials.ts';
import { callPerformer, type PerformerOptions } from './performer.ts';
import { openPreparations } from './preparation/preparations.ts';
import { progressMeter, type RunProgress } from './progressMeter.ts';
import { countCalls, countOutcomes, type RunReport, restOf } from './recordedProgress.ts';
import { answersToReuse } from './reusedAnswers.ts';
import type { Hold } from './seenServers.ts';
import { serverKnowledge } from './serverKnowledge.ts';
import { stoppingRule } from './stopping.ts';
import { runTrial, type TrialChange } from './trialRun.ts';
import { recordedDigests, runWeights } from './weights.ts';

export interface RunOptions extends WantedTrials, Pick<PerformerOptions, 'retryPauseMs' | 'lookAgainMs'> {
  /** Trials at once at a server without a number in the experiment; null: one a slot. Calls: `callsAtATime`. */
  readonly concurrency: number | null;
  /** Slots of each model of our own Ollama, which does not report them itself. */
  readonly slots?: number | null;
  readonly maxTrials: number | null;
  /** As this run asks them; absent: as the experiment has them. */
  readonly backends?: FrozenExperiment['definition']['backends'];
  readonly signal: AbortSignal;
  /** For the log of the runs: why the signal fired. */
  readonly whyEnded?: () => RunEnding;
  readonly onProgress: (progress: RunProgress) => void;
  /** Called once, before anything is asked, with what earlier runs left: trials that are done, and those begun and not ended; `rest` as `restOf`. */
  readonly onBegin?: (before: {
    readonly planned: number;
    readonly done: number;
    readonly begun: number;
    /** Trials that this run opens at most. */
    readonly wanted: number;
    readonly part: Part | undefined;
    readonly rest: Rest | null | undefined;
  }) => void;
  readonly hold?: Hold;
  /** Called with what to know of the weights that answer, in a sentence. */
  readonly onWarning?: (sentence: string) => void;
  readonly onTrial?: (trial: string, what: TrialChange) => void;
  /** For the log of the runs: the cases are from the record, because their data file was not there. */
  readonly isFileGone?: boolean;
  /** What the machine is, for the log of the runs. */
  readonly machine?: Readonly<Record<string, unknown>>;
  /** Called for every call that is made for a model's words; `trial` is null where several trials share the call. */
  readonly onCall?: (call: PreparedCall, trial: PlannedTrial | null) => CallListener;
}

const interrupted = () => new AssizeError('interrupted', 'interrupted; every answer so far is kept, run again to continue');

const isInterruption = (error: unknown) => error instanceof AssizeError && error.code === 'interrupted';

/** A server that kept a prompt's computation could answer the next one a little differently. */
async function unloadModels(
  frozen: FrozenExperiment,
  armName: string,
  backends: ReadonlyMap<string, ReadyBackend>,
  signal: AbortSignal,
): Promise<void> {
  for (const { backend, model } of playersOf(frozen, armName)) {
    try {
      const server = backends.get(backend);
      if (server !== undefined) await presentModel(server.model).unload?.(model, signal);
    } catch (error) {
      // A server that is away has nothing loaded; the calls that follow wait for it.
      if (!(error instanceof BackendOutage)) throw error;
    }
  }
}

/** Runs open trials until all are done, a limit is reached or the signal fires. @throws no-backend, missing-model, interrupted */
export async function runExperiment(
  store: Store,
  frozen: FrozenExperiment,
  backends: ReadonlyMap<string, ReadyBackend>,
  options: RunOptions,
): Promise<RunReport> {
  const planned = frozen.runTrials().length;
  const pending = divideWaiting(store, frozen.name, pendingTrials(store, frozen, options));
  const queue = pending.open.slice(0, options.maxTrials ?? undefined);
  let parked: readonly PendingTrial[] = pending.waiting;
  /** A trial whose moderator has answered since it was parked. */
  const answered = (): PendingTrial | undefined => {
    if (parked.length === 0 || options.maxTrials !== null) return undefined;
    const [next] = divideWaiting(store, frozen.name, parked).open;
    parked = parked.filter(({ id }) => id !== next?.id);
    return next;
  };
  const begun = countOutcomes(store, frozen);
  const outcomes = { ...begun.outcomes };
  const reopened = queue.flatMap(({ id }) => store.trials.get(id)?.outcome ?? []);
  for (const outcome of reopened) outcomes[outcome] = (outcomes[outcome] ?? 0) - 1;
  const callsOf = callsOfTrials(store, frozen, queue);
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const log = (event: Parameters<Store['runLog']['add']>[1], detail: Record<string, unknown> = {}) =>
    store.write(() => store.runLog.add(frozen.name, event, detail));

  const servers = options.backends ?? frozen.definition.backends;
  const { reproducible, waitMinutes, order } = frozen.definition.runtime;
  /** What a number at a time is of a server that is asked; 1 where the same answers are to come again. */
  const ofEach = (atATime: typeof callsAtATime) =>
    new Map(
      [...backends].map(([name, { slots, model }]) => {
        // The one that can move is our own.
        const known = slots ?? (model.present === undefined ? null : options.slots) ?? null;
        return [name, reproducible ? 1 : atATime(servers[name] ?? {}, options.concurrency, known)];
      }),
    );
  const trialsAt = ofEach(trialsAtATime);
  const callsAt = ofEach(callsAtATime);
  const pools = poolsIn({ ...frozen.definition, backends: servers });
  const inPool = (name: string, atATime: ReadonlyMap<string, number>) =>
    (pools.get(name) ?? [name]).reduce((sum, server) => sum + (atATime.get(server) ?? 1), 0);
  const away = new Map<string, NonNullable<RunProgress['paused']>>();
  /** A server that calls wait for: none shares them, or those that do are away too. */
  const waitsFor = () =>
    [...away.values()].filter(({ backend }) => pools.get(backend)?.every((server) => away.has(server)) === true);
  const tellPause = (): boolean => {
    const waits = waitsFor();
    meter.paused(waits.at(-1) ?? null, new Set(waits.map(({ backend }) => backend)));
    return waits.length > 0;
  };
  const addresses = new Map([...backends].map(([name, { model }]) => [name, model.url]));
  const known = serverKnowledge(store, frozen, backends, pools);
  const backendsOf = readOnce((arm: string) => new Set(playersOf(frozen, arm).map(({ backend }) => backend)));
  const toCome = callsToCome(queue, callsOf, backendsOf);
  const rule = stoppingRule(store, frozen);
  const isWritten = order === 'as-written';
  const isOrdered = rule !== null || isWritten;
  const byServer = lanesOf(
    queue,
    (arm) => [...backendsOf(arm)],
    (name) => inPool(name, trialsAt),
  );
  const inOneLane = (width: number): Lane<PendingTrial>[] => [{ trials: [...queue], servers: [], width }];
  // With a stopping rule no arm runs ahead of the others, and in the order of the file none before one that is above it.
  const widthOfAll = byServer.reduce((sum, { width }) => sum + width, 0);
  const divided = reproducible ? inOneLane(1) : isOrdered ? inOneLane(widthOfAll) : byServer;
  const startedAt = performance.now();
  const meter = progressMeter({
    planned,
    done: begun.done - reopened.length,
    outcomes,
    queues: divided.map(({ servers: names, trials }) => ({
      servers: (names.length === 0 ? [...pools.keys()] : names).flatMap((name) => pools.get(name) ?? [name]),
      trials: trials.map(({ id, arm, running }) => {
        const made = running ? countCalls(store, id) : 0;
        return { id, arm, made, calls: callsOf.get(id) ?? 1 };
      }),
    })),
    spent: store.trials.spent(frozen.name),
    modelsOf: readOnce((arm: string) => playersOf(frozen, arm).map(({ model }) => model)),
    elapsedMs: () => performance.now() - startedAt - (options.hold?.heldMs() ?? 0),
    onProgress: options.onProgress,
  });
  const weights = runWeights(backends, pools, {
    recorded: () => recordedDigests(store, frozen.name),
    signal,
    onWarning(model, sentence) {
      log('run-warning', { kind: 'weights', model, sentence });
      options.onWarning?.(sentence);
    },
  });
  const performer = callPerformer(backends, {
    ...options,
    signal,
    times: known.times,
    callsLeft: (backend, trial) => toCome.of(backend, trial),
    limits: callsAt,
    pools,
    waitMs: waitMinutes * 60_000,
    unfit: weights.unfit,
    onPause(backend, reason) {
      away.set(backend, { backend, reason, minutes: waitMinutes });
      log('run-pause', { backend, reason, waits: tellPause() });
    },
    onResume(backend) {
      away.delete(backend);
      log('run-resume', { backend, waits: tellPause() });
    },
    onMove(backend, url) {
      log('run-move', { backend, url });
      addresses.set(backend, url);
    },
  });

  const { hold, onTrial, onCall } = options;
  const { perform, shared } = countedCalls({
    meter,
    performer,
    ...{ hold, onCall },
    // Of servers that share calls, the address says which one answered.
    serverOf: (backend, url) => pools.get(backend)?.find((name) => addresses.get(name) === url) ?? backend,
    onReport: (call, report, trial) => learn(call, report, trial),
  });
  const preparations = openPreparations(store, frozen, backends, shared);
  const reused = answersToReuse(store, frozen, performer.seen);
  const rate = statementRater(frozen, shared);
  const effectsOf = (trial: PlannedTrial, lane: OpenLane): Effects => ({
    ...preparations.effects(trial),
    ...reused.effects(trial, (isWaiting) => underWay.waits(trial, lane, isWaiting)),
    rate,
    async perform(call) {
      await underWay.turnOf(trial, lane);
      const report = await perform(call, trial);
      underWay.goOn(lane);
      return report;
    },
  });

  const learned = new Map(
    divided.flatMap(({ servers: names, width }) =>
      names.map((name) => [name, openTrials(Math.max(width, inPool(name, callsAt)))] as const),
    ),
  );
  const learn = (
    { backend, request: { model } }: PreparedCall,
    { result, wallMs, sentTo }: CallReport,
    trial: PlannedTrial | null,
  ) => {
    if (trial !== null) toCome.made(trial);
    if (result === null) return;
    const atMs = performance.timeOrigin + performance.now();
    const answer = { server: String(sentTo.url), model, loadMs: result.loadMs, wallMs, atMs };
    const isAgain = known.answered(backend, answer, trial?.arm);
    const open = learned.get(backend);
    const before = open?.atATime() ?? null;
    open?.answered(answer, isAgain);
    const trials = open?.atATime() ?? null;
    if (trials === before) return;
    try {
      log('run-wave', { backend, trials });
    } catch {
      // This answer is not on the record yet. A store that takes nothing more ends the run with its own words.
    }
    for (const lane of underWay.lanes) underWay.goOn(lane);
  };
  /** Leaves out what the stopping rule no longer wants; what was begun is finished. */
  const stopEarly = (trial: PlannedTrial, row: TrialRow): void => {
    const before = rule?.stopped() ?? null;
    rule?.finish(trial, row);
    const stopped = rule?.stopped() ?? null;
    if (stopped === null || before !== null) return;
    for (const { trials } of underWay.lanes) {
      const wanted = trials.filter(({ id, caseId }) => rule?.wants({ caseId }) === true || store.trials.get(id) !== undefined);
      const kept = new Set(wanted);
      const unwanted = trials.filter((each) => !kept.has(each));
      meter.leave(unwanted.map(({ id }) => id));
      for (const each of unwanted) toCome.ended(each);
      trials.splice(0, trials.length, ...wanted);
    }
    meter.stopped(stopped.cases);
    log('run-stop', { ...stopped });
  };
  // When one trial stops the run, the others end as interrupted: the first cause is the one to report.
  let cause: { readonly error: unknown } | undefined;
  const fail = (error: unknown): void => {
    if (cause === undefined || isInterruption(cause.error)) cause = { error };
    stop.abort();
  };
  const finish = async (trial: PendingTrial, closed: Promise<TrialRow>): Promise<void> => {
    try {
      const row = await closed;
      meter.finished(trial.id, row.outcome);
      stopEarly(trial, row);
    } catch (error) {
      fail(error);
    }
  };
  const inTurn = async (trial: PendingTrial, lane: OpenLane) => {
    const [{ id }, models] = [trial, known.modelsOf(trial.arm)];
    const onChange = (what: TrialChange) => {
      reused.grew(id);
      onTrial?.(id, what);
    };
    lane.turns.begin(models);
    meter.begin(id);
    try {
      if (reproducible) await unloadModels(frozen, trial.arm, backends, signal);
      return await runTrial(store, frozen, trial, effectsOf(trial, lane), onChange);
    } finally {
      reused.ended(id);
      toCome.ended(trial);
      lane.turns.end(models);
    }
  };
  const work = async (lane: OpenLane, first: PendingTrial): Promise<void> => {
    let finished = Promise.resolve();
    try {
      for (let trial: PendingTrial | undefined = first; trial !== undefined; ) {
        const ended = await inTurn(trial, lane);
        if (ended === null) {
          parked = [...parked, trial];
          meter.parked(trial.id);
        } else {
          // Its failure can come before the end of the trial before is on the disk.
          const next = finish(trial, ended.closed);
          await finished;
          finished = next;
          // What the rule wants next follows from this result; otherwise the next trial need not wait for the disk.
          if (rule !== null) await finished;
        }
        underWay.goOn(lane);
        trial = lane.open <= widthOf(lane) ? underWay.next(lane) : undefined;
      }
    } catch (error) {
      fail(error);
    } finally {
      lane.open -= 1;
      await finished;
    }
  };
  /** Trials to have open. One that waits for another's call leaves its place to a further one, but with a stopping rule. */
  const widthOf = ({ width, servers: names, waiting }: OpenLane) =>
    Math.max(width, ...names.map((name) => learned.get(name)?.atATime() ?? 0)) + (rule === null ? waiting : 0);
  const workOf = ({ id, arm }: PendingTrial) => (callsOf.get(id) ?? 1) * known.callMs(arm);
  const underWay = openLanes(divided, {
    known: isWritten ? { ...known, fits: () => true } : known,
    signal,
    widthOf,
    workOf: isOrdered ? null : workOf,
    further: answered,
    work,
  });

  const begunTrials = [...pending.open, ...pending.waiting].filter(({ running }) => running).length;
  const { part } = frozen;
  const before = { planned, done: begun.done - reopened.length, begun: begunTrials, wanted: queue.length, part };
  options.onBegin?.({ ...before, rest: restOf(store, frozen) });
  meter.send();
  await hold?.passed();
  const open = queue.length;
  if (open > 0 && signal.aborted) throw interrupted();
  if (open > 0) {
    const concurrency = divided.reduce((sum, { width }) => sum + width, 0);
    log('run-start', {
      ...(part === undefined ? {} : { part }),
      trials: open,
      ...(options.isFileGone === true ? { cases_from: 'record' } : {}),
      concurrency,
      calls_at_a_time: Object.fromEntries(callsAt),
      addresses: Object.fromEntries([...backends].map(([name, { model }]) => [name, model.url])),
      ...(options.machine === undefined ? {} : { machine: options.machine }),
    });
    performer.begin(await weights.settle());
  }
  await underWay.ended();
  await preparations.close();
  if (cause !== undefined && !isInterruption(cause.error)) throw cause.error;
  if (cause !== undefined || underWay.lanes.some(({ trials }) => trials.length > 0)) {
    // Not from the record: reading it can be slow or fail, and the end would be missing from the log.
    const by = options.whyEnded?.();
    log('run-interrupt', { ...(by === undefined ? {} : { by }), done: meter.done(), planned });
    throw interrupted();
  }
  const reached = { done: meter.done(), planned };
  const left = pending.open.length - open;
  if (open > 0) log('run-end', left > 0 && (rule?.stopped() ?? null) === null ? { trials: open, left, ...reached } : reached);
  const totals = countOutcomes(store, frozen);
  const waiting = store.trials.waiting(frozen.name).length;
  const stopped = stoppingRule(store, frozen)?.stopped() ?? null;
  const complete = totals.done === planned || (stopped !== null && pendingTrials(store, frozen, { retry: [] }).length === 0);
  return {
    planned,
    done: totals.done,
    finished_now: meter.finishedNow(),
    decided: totals.decided,
    outcomes: totals.outcomes,
    looped: totals.looped,
    complete,
    ...(stopped === null ? {} : { stopped }),
    waiting,
    standin: totals.standin,
  };
}
