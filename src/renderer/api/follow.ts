import { ORPCError } from '@orpc/client';
import type { Session } from './session.ts';

const pauseMs = 500;

/**
 * Follows a stream until the signal fires. When the connection breaks, the stream is opened again; `open` is
 * then asked again and says from where.
 * @param onFailure a failure that another attempt would not fix, such as an unknown trial; the stream ends
 */
export async function follow<Frame>(
  session: Session,
  open: (signal: AbortSignal) => Promise<AsyncIterable<Frame>>,
  onFrame: (frame: Frame) => void,
  { signal, onFailure }: { signal: AbortSignal; onFailure: (error: unknown) => void },
): Promise<void> {
  while (!signal.aborted) {
    try {
      await session.ready(signal);
      for await (const frame of await open(signal)) {
        if (signal.aborted) return;
        onFrame(frame);
      }
    } catch (error) {
      // Anything else is a broken connection, which the session repairs.
      if (error instanceof ORPCError && !signal.aborted) return onFailure(error);
    }
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
