// Makes the calls of a run: slots, attempts, outages and what is recorded of each.
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallReport, PreparedCall } from '../../../core/record/effects.ts';
import { shortestLoadMs } from '../../../core/schedule/memory.ts';
import { type CallsLeft, type CallTimes, serverFor } from '../../../core/schedule/pools.ts';
import { AssizeError } from '../../../shared/errors.ts';
import {
  BackendOutage,
  BrokenCall,
  CallFailure,
  DiedUnderCall,
  type EmbeddingRequest,
  type EmbeddingResult,
} from '../../../shared/model.ts';
import { type SleepWatch, watchSleep } from '../models/deadline.ts';
import { interrupted } from '../models/modelServer.ts';
import type { LanguageModel } from '../models/port.ts';
import { nameFor, type Pools, type ReadyBackend } from './backends.ts';
import type { PlannedTrial } from './frozen.ts';
import { type SeeingOptions, seenServers } from './seenServers.ts';
import { semaphore } from './semaphore.ts';
import { answersSmallQuestion, type Broken } from './smallQuestion.ts';
import { turnLimit } from './turnLimit.ts';

export interface PerformerOptions extends SeeingOptions {
  /** Calls at a time, by backend; absent: as many as there are. */
  readonly limits?: ReadonlyMap<string, number>;
  /** The servers that share the calls of a backend, itself first; where absent it has them for itself. */
  readonly pools?: Pools;
  /** How long calls take at an address; what is known of it already. */
  readonly times?: CallTimes;
  /** Calls that are still to come at a backend, of a trial too; absent: no end is known. */
  readonly callsLeft?: (backend: string, trial: PlannedTrial) => CallsLeft;
  /** How long one call waits for a backend that stays away. */
  readonly waitMs: number;
  /** How long at least a backend that went away under a call is looked for; 2 s where absent. */
  readonly lookAgainMs?: number;
  /** About how long a call that the backend failed is held back, since its caller asks again at once. */
  readonly retryPauseMs?: number;
  readonly onPause: (backend: string, reason: string) => void;
  readonly onResume: (backend: string) => void;
}

const firstWaitMs = 250;
const longestWaitMs = 30_000;
const usualRetryPauseMs = 500;
const usualLookAgainMs = 2000;

/** Broken calls in a row from which on it is asked whether the server answers at all. */
const mostBroken = 3;
/** Answers that continue in one turn of the event loop: with 64 calls at a time fewer cost more commits, and more make servers wait. */
const mostInTurn = 8;
const endless: CallsLeft = { all: Number.POSITIVE_INFINITY, ofTrial: 1 };

/** Calls at a time at a server without a limit. */
const unlimited = 4096;

const keptSoFar = 'all answers so far are kept, run again to continue';

interface Outage {
  readonly at: number;
  /** Answers that the backend had given until then. */
  readonly answers: number;
  readonly watch: SleepWatch;
}

interface Course extends Broken {
  /** A failure is followed by a further attempt: it decides nothing yet. */
  readonly again: boolean;
  /** The server died while others were asking too: whose fault it is shows when the call is made alone. */
  alone: boolean;
  /** Milliseconds after which the server died under this call and no other; null while it has not. */
  diedAfter: number | null;
  /** Where it was made last. */
  server: string;
  /** How often a server died under it. */
  deaths: number;
}

export interface CallWatch {
  /** Called with the text of the answer so far, as often as it grows. */
  readonly text?: (soFar: string) => void;
  /** Called when the call is sent, and when it has left the server with any result. */
  readonly underWay?: (is: boolean) => void;
}

/** Makes calls: what the effects of every trial of a run come down to. */
export interface CallPerformer {
  /** @param trial whose call it is: its prompts begin alike, so where servers share calls it stays with one that has a place */
  perform(call: PreparedCall, watch?: CallWatch, trial?: PlannedTrial): Promise<CallReport>;
  embed(backend: string, request: EmbeddingRequest): Promise<Report<EmbeddingResult>>;
}

/** Makes calls, and knows the servers as they were seen last: what came back after an outage can be another one. */
export interface RunPerformer extends CallPerformer {
  /** Takes the servers as they are when the run begins: before the first call. */
  begin(servers: Iterable<ReadyBackend>): void;
  seen(backend: string): ReadyBackend | undefined;
}

