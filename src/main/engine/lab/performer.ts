import { setTimeout as sleep } from 'node:timers/promises';
import type { CallReport, PreparedCall } from '../../../core/record/effects.ts';
import { AssizeError } from '../../../shared/errors.ts';
import { BackendOutage, CallFailure, type EmbeddingRequest, type EmbeddingResult } from '../../../shared/model.ts';
import { type SleepWatch, watchSleep } from '../models/deadline.ts';
import { interrupted } from '../models/modelServer.ts';
import { presentModel } from '../models/movingOllama.ts';
import type { LanguageModel } from '../models/port.ts';
import { type ReadyBackend, refreshBackend } from './backends.ts';
import { turnstile } from './turnstile.ts';

export interface PerformerOptions {
  readonly signal: AbortSignal;
  /** Calls at a time, by backend; absent: as many as there are. */
  readonly limits?: ReadonlyMap<string, number>;
  /** How long one call waits for a backend that stays away. */
  readonly waitMs: number;
  /** About how long a call that the backend failed is held back, since its caller asks again at once. */
  readonly retryPauseMs?: number;
  readonly onPause: (backend: string, reason: string) => void;
  readonly onResume: (backend: string) => void;
  /** Told when a backend is asked at another address than before. */
  readonly onMove?: (backend: string, url: string) => void;
}

const firstWaitMs = 250;
const longestWaitMs = 30_000;
const usualRetryPauseMs = 500;

const keptSoFar = 'all answers so far are kept, run again to go on';

interface Outage {
  readonly at: number;
  /** Answers that the backend had given until then. */
  readonly answers: number;
  readonly watch: SleepWatch;
}

/** Makes calls: what the effects of every trial of a run come down to. */
export interface CallPerformer {
  /** @param onText told the text of the answer so far, as often as it grows */
  perform(call: PreparedCall, onText?: (soFar: string) => void): Promise<CallReport>;
  embed(backend: string, request: EmbeddingRequest): Promise<Report<EmbeddingResult>>;
}

/** What came of asking a backend, whatever for. */
export interface Report<T> extends Omit<CallReport, 'result'> {
  readonly result: T | null;
}

/** Makes calls for a run. While a backend is away its calls wait, with back-off; an outage is never a result. */
export function callPerformer(backends: ReadonlyMap<string, ReadyBackend>, options: PerformerOptions): CallPerformer {
  const { signal } = options;
  const current = new Map(backends);
  const away = new Set<string>();
  /** Answers so far, by backend. */
  const answers = new Map<string, number>();
  const gates = new Map([...(options.limits ?? [])].map(([backend, most]) => [backend, turnstile(most)]));
  const answersOf = (backend: string) => answers.get(backend) ?? 0;

  const pause = async (backend: string, reason: string, round: number, mostMs: number): Promise<void> => {
    if (!away.has(backend)) {
      away.add(backend);
      options.onPause(backend, reason);
    }
    const backOff = Math.min(longestWaitMs, firstWaitMs * 2 ** round) * (0.5 + Math.random() / 2);
    try {
      await sleep(Math.min(backOff, mostMs), undefined, { signal });
    } catch {
      throw interrupted();
    }
  };

  /** Waits for a place at the backend, where its places are numbered. What is spent here is no part of the call. */
  const enter = async (backend: string): Promise<() => void> => {
    try {
      return (await gates.get(backend)?.enter(signal)) ?? (() => undefined);
    } catch {
      throw interrupted();
    }
  };

  /** The backend as it was last seen; looked at anew after an outage, and where it has moved. */
  const seen = async (name: string): Promise<ReadyBackend> => {
    const known = current.get(name);
    if (known === undefined) throw new Error(`backend ${name} is not ready`);
    // Looked up for every call: at an address that a server has left, another one may answer.
    const model = presentModel(known.model);
    if (!away.has(name) && model === known.model) return known;
    const fresh = await refreshBackend({ ...known, model }, signal);
    if (current.get(name)?.model.url !== model.url) options.onMove?.(name, model.url);
    current.set(name, fresh);
    return fresh;
  };

  /** Looks where the server is once there is a place at it: it can move while its calls wait for one. */
  const once = async <T>(name: string, asked: string, ask: (model: LanguageModel) => Promise<T>): Promise<Report<T>> => {
    const leave = await enter(name);
    try {
      const backend = await seen(name);
      const startedAt = performance.now();
      const report = (outcome: Pick<Report<T>, 'result' | 'failure'>): Report<T> => ({
        ...outcome,
        wallMs: performance.now() - startedAt,
        sentTo: {
          kind: backend.model.kind,
          url: backend.model.url,
          version: backend.version,
          digest: backend.digests.get(asked) ?? null,
          standin: backend.standin,
        },
        at: new Date().toISOString(),
      });
      try {
        return report({ result: await ask(backend.model), failure: null });
      } catch (error) {
        if (!(error instanceof CallFailure)) throw error;
        return report({ result: null, failure: { kind: error.kind, message: error.message, permanent: error.permanent } });
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
  const patiently = async <T>(name: string, asked: string, ask: (model: LanguageModel) => Promise<T>): Promise<Report<T>> => {
    let waitedMs = 0;
    let last: Outage | null = null;
    try {
      for (let round = 0; ; round++) {
        if (signal.aborted) throw interrupted();
        try {
          const report = await once(name, asked, ask);
          if (report.result !== null) answers.set(name, answersOf(name) + 1);
          if (away.delete(name)) options.onResume(name);
          await holdBack(report);
          return report;
        } catch (error) {
          if (!(error instanceof BackendOutage)) throw error;
          const now: Outage = { at: performance.now(), answers: answersOf(name), watch: last?.watch ?? watchSleep() };
          // A new outage only if it answered another call in between, or the machine slept: a slow failure is waiting too.
          if (now.watch.slept() || (last !== null && last.answers !== now.answers)) {
            waitedMs = 0;
            round = 0;
          } else if (last !== null) waitedMs += now.at - last.at;
          last = now;
          if (waitedMs >= options.waitMs) {
            const minutes = Math.round(options.waitMs / 6000) / 10;
            throw new AssizeError(
              'no-backend',
              `backend ${JSON.stringify(name)} was away for ${minutes} min (${error.message}); ${keptSoFar}`,
              { field: `backends.${name}` },
            );
          }
          await pause(name, error.message, round, Math.max(1, options.waitMs - waitedMs));
        }
      }
    } finally {
      last?.watch.stop();
    }
  };

  return {
    perform: ({ backend, request }, onText) =>
      patiently(backend, request.model, (model) => model.complete(request, signal, onText)),
    embed: (backend, request) => patiently(backend, request.model, (model) => model.embed(request, signal)),
  };
}
