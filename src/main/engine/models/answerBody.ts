// Sends a request by undici and gives its answer as it comes: a stream of Node for each would cost more than to read it.
import { subscribe } from 'node:diagnostics_channel';
import type { DiagnosticsChannel, Dispatcher } from 'undici';

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

/** Less than any common server keeps an idle connection, which is 5 s; undici's own limit. */
const mostIdleMs = 4000;
const idleTooLong = new Error('the connection was idle for too long');
/** When each connection brought its last answer. */
const answeredAt = new WeakMap<object, number>();

/** Hears which connection the request takes that goes out in this moment. */
let onTaken = (_connection: object) => {};
// Only here undici names the connection, and nothing of the request is sent yet.
subscribe('undici:client:sendHeaders', (message) => {
  onTaken((message as DiagnosticsChannel.ClientSendHeadersMessage).socket);
  onTaken = () => {};
});

/**
 * Sends a request. Rejects with what broke the connection, or with the reason of the signal.
 *
 * Nothing that was sent is sent again. But a request that would take a connection which was idle for longer than servers keep
 * one takes another: undici limits that time by a timer, which is late where the program was stopped, and what it saw of the
 * connection before it was stopped says nothing (its issue 3492).
 */
export async function answerTo(
  agent: Dispatcher,
  request: Dispatcher.DispatchOptions,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  for (;;) {
    try {
      return await sendOnce(agent, request, signal);
    } catch (error) {
      if (error !== idleTooLong) throw error;
    }
  }
}

/** Sends a request. Rejects as `answerTo`, and with `idleTooLong` where nothing was sent and the connection has been ended. */
function sendOnce(agent: Dispatcher, request: Dispatcher.DispatchOptions, signal: AbortSignal | undefined): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const chunks: Uint8Array[] = [];
  let held = 0;
  let controller: Dispatcher.DispatchController | undefined;
  let connection: object | undefined;
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
      onTaken = (taken) => {
        connection = taken;
        if (Date.now() - (answeredAt.get(taken) ?? Date.now()) > mostIdleMs) started.abort(idleTooLong);
      };
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
    onResponseEnd() {
      if (connection !== undefined) answeredAt.set(connection, Date.now());
      finish(null);
    },
    onResponseError: (_controller, error) => finish(error),
  });
  return promise;
}
