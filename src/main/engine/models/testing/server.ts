import { randomInt } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from '../daemon/daemonProcess.ts';

export interface TestServer {
  readonly url: string;
  readonly port: number;
  readonly requests: readonly { readonly method: string; readonly path: string; readonly body: string }[];
  /** Requests whose connection was closed by the client before the answer was complete. */
  aborted(): number;
  /** Takes no new connections from now on; existing ones continue. */
  leave(): void;
  /** Ends the connections that nothing is asked on. */
  closeIdle(): void;
  close(): Promise<void>;
}

/** A free port that systems give to no connection: where a server has ended, another one can start at it. */
export const lastingPort = (): Promise<number> => freePort(randomInt(10_000, 32_000));

/** Starts a server; `answer` is called when a request has been read whole. */
export async function serve(answer: RequestListener, place: { host?: string; port?: number } = {}): Promise<TestServer> {
  const requests: { method: string; path: string; body: string }[] = [];
  let aborted = 0;
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    response.on('error', () => undefined);
    response.on('close', () => {
      if (!response.writableEnded) aborted += 1;
    });
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    requests.push({ method: request.method ?? '', path: request.url ?? '', body });
    answer(request, response);
  });
  const host = place.host ?? '127.0.0.1';
  const wanted = place.port ?? (await lastingPort());
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(wanted, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    requests,
    aborted: () => aborted,
    leave: () => server.close(),
    closeIdle: () => server.closeIdleConnections(),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const part = (content: string, more: Readonly<Record<string, unknown>> = {}): string =>
  `${JSON.stringify({ model: 'm', message: { role: 'assistant', content }, done: false, ...more })}\n`;

export const last = (more: Readonly<Record<string, unknown>> = {}): string =>
  part('', { done: true, done_reason: 'stop', ...more });

/** A server with one model that answers every chat the same way. */
export function serveOllama(
  chat: RequestListener,
  more: { port?: number; version?: string; digest?: string } = {},
): Promise<TestServer> {
  return serve(
    (request, response) => {
      if (request.url === '/api/version') response.end(JSON.stringify({ version: more.version ?? '0.33.0' }));
      else if (request.url === '/api/tags')
        response.end(JSON.stringify({ models: [{ name: 'm:1', digest: more.digest ?? 'd' }] }));
      else chat(request, response);
    },
    more.port === undefined ? {} : { port: more.port },
  );
}
