// Manages the runs that the screens start.
import type { BackendChoice, Run } from '../../../shared/api/engine.ts';
import type { Outcome } from '../../../shared/domain.ts';
import { AssizeError, badInput } from '../../../shared/errors.ts';
import { checkpointAfterRun } from '../checkpoint/checkpoints.ts';
import type { UserKey } from '../checkpoint/userKey.ts';
import type { HardwareManager } from '../hardware/hardwareManager.ts';
import { refuseErased } from '../lab/erasedData.ts';
import { loadFrozen } from '../lab/frozen.ts';
import { lastPartOf } from '../lab/part.ts';
import { countOutcomes } from '../lab/recordedProgress.ts';
import { keepAwake, runWatched } from '../lab/watchedRun.ts';
import type { WantedRun } from '../queries/experiment.ts';
import type { Queries } from '../queries/pool.ts';
import { attemptOf } from '../report/transcriptEntries.ts';
import { explained } from '../store/databaseError.ts';
import { elsewhereOf, type Store } from '../store/store.ts';
import { type Active, activeRun, type Order } from './activeRun.ts';
import type { Changes } from './changes.ts';
import type { HeldServer } from './daemon.ts';
import { screenMessage } from './failures.ts';
import { actOnce, beginOf, isAhead, lateOf, openTurns, refuseTime } from './gate.ts';
import { openHolds } from './holds.ts';
import type { Network } from './network.ts';
import { notReady } from './notReady.ts';
import { reachServers, serversOf } from './reachServers.ts';
import { interruptedRun, newRun, progressOf, runError, stateOf } from './runState.ts';
import { callsWanted } from './servers.ts';
import type { SettingsFile } from './settings.ts';
import { durable, type StoreAccess } from './storeAccess.ts';

