import { ORPCError } from '@orpc/client';
import type { Session } from './session.ts';

interface Frame<Body> {
  readonly stream: string;
  readonly frame: number;
  readonly body: Body;
}

/** Frames after which an acknowledgement goes out at once; otherwise it goes out a moment later. */
const acknowledgeAfter = 64;
const acknowledgeWithinMs = 50;
const pauseAfterFailureMs = 500;

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function acknowledger(session: Session) {
  let last: { stream: string; frame: number } | null = null;
  let waiting = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const send = () => {
    clearTimeout(timer);
    timer = undefined;
    waiting = 0;
    // A stream that has ended meanwhile needs no acknowledgement.
    if (last !== null) session.api.streams.acknowledge(last).catch(() => undefined);
  };
  return {
    took({ stream, frame }: { stream: string; frame: number }) {
      last = { stream, frame };
      waiting += 1;
      if (waiting >= acknowledgeAfter) send();
      else timer ??= setTimeout(send, acknowledgeWithinMs);
    },
    end: () => clearTimeout(timer),
  };
}

/**
 * Follows a stream until the signal fires. When the connection breaks, the stream is opened anew; `open` is
 * then asked again and says from where.
 * @param onFailure a failure that another attempt would not mend, such as an unknown trial; the stream ends
 */
export async function follow<Body>(
  session: Session,
  open: (signal: AbortSignal) => Promise<AsyncIterable<Frame<Body>>>,
  onBody: (body: Body) => void,
  { signal, onFailure }: { signal: AbortSignal; onFailure: (error: unknown) => void },
): Promise<void> {
  while (!signal.aborted) {
    const acknowledge = acknowledger(session);
    try {
      await session.ready(signal);
      for await (const frame of await open(signal)) {
        if (signal.aborted) break;
        onBody(frame.body);
        acknowledge.took(frame);
      }
      if (!signal.aborted) await pause(pauseAfterFailureMs, signal);
    } catch (error) {
      if (signal.aborted) return;
      // Anything else is a broken connection, which the session mends.
      if (error instanceof ORPCError) {
        onFailure(error);
        return;
      }
      await pause(pauseAfterFailureMs, signal);
    } finally {
      acknowledge.end();
    }
  }
}
