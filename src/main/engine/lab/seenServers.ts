// What the servers of a run have, as they were seen last; read again when that may have changed.
import { BackendOutage } from '../../../shared/model.ts';
import { presentModel } from '../models/ollama.ts';
import { type ReadyBackend, refreshBackend } from './backends.ts';
import type { RunWeights } from './weights.ts';

/** Holds a run at its calls: those under way are finished, and no further one is made. */
export interface Hold {
  /** Resolves when calls may be made, at a server where one is named, and when the run is to end. */
  passed(url?: string): Promise<void>;
  /** Whether no call may be made now, at a server where one is named. */
  isHeld(url?: string): boolean;
  /** Makes a call once it may be made. */
  call<T>(make: () => Promise<T>): Promise<T>;
  /** Whether calls may be made, or some are still under way. */
  isWorking(): boolean;
  /** Milliseconds in which no call was made anywhere: no part of the run's rate. */
  heldMs(): number;
}

export interface SeeingOptions {
  readonly signal: AbortSignal;
  /** Why a server that was looked at again gets no calls; absent: each may have them. */
  readonly unfit?: RunWeights['unfit'];
  /** What a server has can change while calls are held. */
  readonly hold?: Pick<Hold, 'passed' | 'isHeld' | 'heldMs'>;
  /** Called when a backend is asked at another address than before. */
  readonly onMove?: (backend: string, url: string) => void;
}

/** By the clock, which goes on while the machine sleeps. */
const longestFreshMs = 600_000;

export function seenServers(backends: ReadonlyMap<string, ReadyBackend>, { signal, unfit, hold, onMove }: SeeingOptions) {
  const current = new Map(backends);
  const heldMs = () => hold?.heldMs() ?? 0;
  const now = () => ({ at: Date.now(), heldMs: heldMs() });
  /** When a server was last looked at, and how long calls had been held by then. */
  const looked = new Map([...backends.keys()].map((name) => [name, now()]));
  /** Looks under way, by server: calls that come together share one. */
  const looks = new Map<string, Promise<ReadyBackend>>();

  const isFresh = (name: string): boolean => {
    const last = looked.get(name);
    return last !== undefined && last.heldMs === heldMs() && Math.abs(Date.now() - last.at) < longestFreshMs;
  };

  /** Reads what a server has. Throws `BackendOutage` also where it has other weights than the run asks. */
  const look = async (known: ReadyBackend): Promise<ReadyBackend> => {
    const { name, model } = known;
    const begun = now();
    const fresh = await refreshBackend(known, signal);
    const reason = (await unfit?.(fresh)) ?? null;
    if (reason !== null) throw new BackendOutage(reason);
    if (current.get(name)?.model.url !== model.url) onMove?.(name, model.url);
    current.set(name, fresh);
    looked.set(name, begun);
    return fresh;
  };

  return {
    look,
    put(server: ReadyBackend): void {
      current.set(server.name, server);
      looked.set(server.name, now());
    },
    urlOf: (name: string): string => current.get(name)?.model.url ?? '',
    /** The server as it was seen last; undefined where it may have changed since. */
    last: (name: string) => (isFresh(name) ? current.get(name) : undefined),
    /** The server for a call: looked at again after an outage or a pause, after ten minutes, and where it has moved. */
    now(name: string, isAway: boolean): ReadyBackend | Promise<ReadyBackend> {
      const known = current.get(name);
      if (known === undefined) throw new Error(`backend ${name} is not ready`);
      // Looked up for every call: at an address that a server has left, another one may answer.
      const model = presentModel(known.model);
      if (!isAway && model === known.model && isFresh(name)) return known;
      const looking = looks.get(name) ?? look({ ...known, model }).finally(() => looks.delete(name));
      looks.set(name, looking);
      return looking;
    },
  };
}
