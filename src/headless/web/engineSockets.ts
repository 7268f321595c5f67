import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import type { Supervisor } from '../../main/engine/service/supervisor.ts';
import type { Token } from './token.ts';

/** Why a connection was closed, for the page: 4500 is for good, 4408 and 4503 ask it to connect again. */
export const closeCode = {
  badToken: 4401,
  slowReader: 4408,
  tooMany: 4429,
  engineGone: 4500,
  engineDown: 4503,
} as const;

export interface SocketLimits {
  readonly connections: number;
  /** Bytes of one message from the page. */
  readonly message: number;
  /** Bytes that may wait for a page that reads too slowly. */
  readonly waiting: number;
  /** Milliseconds within which a new connection has to show its token. */
  readonly tokenMs: number;
  /** Milliseconds between two pings; a connection that answers none in between is ended. */
  readonly pingMs: number;
}

const greetingSchema = z.strictObject({ token: z.string() });

/** Longest reason of a close frame, in bytes of UTF-8. */
const mostReasonBytes = 123;

function shorten(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= mostReasonBytes) return text;
  return new TextDecoder().decode(bytes.subarray(0, mostReasonBytes - 3), { stream: true }).concat('…');
}

function bytesOf(data: RawData): Buffer {
  return Buffer.isBuffer(data) ? data : Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}

function showsToken(data: RawData, isBinary: boolean, token: Token): boolean {
  if (isBinary) return false;
  try {
    const greeting = greetingSchema.safeParse(JSON.parse(bytesOf(data).toString('utf8')));
    return greeting.success && token.matches(greeting.data.token);
  } catch {
    return false;
  }
}

/** Passes messages between pages and the engine: one WebSocket is one connection of the engine. */
export function engineSockets(supervisor: Supervisor, token: Token, limits: SocketLimits) {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: true,
    maxPayload: limits.message,
    perMessageDeflate: false,
    skipUTF8Validation: false,
  });
  const open = new Map<number, WebSocket>();
  /** Connections that have not shown it yet, the longest first. */
  const waiting = new Set<WebSocket>();
  const silent = new WeakSet<WebSocket>();
  let lastConnection = 0;
  let failure = 'The engine is not there.';

  const whyDown = (): [code: number, reason: string] => {
    const state = supervisor.state();
    return state === 'given-up' || state === 'refused'
      ? [closeCode.engineGone, shorten(failure)]
      : [closeCode.engineDown, 'The engine is starting.'];
  };

  const stopMessages = supervisor.onMessage((message) => {
    if (message.kind !== 'data') return;
    const socket = open.get(message.connection);
    if (socket === undefined) return;
    if (socket.bufferedAmount > limits.waiting) {
      leave(message.connection);
      socket.close(closeCode.slowReader, 'This page reads too slowly.');
      return;
    }
    socket.send(message.data);
  });
  const stopStates = supervisor.onState((state, { reason }) => {
    if (reason !== null) failure = reason;
    if (state === 'ready' || state === 'starting') return;
    const [code, words] = whyDown();
    for (const socket of open.values()) socket.close(code, words);
    open.clear();
  });

  function leave(connection: number): void {
    if (open.delete(connection)) supervisor.send({ kind: 'disconnect', connection });
  }

  function admit(socket: WebSocket): void {
    if (open.size >= limits.connections) {
      socket.close(closeCode.tooMany, 'Too many pages are open. Close one of them.');
      return;
    }
    const connection = lastConnection + 1;
    if (!supervisor.send({ kind: 'connect', connection })) {
      socket.close(...whyDown());
      return;
    }
    lastConnection = connection;
    open.set(connection, socket);
    socket.on('message', (data, isBinary) => {
      if (!open.has(connection)) return;
      const bytes = bytesOf(data);
      supervisor.send({ kind: 'data', connection, data: isBinary ? new Uint8Array(bytes) : bytes.toString('utf8') });
    });
    socket.on('close', () => leave(connection));
  }

  server.on('connection', (socket: WebSocket) => {
    waiting.add(socket);
    const timer = setTimeout(() => socket.close(closeCode.badToken, 'No token came.'), limits.tokenMs);
    // What was wrong with a frame is in the close code that ws sends.
    socket.on('error', () => undefined);
    socket.on('pong', () => silent.delete(socket));
    socket.on('close', () => {
      clearTimeout(timer);
      waiting.delete(socket);
    });
    socket.once('message', (data, isBinary) => {
      clearTimeout(timer);
      if (socket.readyState !== socket.OPEN) return;
      if (showsToken(data, isBinary, token)) {
        waiting.delete(socket);
        admit(socket);
      } else socket.close(closeCode.badToken, 'This is not the token of this program.');
    });
  });

  const pings = setInterval(() => {
    for (const socket of server.clients) {
      if (silent.has(socket)) socket.terminate();
      else {
        silent.add(socket);
        socket.ping();
      }
    }
  }, limits.pingMs);

  return {
    /** Takes over a request to `/engine` whose Host and Origin were checked. */
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer) {
      // Those that have not shown the token keep no one out: the one that has waited longest gives way.
      const [longest] = waiting;
      if (longest !== undefined && waiting.size >= limits.connections) {
        waiting.delete(longest);
        longest.terminate();
      }
      server.handleUpgrade(request, socket, head, (accepted) => server.emit('connection', accepted, request));
    },
    close() {
      clearInterval(pings);
      stopMessages();
      stopStates();
      open.clear();
      for (const socket of server.clients) socket.terminate();
      server.close();
    },
  };
}
