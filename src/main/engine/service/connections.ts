import { z } from 'zod';
import { contract } from '../../../shared/api/contract.ts';
import { attempt } from '../attempt.ts';
import { newConnection } from './os.ts';
import type { Handler } from './router.ts';
import type { Service } from './service.ts';

/** A DOM-like or Electron-like end of a message channel. */
interface EnginePort {
  postMessage(data: unknown): void;
  on(event: 'message', listener: (event: { data: unknown }) => void): void;
  on(event: 'close', listener: () => void): void;
  start(): void;
  close(): void;
}

function isEnginePort(port: unknown): port is EnginePort {
  const has = (name: string) => typeof port === 'object' && port !== null && typeof Reflect.get(port, name) === 'function';
  return has('postMessage') && has('on') && has('start') && has('close');
}

export type Connections = ReturnType<typeof openConnections>;

export function openConnections(options: {
  handler: Handler;
  /** What every connection is answered from at first. */
  service: Service;
  carry: (connection: number, data: string) => void;
  /** Asked at each message of a screen, which waits for it. */
  opened: () => Promise<void>;
}) {
  const { handler, service, carry, opened } = options;
  const served = new Map<number, ReturnType<typeof serve>>();
  const receive = (connection: number, data: unknown) =>
    void opened().then(() => {
      served.get(connection)?.receive(data);
    });
  const close = (connection: number) => {
    const ended = served.get(connection);
    served.delete(connection);
    ended?.close();
  };
  return {
    /** Serves a screen over the port that came along, or else over messages that the host carries. */
    open(connection: number, port: unknown) {
      if (!isEnginePort(port)) {
        served.set(
          connection,
          serve(handler, service, (data) => carry(connection, data)),
        );
        return;
      }
      const screen = serve(handler, service, (data) => port.postMessage(data));
      served.set(connection, {
        ...screen,
        close() {
          port.close();
          screen.close();
        },
      });
      port.on('message', ({ data }) => receive(connection, data));
      port.on('close', () => close(connection));
      port.start();
    },
    /** A message that the host carries. Does nothing for a connection that is closed. */
    receive,
    close,
    closeAll() {
      for (const connection of [...served.keys()]) close(connection);
    },
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

/** The id with which an oversized or malformed message begins, so that the sender gets an answer. */
const idOf = (data: string) => /^\{"i":"([A-Za-z0-9_-]{1,64})"/.exec(data)?.[1];

const procedures = new Set(
  Object.entries(contract).flatMap(([group, routes]) => Object.keys(routes).map((name) => `/${group}/${name}`)),
);

function refusal(id: string, code: 'bad-input' | 'not-found', message: string): string {
  const status = code === 'bad-input' ? 400 : 404;
  const error = { defined: true, code, status, message, data: { field: null, line: null } };
  return JSON.stringify({ i: id, p: { s: status, b: { json: error } } });
}

const parsed = (data: string) => attempt(() => messageSchema.parse(JSON.parse(data)), null);

/** Serves a screen until it is closed. What is no request is refused before the RPC library sees it. */
function serve(handler: Handler, service: Service, carry: (data: string) => void) {
  let isClosed = false;
  let pass: (message: object) => void = () => undefined;
  let disconnect: () => void = () => undefined;
  const send = (data: unknown) => {
    if (!isClosed && typeof data === 'string') carry(data);
  };
  const connection = newConnection(service);
  handler.upgrade(
    {
      postMessage: send,
      onMessage: {
        addListener(callback) {
          pass = callback;
        },
      },
      onDisconnect: {
        addListener(callback) {
          disconnect = callback;
        },
      },
    },
    { context: { connection } },
  );
  return {
    receive(raw: unknown): void {
      const data = raw instanceof Uint8Array && raw.length <= longestMessage ? new TextDecoder().decode(raw) : raw;
      if (typeof data !== 'string') return;
      const refuse = (message: string, code: 'bad-input' | 'not-found' = 'bad-input') => {
        const id = idOf(data);
        if (id !== undefined) send(refusal(id, code, message));
      };
      if (data.length > longestMessage) {
        refuse(`the request has ${data.length} characters; at most ${longestMessage} are accepted`);
        return;
      }
      const message = parsed(data);
      if (message === null) refuse('the request is malformed');
      else if ('p' in message && !procedures.has(message.p.u)) refuse('the program does not know this request', 'not-found');
      else pass(message);
    },
    close(): void {
      isClosed = true;
      if (connection.checked !== null) void service.files.release(connection.checked);
      disconnect();
    },
  };
}
