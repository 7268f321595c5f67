import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import type { DemoModel } from './models.ts';
import type { Pace } from './profiles.ts';

/** Waits, at least until other work had its turn; rejects as soon as the signal is aborted. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  ms > 0 ? sleep(ms, undefined, { signal }) : immediate(undefined, { signal });

interface Loaded {
  readonly model: DemoModel;
  numCtx: number;
  busy: number;
  readonly waiting: Set<() => void>;
  /** Milliseconds of a clock that is never set. */
  readyAt: number;
  keepUntil: number;
}

export type Slots = ReturnType<typeof openSlots>;

/** Loaded models and their slots; a request that finds none free waits its turn. */
export function openSlots({ timed, slots, loadRate, room = Number.POSITIVE_INFINITY }: Pace) {
  const all = new Map<string, Loaded>();
  const sum = (of: (loaded: Loaded) => number): number => [...all.values()].reduce((total, loaded) => total + of(loaded), 0);
  /** Waits until a request hands its slot over. */
  const turn = ({ waiting }: Loaded, signal: AbortSignal): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = (): void => {
      if (waiting.delete(resolve)) reject(new Error('aborted'));
    };
    waiting.add(resolve);
    signal.addEventListener('abort', leave, { once: true });
    return promise.finally(() => signal.removeEventListener('abort', leave));
  };
  const running = (): Loaded[] => [...all.values()].filter(({ busy, keepUntil }) => busy > 0 || keepUntil > performance.now());
  let released = Promise.withResolvers<void>();
  let line: Promise<void> = Promise.resolve();
  /** Unloads idle models until one more fits. As at an Ollama server, all requests that come later wait behind. */
  const makeRoom = async (name: string, signal: AbortSignal): Promise<void> => {
    for (;;) {
      const others = running().filter(({ model }) => model.name !== name);
      if (others.length < room || signal.aborted) return;
      const [idle] = others.filter(({ busy }) => busy === 0).toSorted((a, b) => a.keepUntil - b.keepUntil);
      if (idle === undefined) await released.promise;
      else idle.keepUntil = 0;
    }
  };
  return {
    /** Requests that hold a slot, and those that wait for one. */
    load: () => ({ busy: sum(({ busy }) => busy), waiting: sum(({ waiting }) => waiting.size) }),
    running,
    unload: (name: string): void => {
      const loaded = all.get(name);
      if (loaded !== undefined) loaded.keepUntil = 0;
    },
    /** Waits for a slot of the model, loading it if need be; rejects when aborted. @returns `loadMs`: milliseconds of loading */
    acquire: async (model: DemoModel, numCtx: number, signal: AbortSignal) => {
      const arrivedAt = performance.now();
      line = line.then(() => makeRoom(model.name, signal));
      await line;
      signal.throwIfAborted();
      const loaded = all.get(model.name) ?? { model, numCtx, busy: 0, waiting: new Set(), readyAt: 0, keepUntil: 0 };
      all.set(model.name, loaded);
      if (loaded.busy >= slots) await turn(loaded, signal);
      else loaded.busy += 1;
      /** @param keepMs how long the model then stays loaded; below 0 for ever */
      const release = (keepMs: number): void => {
        loaded.keepUntil = performance.now() + (keepMs < 0 ? 100 * 365 * 86_400_000 : keepMs);
        const [next] = loaded.waiting;
        if (next === undefined) loaded.busy -= 1;
        else if (loaded.waiting.delete(next)) next();
        released.resolve();
        released = Promise.withResolvers();
      };
      const now = performance.now();
      const isFresh = loaded.busy === 1 && (loaded.keepUntil <= now || loaded.numCtx !== numCtx);
      const loadMs = (model.size / loadRate) * 1000;
      if (isFresh) Object.assign(loaded, { numCtx, readyAt: timed ? now + loadMs : now });
      const wait = Math.max(0, loaded.readyAt - now);
      const roomMs = isFresh ? now - arrivedAt : 0;
      await pause(wait, signal).catch((error: unknown) => {
        release(0);
        throw error;
      });
      return { loadMs: timed ? roomMs + wait : isFresh ? loadMs : 0, release };
    },
  };
}
