import { setTimeout as sleep } from 'node:timers/promises';

/** Least time between two reads of a stream's source, in milliseconds. */
const frameIntervalMs = 100;

/** What a stream is made of: the source tracks its own place. */
export interface StreamSource<Frame> {
  /** Begins to listen for changes; returns what ends it. `changed` may be called at any time. */
  listen(changed: () => void): () => void;
  /** What is new since it was last asked; empty where there is nothing. */
  take(): Promise<Frame[]> | Frame[];
}

/** A signal that never fires, for a transport without one. */
export const orNever = (signal: AbortSignal | undefined): AbortSignal => signal ?? new AbortController().signal;

/** What is new at a source, at first and whenever it changes, until the signal fires. */
export async function* follow<Frame>(
  source: StreamSource<Frame>,
  outer: AbortSignal | undefined,
  intervalMs = frameIntervalMs,
): AsyncGenerator<Frame, void> {
  const signal = orNever(outer);
  let change = Promise.withResolvers<void>();
  const ring = () => change.resolve();
  ring();
  signal.addEventListener('abort', ring, { once: true });
  const stopListening = source.listen(ring);
  try {
    for (;;) {
      await change.promise;
      if (signal.aborted) return;
      change = Promise.withResolvers();
      const frames = await source.take();
      for (const frame of frames) {
        if (signal.aborted) return;
        yield frame;
      }
      if (signal.aborted) return;
      if (frames.length > 0) await sleep(intervalMs, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    stopListening();
    signal.removeEventListener('abort', ring);
  }
}

/** A source of states whose newest matters. @param read each kind's state, or null @param first kinds sent at once */
export function newestOf<Kind extends string, Frame>(
  listen: (changed: (kind: Kind) => void) => () => void,
  read: Readonly<Record<Kind, () => Frame | null>>,
  first: readonly Kind[] = Object.keys(read) as Kind[],
): StreamSource<Frame> {
  const changed = new Set(first);
  return {
    listen: (tell) =>
      listen((kind) => {
        changed.add(kind);
        tell();
      }),
    take() {
      const kinds = [...changed];
      changed.clear();
      return kinds.map((kind) => read[kind]()).filter((frame) => frame !== null);
    },
  };
}

/** The latest frames of long work, and always the last; ends it without listeners. @param work resolves to the last frame */
export async function* latestFrames<Frame>(
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal, show: (frame: Frame) => void) => Promise<Frame>,
): AsyncGenerator<Frame, void> {
  const left = new AbortController();
  const signal = AbortSignal.any([orNever(outer), left.signal]);
  let latest: Frame | null = null;
  const result = work(signal, (frame) => {
    latest = frame;
  });
  const ended = result.then(
    () => true,
    () => true,
  );
  try {
    while (!(await Promise.race([ended, sleep(frameIntervalMs, false)]))) {
      const frame = latest;
      latest = null;
      if (frame !== null) yield frame;
    }
    yield await result;
  } finally {
    left.abort();
  }
}
