import { setTimeout as sleep } from 'node:timers/promises';
import { frameIntervalMs } from '../../../../shared/api/streams.ts';

/**
 * The latest frame of some long work now and then, and the last one in the end. When nobody listens any more, the work is
 * told to end.
 * @param work shows its progress, and resolves to the last frame
 */
export async function* latestFrames<Frame>(
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal, show: (frame: Frame) => void) => Promise<Frame>,
): AsyncGenerator<Frame, void> {
  const left = new AbortController();
  const signal = outer === undefined ? left.signal : AbortSignal.any([outer, left.signal]);
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
