import type { Hold } from '../lab/runner.ts';

/** Why no call is made: the user paused the run, or it gives way to a trial that was started by hand. */
export type Reason = 'pause' | 'turn';

/** A gate before every call of a run: open while there is no reason to close it, and for good once the signal fires. */
export interface Gate extends Hold {
  closedBy(reason: Reason): boolean;
  close(reason: Reason): void;
  open(reason: Reason): void;
}

export function openGate(signal: AbortSignal): Gate {
  const reasons = new Set<Reason>();
  let waiting: { readonly promise: Promise<void>; readonly resolve: () => void; readonly since: number } | null = null;
  let heldMs = 0;
  const letPass = () => {
    if (waiting === null) return;
    heldMs += performance.now() - waiting.since;
    waiting.resolve();
    waiting = null;
  };
  signal.addEventListener(
    'abort',
    () => {
      reasons.clear();
      letPass();
    },
    { once: true },
  );
  return {
    closedBy: (reason) => reasons.has(reason),
    close(reason) {
      if (signal.aborted) return;
      reasons.add(reason);
      waiting ??= { ...Promise.withResolvers<void>(), since: performance.now() };
    },
    open(reason) {
      reasons.delete(reason);
      if (reasons.size === 0) letPass();
    },
    passed: () => waiting?.promise ?? Promise.resolve(),
    heldMs: () => heldMs + (waiting === null ? 0 : performance.now() - waiting.since),
  };
}
