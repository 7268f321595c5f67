import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Supervisor } from '../../main/engine/service/supervisor.ts';
import { answerText, guardHeaders } from './answers.ts';
import { openDownloads } from './downloads.ts';
import { engineSockets, type SocketLimits } from './engineSockets.ts';
import { refusalOf } from './requestChecks.ts';
import { answerScreen, type Screens } from './screens.ts';
import { mintToken } from './token.ts';
import { openUploads, type UploadLimits } from './uploads.ts';

const loopback = '127.0.0.1';

export interface WebLimits {
  readonly sockets: SocketLimits;
  readonly uploads: UploadLimits;
}

export const usualLimits: WebLimits = {
  sockets: { connections: 16, message: 2 ** 20, waiting: 32 * 2 ** 20, tokenMs: 5_000, pingMs: 30_000 },
  uploads: { bytes: 2 ** 30, stallMs: 60_000 },
};

export interface WebHost {
  /** With the token in its fragment, which browsers keep to themselves. */
  readonly url: string;
  readonly port: number;
  /** Ends every connection and removes what was received. The supervisor is its owner's. */
  close(): Promise<void>;
}

/**
 * Serves the page, and the engine to it, on 127.0.0.1 alone.
 * @param port 0 for any that is free
 * Throws the errors of `listen`, such as EADDRINUSE.
 */
export async function startWebHost(options: {
  supervisor: Supervisor;
  screens: Screens;
  port: number;
  /** Told of an error that no request should have met; the page sees a plain 500. */
  onError: (error: unknown) => void;
  limits?: WebLimits;
}): Promise<WebHost> {
  const { supervisor, screens, onError, limits = usualLimits } = options;
  const token = mintToken();
  const downloads = openDownloads(supervisor);
  const sockets = engineSockets(supervisor, token, limits.sockets);
  // A large file may take long over a tunnel; one that stalls is cut off by the uploads themselves.
  const server = createServer({ requestTimeout: 0, headersTimeout: 10_000, maxHeaderSize: 16 * 1024 });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '', method } = request;
    const refusal = refusalOf(request, method !== 'GET' && method !== 'HEAD');
    for (const [name, value] of Object.entries(guardHeaders(refusal === null ? request.headers.host : undefined))) {
      if (value !== undefined) response.setHeader(name, value);
    }
    if (refusal !== null) answerText(response, 403, refusal);
    else if (url === '/uploads' && method === 'POST') await uploads.answer(request, response);
    else if (url.startsWith('/files/') && method === 'GET') await downloads.answer(url.slice('/files/'.length), response);
    else answerScreen(screens, request, response);
  }

  server.on('request', (request, response) => {
    answer(request, response).catch((error: unknown) => {
      onError(error);
      if (response.headersSent) response.destroy();
      else answerText(response, 500, 'Something went wrong; the program’s terminal shows what.');
    });
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => undefined);
    const refusal = refusalOf(request, true);
    if (refusal !== null) refuseUpgrade(socket, '403 Forbidden', refusal);
    else if (request.url !== '/engine') refuseUpgrade(socket, '404 Not Found', 'There is nothing at this address.');
    else sockets.upgrade(request, socket, head);
  });

  const uploads = await openUploads(supervisor, token, limits.uploads);
  const close = async () => {
    sockets.close();
    downloads.close();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await Promise.all([closed, uploads.close()]);
  };
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host: loopback, port: options.port, exclusive: true }, resolve);
    });
  } catch (error) {
    await close();
    throw error;
  }
  const { port } = server.address() as AddressInfo;
  return { url: `http://${loopback}:${port}/#token=${token.text}`, port, close };
}

function refuseUpgrade(socket: Duplex, status: string, sentence: string): void {
  const body = `${sentence}\n`;
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\n` +
      `X-Content-Type-Options: nosniff\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
