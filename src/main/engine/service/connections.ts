import type { RPCHandler } from '@orpc/server/message-port';
import { z } from 'zod';
import type { HandlerContext } from './os.ts';

/** The engine's end of a connection to a screen. */
export interface Wire {
  send(data: string): void;
  onData(listener: (data: unknown) => void): void;
  onClose(listener: () => void): void;
}

/** A DOM-like or Electron-like end of a message channel. */
export interface EnginePort {
  postMessage(data: unknown): void;
  on(event: 'message', listener: (event: { data: unknown }) => void): void;
  on(event: 'close', listener: () => void): void;
  start(): void;
}

export function isEnginePort(port: unknown): port is EnginePort {
  const has = (name: string) => typeof port === 'object' && port !== null && typeof Reflect.get(port, name) === 'function';
  return has('postMessage') && has('on') && has('start');
}

/** Starts a port and makes a wire of it. */
export function wireOfPort(port: EnginePort): Wire {
  return {
    send: (data) => port.postMessage(data),
    onData(listener) {
      port.on('message', ({ data }) => listener(data));
      port.start();
    },
    onClose: (listener) => port.on('close', listener),
  };
}

/** Longest message of a screen, in UTF-16 code units. */
export const longestMessage = 1024 * 1024;

/**
 * A message of the RPC library: a request by POST without headers (type 1, left out), or the end of one (type 4).
 * Streams from screens, files, other methods, and values that JSON does not have are no part of the contract.
 */
const messageSchema = z.union([
  z.strictObject({ i: z.string().max(64), t: z.literal(4) }),
  z.strictObject({
    i: z.string().max(64),
    p: z.strictObject({
      u: z.string().regex(/^\/[A-Za-z]+(\/[A-Za-z]+)*$/),
      b: z.strictObject({ json: z.unknown() }).optional(),
    }),
  }),
]);

/** The id with which an oversized or malformed message begins, so that whoever waits for an answer gets one. */
const idOf = (data: string) => /^\{"i":"([A-Za-z0-9_-]{1,64})"/.exec(data)?.[1];

function refusal(id: string, message: string): string {
  const error = { defined: true, code: 'bad-input', status: 400, message, data: { field: null, line: null } };
  return JSON.stringify({ i: id, p: { s: 400, b: { json: error } } });
}

function parsed(data: string): z.infer<typeof messageSchema> | null {
  try {
    return messageSchema.parse(JSON.parse(data));
  } catch {
    return null;
  }
}

/** Serves a screen. What is no request is refused before the RPC library sees it. */
export function serve(handler: RPCHandler<HandlerContext>, wire: Wire, context: HandlerContext): void {
  let closed = false;
  wire.onClose(() => {
    closed = true;
  });
  const send = (data: unknown) => {
    if (!closed && typeof data === 'string') wire.send(data);
  };
  const accept = (raw: unknown, pass: (message: object) => void) => {
    const data = raw instanceof Uint8Array && raw.length <= longestMessage ? new TextDecoder().decode(raw) : raw;
    if (typeof data !== 'string') return;
    const refuse = (message: string) => {
      const id = idOf(data);
      if (id !== undefined) send(refusal(id, message));
    };
    if (data.length > longestMessage) {
      refuse(`the request has ${data.length} characters; at most ${longestMessage} are accepted`);
      return;
    }
    const message = parsed(data);
    if (message === null) refuse('the request is malformed');
    else pass(message);
  };
  handler.upgrade(
    {
      postMessage: send,
      onMessage: { addListener: (callback) => wire.onData((data) => accept(data, callback)) },
      onDisconnect: { addListener: (callback) => wire.onClose(callback) },
    },
    { context },
  );
}
