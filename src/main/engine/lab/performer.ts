import { setTimeout as sleep } from 'node:timers/promises';
import type { CallReport, Effects, PreparedCall } from '../../../core/record/trialCourt.ts';
import { AssizeError } from '../../../shared/errors.ts';
import { BackendOutage, CallFailure } from '../../../shared/model.ts';
import { type ReadyBackend, refreshBackend } from './backends.ts';

export interface PerformerOptions {
  readonly signal: AbortSignal;
  /** How long one call waits for a backend that stays away. */
  readonly waitMs: number;
  readonly onPause: (backend: string, reason: string) => void;
  readonly onResume: (backend: string) => void;
}

const firstWaitMs = 250;
const longestWaitMs = 30_000;
/** Two outages further apart than a pause and a refused connection take: it was there in between, or the machine slept. */
const newOutageMs = 60_000;

const keptSoFar = 'all answers so far are kept, run again to go on';

const interrupted = () => new AssizeError('interrupted', 'interrupted; run again to go on');

/** Makes calls for a run. While a backend is away its calls wait, with back-off; an outage is never a result. */
export function callPerformer(backends: ReadonlyMap<string, ReadyBackend>, options: PerformerOptions): Effects {
  const { signal } = options;
  const current = new Map(backends);
  const away = new Set<string>();

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

  const once = async (call: PreparedCall, backend: ReadyBackend): Promise<CallReport> => {
    const startedAt = performance.now();
    const report = (outcome: Pick<CallReport, 'result' | 'failure'>): CallReport => ({
      ...outcome,
      wallMs: performance.now() - startedAt,
      sentTo: { url: backend.model.url, version: backend.version, digest: backend.digests.get(call.request.model) ?? null },
      at: new Date().toISOString(),
    });
    try {
      return report({ result: await backend.model.complete(call.request, signal), failure: null });
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      return report({ result: null, failure: { kind: error.kind, message: error.message, permanent: error.permanent } });
    }
  };

  /** The backend as it was last seen; looked at anew after an outage. */
  const seen = async (name: string): Promise<ReadyBackend> => {
    const known = current.get(name);
    if (known === undefined) throw new Error(`backend ${name} is not ready`);
    if (!away.has(name)) return known;
    const fresh = await refreshBackend(known, signal);
    current.set(name, fresh);
    return fresh;
  };

  return {
    async perform(call) {
      let waitedMs = 0;
      let lastOutageAt: number | null = null;
      for (let round = 0; ; round++) {
        if (signal.aborted) throw interrupted();
        try {
          const report = await once(call, await seen(call.backend));
          if (away.delete(call.backend)) options.onResume(call.backend);
          return report;
        } catch (error) {
          if (!(error instanceof BackendOutage)) throw error;
          const now = performance.now();
          const sinceLast = lastOutageAt === null ? 0 : now - lastOutageAt;
          lastOutageAt = now;
          if (sinceLast > newOutageMs) {
            waitedMs = 0;
            round = 0;
          } else waitedMs += sinceLast;
          if (waitedMs >= options.waitMs) {
            const minutes = Math.round(options.waitMs / 6000) / 10;
            throw new AssizeError(
              'no-backend',
              `backend ${JSON.stringify(call.backend)} was away for ${minutes} min (${error.message}); ${keptSoFar}`,
              { field: `backends.${call.backend}` },
            );
          }
          await pause(call.backend, error.message, round, Math.max(1, options.waitMs - waitedMs));
        }
      }
    },
  };
}
