// Streams that a page follows: each frame is sent when its source has something new.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { frameIntervalMs, mostUnacknowledged } from '../../../shared/api/streams.ts';

export interface Frame<Body> {
  stream: string;
  frame: number;
  body: Body;
}

/** What a stream is made of: where it stands is the source's own business. */
export interface StreamSource<Body> {
  /** Begins to listen for changes; returns what ends it. `changed` may be called at any time. */
  listen(changed: () => void): () => void;
  /**
   * What is new since it was last asked, at most `mostBodies`. Without `replaceable`, bodies that only replace
   * earlier ones stay for another time. Empty where there is nothing.
   */
  take(replaceable: boolean): Promise<Body[]> | Body[];
  /** What tells the screen that frames were left out; the stream goes on from there. */
  gap(): Body;
}

/** Bodies that a source gives at a time. */
export const mostBodies = 4;
/** Unacknowledged frames beyond which none is sent that only replaces an earlier one: a slow screen gets the newest later. */
const mostBeforeReplaceable = 16;

interface Window {
  acknowledge(frame: number): void;
}

/** The streams that are open, by id. */
export interface StreamRegistry {
  /** Does nothing for a stream that has ended. */
  acknowledge(stream: string, frame: number): void;
  size(): number;
  /** Frames of a source until the signal fires: at most one look at the source in an interval. */
  open<Body>(source: StreamSource<Body>, signal: AbortSignal | undefined): AsyncGenerator<Frame<Body>, void>;
}

/** A bell that can be rung before anybody listens for it. */
function bell(signal: AbortSignal) {
  let rung = false;
  let waiter: (() => void) | null = null;
  const ring = () => {
    rung = true;
    waiter?.();
  };
  signal.addEventListener('abort', ring, { once: true });
  return {
    ring,
    async heard(): Promise<void> {
      if (!rung && !signal.aborted) {
        await new Promise<void>((resolve) => {
          waiter = resolve;
        });
        waiter = null;
      }
      rung = false;
    },
    put: () => signal.removeEventListener('abort', ring),
  };
}

/** @param options.intervalMs least time between two looks at a source */
export function openStreamRegistry({ intervalMs }: { intervalMs: number } = { intervalMs: frameIntervalMs }): StreamRegistry {
  const windows = new Map<string, Window>();

  async function* frames<Body>(source: StreamSource<Body>, signal: AbortSignal): AsyncGenerator<Frame<Body>, void> {
    const stream = randomBytes(12).toString('base64url');
    const wake = bell(signal);
    let sent = 0;
    let acknowledged = 0;
    let changed = true;
    const outstanding = () => sent - acknowledged;
    const isFull = () => outstanding() + mostBodies > mostUnacknowledged;
    const framed = (body: Body): Frame<Body> => ({ stream, frame: sent++, body });
    windows.set(stream, {
      acknowledge(frame) {
        acknowledged = Math.max(acknowledged, Math.min(frame + 1, sent));
        // What could be replaced may have waited for room.
        changed = true;
        wake.ring();
      },
    });
    const stopListening = source.listen(() => {
      changed = true;
      wake.ring();
    });
    try {
      while (!signal.aborted) {
        if (isFull()) {
          while (isFull() && !signal.aborted) await wake.heard();
          if (!signal.aborted) yield framed(source.gap());
          continue;
        }
        if (!changed) {
          await wake.heard();
          continue;
        }
        changed = false;
        const bodies = await source.take(outstanding() < mostBeforeReplaceable);
        for (const body of bodies) {
          if (signal.aborted) return;
          yield framed(body);
        }
        if (bodies.length > 0) await sleep(intervalMs, undefined, { signal }).catch(() => undefined);
      }
    } finally {
      stopListening();
      windows.delete(stream);
      wake.put();
    }
  }

  return {
    acknowledge: (stream, frame) => windows.get(stream)?.acknowledge(frame),
    size: () => windows.size,
    open: (source, signal = new AbortController().signal) => frames(source, signal),
  };
}