/** Starts, holds and ends runs on the engine's thread, at most one for each experiment. The error of a run is in its `error` and never thrown. */
export function openRunManager(options: {
  /** This start of the program: only its own runs continue by themselves. */
  session: string;
  store: StoreAccess;
  queries: Queries;
  network: Pick<Network, 'dispatcher'>;
  /** The server of a backend, kept until the run releases it. Throws interrupted when the signal fires. */
  hold: (backend: BackendChoice, signal: AbortSignal) => Promise<HeldServer>;
  /** What the servers are now. */
  settings: Pick<SettingsFile, 'read' | 'plan' | 'hasPlanned'>;
  changes: Changes;
  hardware: HardwareManager;
  /** The key that signs a checkpoint. Throws where nothing may be signed. */
  openKey: () => UserKey;
  keepError: (error: unknown) => void;
}) {
  const { session, changes } = options;
  const runs = new Map<string, Run>();
  const active = new Map<string, Active>();
  /** Experiments whose run that is shown tried one trial and has ended: an interrupted run of all takes its place. */
  const triedOne = new Set<string>();
  /** Experiments for which it is in the log that their interrupted run cannot be read. */
  const unread = new Set<string>();

  const update = (experiment: string, change: Partial<Run>) => {
    const run = runs.get(experiment);
    if (run === undefined) return;
    runs.set(experiment, { ...run, ...change });
    changes.status();
  };

  const turns = openTurns();
  const holds = openHolds({
    ...options,
    ...{ update, settle: turns.settle },
    shown: (experiment) => runs.get(experiment),
    isActive: (experiment, run) => active.get(experiment) === run,
  });
  let isClosed = false;

  /** Why a run ended, and whether it is more than the end that was asked for. */
  const causeOf = (error: unknown, signal: AbortSignal): { cause: unknown; lasting: boolean } => {
    if (signal.aborted && error instanceof AssizeError && error.code === 'interrupted') return { cause: error, lasting: false };
    try {
      options.store.checkPlace();
    } catch (moved) {
      // A database that has lost its file fails in many ways.
      return { cause: moved, lasting: true };
    }
    return { cause: explained(error, options.store.path), lasting: true };
  };

  /** Never throws: it follows an error that is the one to report. */
  const forgetSession = (store: Store, experiment: string, leave: { retry: boolean }) => {
    try {
      store.write(() => store.runs.end(experiment, leave));
    } catch (error) {
      options.keepError(error);
    }
  };

  /** The run itself, with the store open for writing. */
  async function work(opened: Store, experiment: string, order: Order, mine: Active): Promise<void> {
    const { signal } = mine.controller;
    refuseErased(opened, experiment);
    const { backend, concurrency, only } = order;
    const frozen = lastPartOf(opened, loadFrozen(opened, experiment), only);
    const store = frozen.definition.runtime.durability === 'full' ? durable(opened) : opened;
    // Trying one trial again leaves what an interrupted run of all needs to continue.
    if (only === undefined)
      store.write(() => {
        store.runs.save({ experiment, backend, concurrency, session });
        if (order.retry.length > 0) store.runs.retry(experiment, order.retry);
      });
    const wanted =
      only === undefined
        ? { retry: store.runs.of(experiment)?.retry ?? [], retried: store.runs.retried(experiment) }
        : { retry: order.retry, only };
    const { runtime } = frozen.definition;
    let server: HeldServer | null = null;
    let leaveTurn = () => {};
    const { between = null } = order;
    const { runLog } = store;
    if (!order.held && (runLog.held(experiment) || (only === undefined && runLog.between(experiment) !== between)))
      store.write(() =>
        runLog.add(experiment, 'run-continue', { ...lateOf(order.heldUntil ?? null), ...(between === null ? {} : { between }) }),
      );
    const { done, decided } = countOutcomes(store, frozen);
    update(experiment, { planned: frozen.runTrials().length, done, decided });
    const warn = (sentence: string) => update(experiment, { warnings: [...(runs.get(experiment)?.warnings ?? []), sentence] });
    // For a time nothing else would wake it; a user who continues does.
    const letSleep = keepAwake(
      () => store,
      experiment,
      warn,
      () => mine.gate.isWorking() || mine.until !== null,
    );
    try {
      let said: string | null = null;
      const reached = await reachServers({
        ...{ gate: mine.gate, signal },
        reach: () => serversOf({ ...options, store, frozen, wanted, backend, signal }),
        planned: order.held && order.heldUntil != null,
        waitMs: order.heldUntil != null || order.resumed > 0 ? runtime.waitMinutes * 60_000 : 0,
        onAway(sentence) {
          const others = (runs.get(experiment)?.warnings ?? []).filter((each) => each !== said);
          said = sentence;
          update(experiment, { warnings: sentence === null ? others : [...others, sentence] });
        },
      }).catch((error: unknown) => {
        throw notReady(store, experiment, error, only === undefined && order.retry.length === 0);
      });
      const { ready, backends, hasOthers } = reached;
      server = reached;
      mine.hasOthers = hasOthers;
      leaveTurn = turns.take({
        first: order.first === true,
        urls: new Set([...ready.values()].map(({ model }) => model.url)),
        gate: mine.gate,
        onChange: () => update(experiment, { gives_way: mine.gate.closedBy('turn') }),
      });
      if (order.resumed > 0) store.write(() => store.runLog.add(experiment, 'run-recover'));
      await runWatched(
        store,
        frozen,
        ready,
        {
          concurrency: callsWanted(concurrency, backend),
          maxTrials: null,
          ...wanted,
          isFileGone: order.isFileGone === true,
          signal,
          hold: mine.gate,
          onWarning: warn,
          backends,
          whyEnded: () => (mine.stoppedByUser ? 'user' : mine.next === null ? 'close' : 'next'),
          onProgress: (progress) => update(experiment, { ...progressOf(progress), state: stateOf(mine, progress) }),
          onTrial(trial, what) {
            if (what === 'line') options.store.checkPlace();
            changes.trial(experiment, trial, what);
          },
          onCall({ key, role }, trial) {
            if (trial === null) return { text: () => undefined, end: () => undefined };
            const isAskedAgain = attemptOf(key) <= runtime.retries;
            return changes.call(trial.id, { key, role, idleSeconds: runtime.idleSeconds, isAskedAgain });
          },
        },
        { manager: options.hardware, slots: server.slots, onEnergy: (energy) => update(experiment, { energy }) },
      );
      options.store.checkPlace();
      if (only === undefined) store.write(() => store.runs.end(experiment, { retry: false }));
      // The screen says which trials no checkpoint covers; the next run or its button makes one.
      const unsigned = checkpointAfterRun(store, options.openKey, screenMessage);
      if (unsigned !== null) options.keepError(unsigned);
    } catch (error) {
      const { cause, lasting } = causeOf(error, signal);
      // The engine's own end, and a run that takes this one's place, leave it under way.
      if (only === undefined && (lasting || mine.stoppedByUser)) forgetSession(store, experiment, { retry: !mine.stoppedByUser });
      throw cause;
    } finally {
      letSleep();
      leaveTurn();
      await server?.release().catch(options.keepError);
    }
  }

  function launch(experiment: string, order: Order): void {
    const controller = new AbortController();
    const mine = activeRun(order, controller);
    active.set(experiment, mine);
    triedOne.delete(experiment);
    runs.delete(experiment);
    runs.set(experiment, newRun(experiment, order, order.held ? 'paused' : 'running'));
    changes.status();
    if (order.held) holds.wake(experiment, mine, order.heldUntil ?? null);
    else {
      holds.plan(experiment, null);
      update(experiment, { paused_until: order.heldUntil ?? null });
      holds.keepHours(experiment, mine);
    }
    mine.ended = options.store
      .write((store) => work(store, experiment, order, mine))
      .then(
        () => ({ state: 'finished', error: null }) as const,
        (error: unknown) =>
          controller.signal.aborted && error instanceof AssizeError && error.code === 'interrupted'
            ? ({ state: mine.stoppedByUser ? 'stopped' : 'interrupted', error: null } as const)
            : ({ state: 'failed', error: runError(error, options.keepError) } as const),
      )
      .then((end) => {
        active.delete(experiment);
        if (mine.next !== null && end.state !== 'failed') return launch(experiment, mine.next);
        if (order.only !== undefined && end.state !== 'failed') triedOne.add(experiment);
        const nothingLeft = { seconds_left: null, seconds_left_range: null };
        update(experiment, { ...end, waiting_for: null, gives_way: false, paused_until: null, ...nothingLeft });
      });
  }

  /** Runs that have not ended on the record; what cannot be read of them is logged once. */
  async function wantedRuns(ours: boolean): Promise<readonly WantedRun[]> {
    const { runs: wanted, failures } = await options.queries.run('wantedRuns', { session, ours });
    for (const { experiment, error } of failures) if (!unread.has(experiment)) options.keepError(error);
    for (const { experiment } of failures) unread.add(experiment);
    return wanted;
  }

  /** Looks at the record again: which runs were interrupted and have still something to do. Null while another program writes to it. */
  async function review(): Promise<readonly WantedRun[] | null> {
    // Another program that writes to the store may be continuing any of them, or may have ended them since they were read.
    const writtenBefore = options.store.writtenElsewhere();
    const wanted = await wantedRuns(false);
    const isFree = !writtenBefore && !options.store.writtenElsewhere();
    const left = isFree ? wanted.filter(({ open }) => open > 0) : [];
    const shown = new Map(left.map((run) => [run.experiment, interruptedRun(run)]));
    const before = JSON.stringify([...runs.values()]);
    // What ended here by an error is no longer the news once another program works on the record.
    for (const [experiment, { state }] of runs)
      if (state === 'interrupted' ? !shown.has(experiment) : state === 'failed' && !isFree) runs.delete(experiment);
    for (const [experiment, run] of shown) {
      const replaced = !runs.has(experiment) || runs.get(experiment)?.state === 'interrupted' || triedOne.delete(experiment);
      if (replaced) runs.set(experiment, run);
    }
    if (JSON.stringify([...runs.values()]) !== before) changes.status();
    return isFree ? left : null;
  }

  const again = ({ experiment, backend, concurrency, held, heldUntil, between, closed }: WantedRun, resumed: number) =>
    launch(experiment, { backend, concurrency, retry: [], resumed, held, heldUntil, between, closed });

  /** Continues what earlier starts of the program left, as soon as no other program writes to the store. */
  async function takeUp(): Promise<void> {
    const { continueRuns } = options.settings.read();
    const left = await review();
    if (isClosed || elsewhereOf(options.store.path) !== null) return;
    if (left === null) {
      return actOnce(
        () => !options.store.writtenElsewhere(),
        () => !isClosed,
        () => void takeUp().catch(options.keepError),
      );
    }
    for (const run of left) {
      if (active.has(run.experiment)) continue;
      const { experiment, held, heldUntil, between, recoveries } = run;
      // What someone else planned, in their store, does not start here.
      if (held && (heldUntil === null || !options.settings.hasPlanned(experiment, heldUntil))) continue;
      if (held && isAhead(heldUntil)) again(run, recoveries);
      else if (continueRuns) {
        const next = beginOf(between);
        if (next !== null) holds.log(experiment, 'run-hold', { until: next, between });
        again({ ...run, held: next !== null, heldUntil: next ?? heldUntil }, held || next !== null ? recoveries : recoveries + 1);
      }
    }
  }

  const underWay = (experiment: string): Active => {
    const mine = active.get(experiment);
    if (mine === undefined) throw badInput('this experiment is not running', 'experiment');
    return mine;
  };

  return {
    all: (): readonly Run[] => [...runs.values()].toReversed(),
    of: (experiment: string): Run | null => runs.get(experiment) ?? null,
    /** Continues an experiment that is frozen on the record, now or at a time. Throws bad-input. */
    start(experiment: string, how: Omit<Order, 'resumed' | 'held'>): void {
      if (active.has(experiment)) throw badInput('this experiment is running already', 'experiment');
      const { heldUntil = null, between = null } = how;
      // Before the run is on the record as wanted: cut short in between, it does not begin at once.
      if (heldUntil !== null) holds.log(experiment, 'run-hold', { until: heldUntil, between });
      launch(experiment, { ...how, resumed: 0, held: heldUntil !== null });
    },
    /** Holds a run, or changes when a paused one continues by itself: at a time, or in hours of every day. Throws bad-input. */
    pause(experiment: string, until: string | null = null, between: string | null = null): void {
      const mine = underWay(experiment);
      if (until !== null) refuseTime(until);
      const begin = beginOf(between, until);
      if (between === null || begin !== null) {
        holds.hold(experiment, mine, begin, between);
        return;
      }
      mine.between = between;
      holds.goOn(experiment, mine);
    },
    /** Continues a paused run; `retry` names outcomes that also get a further attempt. */
    resume(experiment: string, retry: readonly Outcome[]): void {
      const mine = underWay(experiment);
      if (!mine.gate.closedBy('pause')) return;
      const { order, hasOthers } = mine;
      if (retry.length > 0 || hasOthers()) {
        // What a run has to do, and which servers it asks, is settled when it begins.
        const { backend, concurrency, resumed, first } = order;
        const same = {
          ...order,
          retry: order.only === undefined ? [] : order.retry,
          held: false,
          heldUntil: null,
          between: null,
        };
        mine.next = retry.length > 0 ? { backend, concurrency, retry, resumed, first, held: false } : same;
        update(experiment, { state: 'stopping' });
        mine.controller.abort();
        return;
      }
      mine.between = null;
      holds.goOn(experiment, mine);
    },
    /** Ends a run, or dismisses an interrupted one. Throws bad-input where there is none, store-in-use. */
    async stop(experiment: string): Promise<void> {
      holds.plan(experiment, null);
      if (runs.get(experiment)?.state === 'interrupted') {
        await options.store.write((store) => store.write(() => store.runs.end(experiment, { retry: false })));
        update(experiment, { state: 'stopped' });
        return;
      }
      const mine = underWay(experiment);
      mine.stoppedByUser = true;
      mine.next = null;
      update(experiment, { state: 'stopping' });
      mine.controller.abort();
    },
    async close(): Promise<void> {
      isClosed = true;
      const all = [...active.values()];
      for (const mine of all) {
        mine.next = null;
        mine.controller.abort();
      }
      await Promise.all(all.map(({ ended }) => ended));
    },
    review: async () => void (await review()),
    /** Continues this session's runs. Earlier starts' runs wait for their time, continue by the settings, or stay interrupted. */
    async recover(): Promise<void> {
      for (const run of await wantedRuns(true)) again(run, run.recoveries + 1);
      await takeUp();
    },
  };
}

export type RunManager = ReturnType<typeof openRunManager>;
