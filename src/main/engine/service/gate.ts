import type { Hold } from '../lab/runner.ts';

/** A gate before every call of a run: open at first, and for good once the signal fires. */
export interface Gate extends Hold {
  readonly closed: boolean;
  close(): void;
  open(): void;
}

export function openGate(signal: AbortSignal): Gate {
  let waiting: { readonly promise: Promise<void>; readonly resolve: () => void; readonly since: number } | null = null;
  let heldMs = 0;
  const open = () => {
    if (waiting === null) return;
    heldMs += performance.now() - waiting.since;
    waiting.resolve();
    waiting = null;
  };
  signal.addEventListener('abort', open, { once: true });
  return {
    get closed() {
      return waiting !== null;
    },
    close() {
      if (waiting !== null || signal.aborted) return;
      waiting = { ...Promise.withResolvers<void>(), since: performance.now() };
    },
    open,
    passed: () => waiting?.promise ?? Promise.resolve(),
    heldMs: () => heldMs + (waiting === null ? 0 : performance.now() - waiting.since),
  };
}