interface Loading {
  /** Milliseconds spent in loading the model; absent where that is not reported. */
  readonly loadMs?: number;
}

export interface Report<T> extends Omit<CallReport, 'result'> {
  readonly result: T | null;
}

/**
 * Makes calls for a run. While a backend is away its calls wait, with back-off; an outage is never a result.
 *
 * A call under which the connection breaks while the server is healthy, or that was alone when the server died and comes
 * back, has failed. The third in a row at one backend, and each that no further attempt follows, is believed only if the
 * backend answers a small question: else it is the backend that is away, and nothing ends.
 */
export function callPerformer(backends: ReadonlyMap<string, ReadyBackend>, options: PerformerOptions): RunPerformer {
  const { signal } = options;
  const known = seenServers(backends, options);
  const away = new Set<string>();
  /** When a server that is away and shares calls is asked again, and for how long it is left alone by then. */
  const nextLook = new Map<string, { at: number; afterMs: number }>();
  const lastServer = new WeakMap<object, string>();
  const answers = new Map<string, number>();
  /** Broken calls since the last answer, by backend. */
  const broken = new Map<string, number>();
  /** Full names of the models whose calls broke and that have not answered since, by backend. */
  const broke = new Map([...backends.keys()].map((backend) => [backend, new Set<string>()]));
  const gates = new Map([...backends.keys()].map((backend) => [backend, semaphore(options.limits?.get(backend) ?? unlimited)]));
  /** Calls that are being made, by backend, and whether each has been the only one so far. */
  const underWay = new Map([...backends.keys()].map((backend) => [backend, new Map<Course, boolean>()]));
  /** Backends that went away under a call and have not been back since. */
  const died = new Set<string>();
  const turn = turnLimit(mostInTurn);
  const answersOf = (backend: string) => answers.get(backend) ?? 0;

  /** How long a call waits for a backend: some time at least, since only one that is back shows which calls failed. */
  const patienceFor = (backend: string): number => {
    const dying = died.has(backend) || (underWay.get(backend)?.size ?? 0) > 0;
    return Math.max(options.waitMs, dying ? (options.lookAgainMs ?? usualLookAgainMs) : 0);
  };

  const urlOf = (server: string): string => backends.get(server)?.model.url ?? '';
  const isHeld = (server: string): boolean => options.hold?.isHeld(urlOf(server)) === true;

  const poolOf = (backend: string): readonly string[] => options.pools?.get(backend) ?? [backend];

  /** The server for a call, by `serverFor`; one that is away gets a single call at times. After two deaths a call stays. */
  const chosen = (backend: string, course: Course, trial: PlannedTrial | undefined): string => {
    const servers = poolOf(backend);
    if (servers.length === 1 || course.embeds || (course.diedAfter !== null && course.deaths > 1)) return course.server;
    const open = servers.filter((server) => !isHeld(server));
    const due = open.find((server) => (nextLook.get(server)?.at ?? Number.POSITIVE_INFINITY) <= performance.now());
    if (due !== undefined) {
      postpone(due);
      return due;
    }
    const there = servers.filter((server) => !away.has(server));
    const best = [open.filter((server) => !away.has(server)), there].find(({ length }) => length > 0) ?? servers;
    const pool = best.map((name) => ({
      name,
      load: gates.get(name)?.load() ?? 0,
      slots: options.limits?.get(name) ?? 1,
      callMs: options.times?.of(known.urlOf(name)) ?? null,
    }));
    const last = trial === undefined ? undefined : lastServer.get(trial);
    const left = trial === undefined ? undefined : options.callsLeft?.(backend, trial);
    return serverFor(pool, last, left ?? endless) ?? course.server;
  };

  /** Whether another server can make a call whose server has gone away. */
  const moves = (backend: string, course: Course, reason: string): boolean => {
    const servers = poolOf(backend);
    if (servers.length === 1 || course.embeds) return false;
    isAway(course.server, reason);
    if (!nextLook.has(course.server)) postpone(course.server);
    return servers.some((server) => !away.has(server)) && (course.diedAfter === null || course.deaths < 2);
  };

  /** What one server refuses, another of its pool may do: for the run it is away. Null for what ends a run. */
  const outageOf = (error: unknown, backend: string, { server, embeds }: Course): BackendOutage | null => {
    if (error instanceof BackendOutage) return error;
    if (!(error instanceof AssizeError) || error.code === 'interrupted' || embeds) return null;
    const others = poolOf(backend).some((other) => other !== server && !away.has(other));
    return others ? new BackendOutage(error.message) : null;
  };

  const postpone = (server: string): void => {
    const afterMs = Math.min(longestWaitMs, (nextLook.get(server)?.afterMs ?? firstWaitMs) * 2);
    nextLook.set(server, { at: performance.now() + afterMs, afterMs });
  };

  const isAway = (backend: string, reason: string): void => {
    if (away.has(backend)) return;
    away.add(backend);
    options.onPause(backend, reason);
  };

  const pause = async (backend: string, reason: string, round: number, mostMs: number): Promise<void> => {
    isAway(backend, reason);
    const backOff = Math.min(longestWaitMs, firstWaitMs * 2 ** round) * (0.5 + Math.random() / 2);
    try {
      await sleep(Math.min(backOff, mostMs), undefined, { signal });
    } catch {
      throw interrupted();
    }
  };

  /** Waits for a place at the backend, where its places are numbered; null where none is given by then. What is spent here is no part of the call. */
  const enter = async (backend: string, course: Course): Promise<(() => void) | null> => {
    try {
      const leave = await gates.get(backend)?.enter(signal, course.model, course.alone);
      if (isHeld(backend)) {
        leave?.();
        return null;
      }
      const others = underWay.get(backend);
      // Of several none has been the only one.
      if (others?.size === 1) for (const other of others.keys()) others.set(other, false);
      others?.set(course, others.size === 0);
      return () => {
        others?.delete(course);
        leave?.();
      };
    } catch {
      throw interrupted();
    }
  };

  /** Believes a broken call, or throws `BackendOutage` where the backend answers nothing. */
  const believe = async ({ name, model, needed }: ReadyBackend, course: Course): Promise<void> => {
    const inARow = (broken.get(name) ?? 0) + 1;
    broken.set(name, inARow);
    const models = broke.get(name) ?? new Set();
    models.add(nameFor(model)(course.model));
    if (course.again && inARow < mostBroken) return;
    if (!(await answersSmallQuestion(model, course, needed, models, signal))) {
      throw new BackendOutage(`${model.url} says that it is well, but breaks off each call and answers no small question`);
    }
    broken.delete(name);
  };

  /** Looks where the server is once there is a place at it: it can move while its calls wait for one. */
  const once = async <T extends Loading>(
    name: string,
    course: Course,
    ask: (model: LanguageModel) => Promise<T>,
  ): Promise<Report<T> | null> => {
    const leave = await enter(name, course);
    if (leave === null) return null;
    try {
      const backend = await known.now(name, away.has(name));
      const startedAt = performance.now();
      const took = () => course.diedAfter ?? performance.now() - startedAt;
      const report = (outcome: Pick<Report<T>, 'result' | 'failure'>): Report<T> => ({
        ...outcome,
        wallMs: took(),
        sentTo: {
          kind: backend.model.kind,
          url: backend.model.url,
          version: backend.version,
          digest: backend.digests.get(course.model) ?? null,
          standin: backend.standin,
        },
        at: new Date().toISOString(),
      });
      try {
        if (course.diedAfter !== null) throw new BrokenCall('the server went away under this call, and came back');
        const answered = report({ result: await ask(backend.model), failure: null });
        broke.get(name)?.delete(nameFor(backend.model)(course.model));
        if ((answered.result?.loadMs ?? 0) < shortestLoadMs) return answered;
        // What was loaded anew can be other weights: an answer of which that is not known is none.
        const { version, standin } = await known.look(backend);
        return { ...answered, sentTo: { ...answered.sentTo, version, standin } };
      } catch (error) {
        if (error instanceof DiedUnderCall) {
          course.deaths += 1;
          if (underWay.get(name)?.get(course) === true) course.diedAfter = took();
          else course.alone = true;
        }
        if (!(error instanceof CallFailure)) throw error;
        const failed = report({
          result: null,
          failure: { kind: error.kind, message: error.message, permanent: error.permanent },
        });
        if (error instanceof BrokenCall) await believe(backend, course);
        return failed;
      }
    } finally {
      leave();
    }
  };

  /** Gives a backend that failed an answer a moment before it is asked again. What failed is kept even if this is cut short. */
  const holdBack = async ({ failure }: Pick<CallReport, 'failure'>): Promise<void> => {
    if (failure === null || failure.permanent || failure.kind !== 'backend_error') return;
    const ms = (options.retryPauseMs ?? usualRetryPauseMs) * (0.5 + Math.random());
    await sleep(ms, undefined, { signal }).catch(() => undefined);
  };

  /** Asks until there is an answer or a failure of the backend's own; while it is away, waits. */
  const patiently = async <T extends Loading>(
    backend: string,
    asked: Pick<Course, 'again' | keyof Broken>,
    ask: (model: LanguageModel) => Promise<T>,
    trial?: PlannedTrial,
  ): Promise<Report<T>> => {
    const course: Course = { ...asked, alone: false, diedAfter: null, server: backend, deaths: 0 };
    let waitedMs = 0;
    let last: Outage | null = null;
    try {
      for (let round = 0; ; round++) {
        if (signal.aborted) throw interrupted();
        const name = chosen(backend, course, trial);
        if (name !== course.server) {
          // Only a call that was alone where a server died, or under which two died, may be what kills them.
          const suspect = course.diedAfter !== null || course.deaths > 1;
          Object.assign(course, { server: name, alone: suspect, diedAfter: null });
        }
        if (isHeld(name)) await options.hold?.passed(urlOf(name));
        try {
          const report = await once(name, course, ask);
          if (report === null) continue;
          if (trial !== undefined) lastServer.set(trial, name);
          if (report.result !== null) {
            answers.set(name, answersOf(name) + 1);
            broken.delete(name);
          }
          died.delete(name);
          nextLook.delete(name);
          if (away.delete(name)) options.onResume(name);
          await holdBack(report);
          await turn();
          return report;
        } catch (caught) {
          const error = outageOf(caught, backend, course);
          if (error === null) throw caught;
          if (moves(backend, course, error.message)) continue;
          const answered = poolOf(backend).reduce((sum, server) => sum + answersOf(server), 0);
          const now: Outage = { at: performance.now(), answers: answered, watch: last?.watch ?? watchSleep() };
          // A new outage only if it answered another call in between, or the machine slept: a slow failure is waiting too.
          if (now.watch.slept() || (last !== null && last.answers !== now.answers)) {
            waitedMs = 0;
            round = 0;
          } else if (last !== null) waitedMs += now.at - last.at;
          last = now;
          if (error instanceof DiedUnderCall) {
            // Until then it was there: at most twice, as the second time it had no other call.
            died.add(name);
            waitedMs = 0;
            round = 0;
          }
          const patienceMs = patienceFor(name);
          if (waitedMs >= patienceMs) {
            const minutes = Math.round(options.waitMs / 6000) / 10;
            throw new AssizeError(
              'no-backend',
              `backend ${JSON.stringify(name)} was away for ${minutes} min (${error.message}); ${keptSoFar}`,
              `backends.${name}`,
            );
          }
          await pause(name, error.message, round, Math.max(1, patienceMs - waitedMs));
        }
      }
    } finally {
      last?.watch.stop();
    }
  };

  return {
    begin(settled) {
      for (const server of settled) {
        known.put(server);
        if (server.away === undefined) continue;
        isAway(server.name, server.away);
        postpone(server.name);
      }
    },
    seen: (backend) => (away.has(backend) ? undefined : known.last(backend)),
    perform: ({ backend, request, again = false }, watch, trial) =>
      patiently(
        backend,
        { model: request.model, numCtx: request.options.numCtx, embeds: false, again },
        async (model) => {
          watch?.underWay?.(true);
          try {
            return await model.complete(request, signal, watch?.text);
          } finally {
            watch?.underWay?.(false);
          }
        },
        trial,
      ),
    embed: (backend, request) =>
      patiently(backend, { model: request.model, numCtx: request.numCtx, embeds: true, again: false }, (model) =>
        model.embed(request, signal),
      ),
  };
}
