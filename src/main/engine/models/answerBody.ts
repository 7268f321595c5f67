// Sends a request by undici and gives its answer as it comes: a stream of Node for each would cost more than to read it.
import type { Dispatcher } from 'undici';

/** Bytes as they come. To leave a loop over them ends their connection. */
export interface AnswerBody extends AsyncIterable<Uint8Array> {
  /** Ends the connection where not all has come. */
  destroy(): unknown;
}

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2];

interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly body: AnswerBody;
}

/** Bytes that wait for their reader before the server has to wait. */
const mostHeld = 65_536;

/** Sends a request. Rejects with what broke the connection, or with the reason of the signal. */
export function answerTo(
  agent: Dispatcher,
  request: Dispatcher.DispatchOptions,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const chunks: Uint8Array[] = [];
  let held = 0;
  let controller: Dispatcher.DispatchController | undefined;
  let end: { readonly error: unknown } | undefined;
  let wake = () => {};

  const stop = () => {
    reject(signal?.reason);
    controller?.abort(signal?.reason);
  };
  const finish = (error: unknown) => {
    signal?.removeEventListener('abort', stop);
    end = { error };
    reject(error);
    wake();
  };
  const destroy = () => {
    if (end === undefined) controller?.abort(new Error('the rest of the answer is not wanted'));
  };
  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const chunk = chunks.shift();
        if (chunk !== undefined) {
          held -= chunk.length;
          controller?.resume();
          yield chunk;
        } else if (end === undefined) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        } else break;
      }
      if (end?.error !== null) throw end?.error;
    } finally {
      destroy();
    }
  }

  if (signal?.aborted) {
    reject(signal.reason);
    return promise;
  }
  signal?.addEventListener('abort', stop, { once: true });
  agent.dispatch(request, {
    onRequestStart(started) {
      controller = started;
      if (signal?.aborted) stop();
    },
    onResponseStart(_controller, status, headers, statusText = '') {
      // What comes before is not the answer yet.
      if (status >= 200) resolve({ status, statusText, headers, body: { [Symbol.asyncIterator]: read, destroy } });
    },
    onResponseData(started, chunk) {
      chunks.push(chunk);
      held += chunk.length;
      if (held > mostHeld) started.pause();
      wake();
    },
    onResponseEnd: () => finish(null),
    onResponseError: (_controller, error) => finish(error),
  });
  return promise;
}
