import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Supervisor } from '../../main/engine/service/supervisor.ts';
import type { FromEngine } from '../../shared/api/control.ts';
import { uploadHandleSchema } from '../../shared/api/dataFiles.ts';
import { answerScreen, answerText, guardHeaders, type Screens } from './answers.ts';
import { engineSockets, type SocketLimits } from './engineSockets.ts';
import { mintToken } from './token.ts';
import { openUploads, type UploadLimits } from './uploads.ts';

/** Names of this machine in an address; any port, since a tunnel changes it. */
const ownHost = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/;

/**
 * Why a request is not answered, as a sentence for the sender; null where nothing is wrong. A foreign
 * `Host` means that another name was made to lead here (DNS rebinding), a foreign `Origin` or
 * `Sec-Fetch-Site` that another site's page has sent the request.
 * @param needsOrigin whether the request must name its origin: those that change something, and WebSockets
 */
function refusalOf({ headersDistinct }: IncomingMessage, needsOrigin: boolean): string | null {
  const [host, ...moreHosts] = headersDistinct.host ?? [];
  if (host === undefined || moreHosts.length > 0 || !ownHost.test(host)) {
    return 'This address is not on this machine. Open the link that the program printed.';
  }
  const origins = headersDistinct.origin ?? [];
  if ((needsOrigin && origins.length === 0) || origins.some((origin) => origin !== `http://${host}`)) {
    return 'Only the page that this program serves may ask for this. Open the link that the program printed.';
  }
  const sites = headersDistinct['sec-fetch-site'] ?? [];
  if (sites.some((site) => site !== 'same-origin' && site !== 'none')) {
    return 'Another page led here. Copy the link that the program printed into the address bar.';
  }
  return null;
}

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

/** Serves the page and the engine on 127.0.0.1 only. @param port 0 for any that is free. Throws the errors of `listen`. */
export async function startWebHost(options: {
  supervisor: Supervisor;
  screens: Screens;
  port: number;
  /** Called with an error that no request should have met; the page sees a plain 500. */
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

type Taken = (FromEngine & { kind: 'taken' })['file'];

/** `Content-Disposition` of RFC 6266: a name in ASCII for old readers, and the real one as RFC 5987 has it. */
export function attachment(fileName: string): string {
  const plain = fileName.replaceAll(/[^A-Za-z0-9 ._-]/g, '_');
  const extended = encodeURIComponent(fileName.toWellFormed()).replaceAll(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${extended}`;
}

/** Asks the engine for the files behind the handles that it gave the page. */
function openDownloads(supervisor: Supervisor) {
  const waiting = new Map<number, (file: Taken | 'engine-down') => void>();
  let lastRequest = 0;
  const settle = (request: number, file: Taken | 'engine-down') => {
    waiting.get(request)?.(file);
    waiting.delete(request);
  };
  const stopMessages = supervisor.onMessage((message) => {
    if (message.kind === 'taken') settle(message.request, message.file);
  });
  const stopStates = supervisor.onState((state) => {
    if (state !== 'ready') for (const request of waiting.keys()) settle(request, 'engine-down');
  });

  function take(file: string): Promise<Taken | 'engine-down'> {
    lastRequest += 1;
    const request = lastRequest;
    return new Promise((resolve) => {
      waiting.set(request, resolve);
      if (!supervisor.send({ kind: 'take', request, file })) settle(request, 'engine-down');
    });
  }

  return {
    async answer(handle: string, response: ServerResponse) {
      const known = uploadHandleSchema.safeParse(handle);
      const file = known.success ? await take(known.data) : null;
      if (file === 'engine-down') {
        answerText(response, 503, 'The engine is starting again. Export once more in a moment.');
        return;
      }
      if (file === null) {
        answerText(response, 404, 'This file does not exist, or was already downloaded. Export again.');
        return;
      }
      await sendOnce(file, response);
    },
    close() {
      stopMessages();
      stopStates();
      for (const request of waiting.keys()) settle(request, 'engine-down');
    },
  };
}

async function sendOnce({ path, fileName }: NonNullable<Taken>, response: ServerResponse): Promise<void> {
  try {
    const { size } = await stat(path);
    response.writeHead(200, {
      'content-type': 'application/octet-stream',
      'content-length': size,
      'content-disposition': attachment(fileName),
    });
    await pipeline(createReadStream(path), response).catch(() => {
      // The reader has gone away; the cut answer shows it.
    });
  } finally {
    await rm(path, { force: true });
  }
}
